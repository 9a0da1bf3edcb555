/**
 * Delivers the corrections of a reviewer: the last delivery with the corrected targets in it, as
 * one more delivery. The request stays in review, what its provider has written since is put aside
 * as by any delivery, and the memory learns the corrected texts.
 */
import {
  checkNames,
  HubError,
  type JobRequest,
  type KeptCheck,
  type SegmentDelivery,
  type TextParts,
} from '@dragoman/contract'
import { writtenText } from '@dragoman/text/likeness'
import type { Hub } from '../../../hub.ts'
import type { Db } from '../../../store/database.ts'
import { openPauses } from '../../../turns/pauses.ts'
import type { Call } from '../../access/caller.ts'
import { once } from '../../access/once.ts'
import { countBytes } from '../../access/site-bytes.ts'
import { blobOf, placeTranslation, storeTranslation } from '../../handover/deliver-batch.ts'
import { checkAct, mustAllow } from '../../jobs/find-job.ts'
import { mustReach } from '../../jobs/job-activity.ts'
import { deliverRequests } from '../../jobs/requests/deliveries/deliver-requests.ts'
import { readFormers } from '../../jobs/requests/deliveries/former-targets.ts'
import { describeRequest } from '../../jobs/requests/describe-request.ts'
import { mustFindRequest } from '../../jobs/requests/find-request.ts'
import type { OneRequest } from '../../jobs/requests/request.ts'
import { addUnits, pairOf } from '../../language/memory/add-units.ts'
import { type NewUnit, prepareSafely } from '../../language/memory/prepare-units.ts'
import { openPager } from '../../language/worker/pages.ts'
import { type Judging, mustPass, openJudge } from '../check-desk.ts'
import { deliveredOnly, targetOf } from '../describe-segment.ts'
import { lockRequest } from '../drafts.ts'
import { joinDesk } from '../join-desk.ts'
import type { Joining } from '../join-file.ts'
import { type Desk, openDesk } from '../open-desk.ts'
import { pathOf, walkDesk } from '../walk-desk.ts'
import { mustBeInReview } from './correct-segment.ts'
import { markDelivered, measureWaiting } from './correction-rows.ts'
import { keepSentences, openSentences, type Sentence } from './keep-sentences.ts'
import { isWaiting, readCorrections } from './read-corrections.ts'

type At = { readonly jobId: string; readonly requestId: string }

export async function deliverCorrections(
  hub: Hub,
  call: Call,
  { jobId, requestId }: At,
  { kept = [] }: SegmentDelivery = {},
): Promise<JobRequest> {
  const { siteId } = call.caller
  await mustReach(hub.db.read, siteId, jobId)
  const request = await mustFindRequest(hub.db.read, siteId, jobId, requestId)
  mustBeInReview(request)
  const path = pathOf(request)
  const waiting = await measureWaiting(hub.db.read, path)
  if (waiting.count === 0) return once(hub, call, async () => describeRequest(hub, request))
  const version = request.desk_version ?? 0
  if (waiting.newest !== version)
    throw new HubError('VERSION_CONFLICT', { sent: waiting.newest, version })
  const desk = await openDesk(hub, request)
  const { joining, judge, units, sentences } = await gather(hub, request, desk, kept)
  const warnings = await mustPass(judge)
  const learned = await prepareSafely(siteId, units)
  const { translated, contentType } = await joinDesk(hub, request, joining)
  const formers = await readFormers(hub, [request])
  const stored = await storeTranslation(hub, request, translated, contentType)
  let isUsed = false
  const drop = async () => {
    if (!isUsed) for (const blobId of blobOf(stored)) await hub.blobs.remove(blobId)
  }
  try {
    const answer = await once(hub, call, async (tx) => {
      const change = { hub, tx, causeId: call.traceId }
      const job = await mustAllow(tx, siteId, jobId, 'reviewRequests')
      checkAct(job, 'deliver')
      const fresh = await mustBeUnchanged(tx, request, waiting.mark)
      isUsed = true
      const also = { ...(await placeTranslation(change, job, fresh, stored)), warnings, forced: 0 }
      const { requests } = await deliverRequests(
        change,
        job,
        [{ request: fresh, also, isCorrection: true }],
        formers,
      )
      const [delivered = fresh] = requests
      await markDelivered(tx, path, version)
      await countBytes(hub.db, tx, siteId, -waiting.bytes)
      await keepSentences(hub, tx, path, sentences, delivered.desk_version ?? 0)
      const pair = pairOf(request.source_language, request.target_language)
      await addUnits(hub, tx, { siteId, pair }, learned)
      return describeRequest(hub, { ...fresh, ...delivered })
    })
    await drop()
    return answer
  } catch (error) {
    // After any other error the rows may be there all the same.
    if (error instanceof HubError) {
      isUsed = false
      await drop()
    }
    throw error
  }
}

/** What the corrections were gathered from is still there. */
async function mustBeUnchanged(tx: Db, request: OneRequest, mark: number): Promise<OneRequest> {
  const path = pathOf(request)
  await lockRequest(tx, path)
  const fresh = await mustFindRequest(tx, path.siteId, path.jobId, path.requestId)
  mustBeInReview(fresh)
  const [sent, version] = [request.desk_version ?? 0, fresh.desk_version ?? 0]
  const now = await measureWaiting(tx, path)
  if (sent !== version || now.mark !== mark)
    throw new HubError('VERSION_CONFLICT', { sent, version })
  return fresh
}

/** Findings in what a reviewer left alone stop nobody: they were delivered like that. */
const leftAlone: readonly KeptCheck[] = checkNames.map((check) => ({
  check,
  reason: 'Delivered like this before the correction.',
}))

async function gather(
  hub: Hub,
  request: OneRequest,
  desk: Desk,
  kept: NonNullable<SegmentDelivery['kept']>,
) {
  const joining = openPager<Joining>()
  const judge = await openJudge(hub, request, desk)
  const units: NewUnit[] = []
  const sentences: Sentence[] = []
  const inUnit = openSentences(sentences)
  const pause = openPauses()
  for await (const slice of walkDesk(hub, request, desk)) {
    const corrections = await readCorrections(
      hub,
      pathOf(request),
      slice.map(({ segment }) => segment.segmentId),
    )
    const judged: Judging[] = []
    for (const { segment, place, draft } of slice) {
      const correction = corrections.get(segment.segmentId)
      const isCorrected = isWaiting(correction, request)
      const target: TextParts | undefined = isCorrected
        ? correction.target
        : targetOf(segment, deliveredOnly(draft))
      inUnit(segment, target, isCorrected)
      if (!target) continue
      const own = kept.filter(({ segmentId }) => segmentId === segment.segmentId)
      const before = draft?.deliveredKept ?? []
      const reasons = isCorrected ? own : [...leftAlone, ...before]
      judged.push({ segment, place, target, kept: reasons })
      joining.add({ unit: segment.unit, tags: segment.tags, target })
      if (isCorrected)
        units.push({
          source: writtenText(segment.source, segment.tags),
          target: writtenText(target, segment.tags),
          origin: request.request_id,
        })
      await pause()
    }
    await judge.add(judged)
  }
  inUnit.end()
  return { joining: joining.finish(), judge, units, sentences }
}
