/**
 * A reviewer's correction of a segment in review. It waits beside the delivery until it is
 * delivered with the others; one that equals the delivered target takes an earlier one back.
 */
import { HubError, type ReviewedSegment, type SegmentCorrection } from '@dragoman/contract'
import { joined } from '@dragoman/text/placeholders'
import type { Hub } from '../../../hub.ts'
import type { Db } from '../../../store/database.ts'
import { type Call, creatorOf } from '../../access/caller.ts'
import { storeBytes } from '../../access/site-bytes.ts'
import { sealNote } from '../../files/seals/notes.ts'
import { mustAllow } from '../../jobs/find-job.ts'
import { mustReach, touchJob } from '../../jobs/job-activity.ts'
import { formerTargets } from '../../jobs/requests/deliveries/former-targets.ts'
import { mustFindRequest } from '../../jobs/requests/find-request.ts'
import type { OneRequest } from '../../jobs/requests/request.ts'
import { checkSegments } from '../check-desk.ts'
import {
  deliveredOnly,
  describeSegment,
  draftsById,
  isSameTarget,
  targetOf,
} from '../describe-segment.ts'
import { lockRequest, readDrafts } from '../drafts.ts'
import { mustFindSegment } from '../list-segments.ts'
import { type Desk, openDesk } from '../open-desk.ts'
import { pathOf } from '../walk-desk.ts'
import { writeCorrection } from './correction-rows.ts'
import { isWaiting, readCorrections } from './read-corrections.ts'

type OneSegment = { readonly jobId: string; readonly requestId: string; readonly segmentId: string }

export async function correctSegment(
  hub: Hub,
  call: Call,
  { jobId, requestId, segmentId }: OneSegment,
  change: SegmentCorrection,
): Promise<ReviewedSegment> {
  const { siteId } = call.caller
  await mustReach(hub.db.read, siteId, jobId)
  for (;;) {
    const request = await mustFindRequest(hub.db.read, siteId, jobId, requestId)
    const desk = await openDesk(hub, request)
    const place = mustFindSegment(desk, segmentId)
    mustHaveTags(desk, place, change)
    const written = await write(hub, call, { request, desk, place, change })
    if (written) return describe(hub, written, desk, place)
  }
}

function mustHaveTags(desk: Desk, place: number, { target }: SegmentCorrection): void {
  const { tags } = desk.at(place)
  const at = target.findIndex((piece) => typeof piece !== 'string' && piece.tag > tags.length)
  if (at < 0) return
  const [path, message] = [`target[${at}].tag`, `the segment has ${tags.length} tags`]
  throw new HubError(
    'INVALID_REQUEST',
    { because: `${path}: ${message}.` },
    { details: [{ path, message }] },
  )
}

export function mustBeInReview({ request_id: requestId, status }: OneRequest): void {
  if (status !== 'REVIEW_TRANSLATION')
    throw new HubError('REQUEST_NOT_IN_REVIEW', { requestId, status })
}

type Writing = {
  readonly request: OneRequest
  readonly desk: Desk
  readonly place: number
  readonly change: SegmentCorrection
}

/** Undefined if something else was delivered while the segment was read. */
async function write(
  hub: Hub,
  call: Call,
  { request, desk, place, change }: Writing,
): Promise<OneRequest | undefined> {
  const path = pathOf(request)
  const outcome = await hub.db.transact(async (tx) => {
    const job = await mustAllow(tx, path.siteId, path.jobId, 'reviewRequests')
    await lockRequest(tx, path)
    const fresh = await mustFindRequest(tx, path.siteId, path.jobId, path.requestId)
    if (fresh.desk_version !== request.desk_version) return undefined
    mustBeInReview(fresh)
    const version = fresh.desk_version ?? 0
    if (change.version !== version) return { fresh, version }
    const segment = desk.at(place)
    const { segmentId } = segment
    const [drafts, known] = await Promise.all([
      readDrafts(tx, path, [segmentId]),
      readCorrections(hub, path, [segmentId], tx),
    ])
    const delivered = targetOf(segment, deliveredOnly(draftsById(hub, drafts).get(segmentId)))
    const target = joined(change.target)
    const text = isSameTarget(target, delivered) ? null : JSON.stringify(target)
    const bytes = Buffer.byteLength(text ?? '')
    await storeBytes(hub, tx, call.caller, bytes - (known.get(segmentId)?.bytes ?? 0))
    await writeCorrection(tx, {
      ...{ site_id: path.siteId, job_id: path.jobId, request_id: path.requestId },
      segment_id: segmentId,
      target: sealNote(hub, text),
      base_version: version,
      ...{ delivered: null, delivered_by: null, bytes },
      changed_by: creatorOf(call.caller),
      by_person: call.caller.person ? 1 : 0,
      changed_at: hub.clock.now(),
    })
    await touchJob({ hub, tx }, job)
    return { fresh }
  })
  if (!outcome) return undefined
  const { fresh, version } = outcome
  if (version === undefined) return fresh
  const current = await describe(hub, fresh, desk, place)
  throw new HubError('VERSION_CONFLICT', { sent: change.version, version }, { also: { current } })
}

async function describe(
  hub: Hub,
  request: OneRequest,
  desk: Desk,
  place: number,
  db: Db = hub.db.read,
): Promise<ReviewedSegment> {
  const path = pathOf(request)
  const segment = desk.at(place)
  const { segmentId, unit } = segment
  const drafts = draftsById(hub, await readDrafts(db, path, [segmentId]))
  const correction = (await readCorrections(hub, path, [segmentId], db)).get(segmentId)
  const draft = deliveredOnly(drafts.get(segmentId))
  const target = isWaiting(correction, request) ? correction.target : targetOf(segment, draft)
  const [checked = { checks: [] }] = await checkSegments(hub, request, {
    confirmed: target ? [{ segment, target }] : [],
    targets: [target],
    among: { path, desk, drafts, side: 'connector', some: [{ segment, place }] },
  })
  const former = (await formerTargets(hub, request, [unit])).get(unit)
  const placed = { segment, position: place + 1, draft, desk: request, former, correction }
  return describeSegment(placed, 'connector', checked)
}
