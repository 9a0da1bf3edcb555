/**
 * What a reviewer says of a segment. A rejection of the request joins the notes into its own
 * (requests/review-notes.ts).
 */
import { HubError, type ReviewedSegment, type SegmentReview } from '@dragoman/contract'
import type { RiskText } from '@dragoman/text/risk'
import type { Hub } from '../../hub.ts'
import type { DraftRow } from '../../store/tables.ts'
import { type Call, creatorOf } from '../access/caller.ts'
import { measureVerdict, plainText, teach } from '../engines/quality/learn-risk.ts'
import { sealNote } from '../files/seals/notes.ts'
import { mustAllow } from '../jobs/find-job.ts'
import { mustReach } from '../jobs/job-activity.ts'
import { formerTargets } from '../jobs/requests/deliveries/former-targets.ts'
import { mustFindRequest } from '../jobs/requests/find-request.ts'
import type { OneRequest } from '../jobs/requests/request.ts'
import { checkSegments } from './check-desk.ts'
import { readCorrections } from './corrections/read-corrections.ts'
import {
  type Draft,
  deliveredOnly,
  describeSegment,
  draftsById,
  emptyRow,
  isSameTarget,
  openDraft,
} from './describe-segment.ts'
import type { DeskSegment } from './desk-segments.ts'
import { mustFindSegment } from './list-segments.ts'
import { type Desk, openDesk } from './open-desk.ts'
import { isMajor } from './plans/is-major.ts'
import { selectDrafts, writeReview } from './segment-rows.ts'
import { pathOf } from './walk-desk.ts'

type OneSegment = { readonly jobId: string; readonly requestId: string; readonly segmentId: string }

export async function reviewSegment(
  hub: Hub,
  call: Call,
  { jobId, requestId, segmentId }: OneSegment,
  review: SegmentReview,
): Promise<ReviewedSegment> {
  const { siteId } = call.caller
  await mustReach(hub.db.read, siteId, jobId)
  for (;;) {
    const request = await mustFindRequest(hub.db.read, siteId, jobId, requestId)
    const judged = await judge(hub, call, { request, segmentId, review })
    if (judged) return judged
  }
}

type Judging = {
  readonly request: OneRequest
  readonly segmentId: string
  readonly review: SegmentReview
}

/** Undefined if something else was delivered while the segment was read. */
async function judge(
  hub: Hub,
  call: Call,
  { request, segmentId, review: { version: seen, ...review } }: Judging,
): Promise<ReviewedSegment | undefined> {
  const { site_id: siteId, job_id: jobId, request_id: requestId } = request
  const desk = await openDesk(hub, request)
  const at = mustFindSegment(desk, segmentId)
  const segment = desk.at(at)
  const former = (await formerTargets(hub, request, [segment.unit])).get(segment.unit)
  const { target } = segment
  const drafts = draftsById(hub, await selectDrafts(hub.db.read, pathOf(request), [segmentId]))
  const [checked = { checks: [] }] = await checkSegments(hub, request, {
    confirmed: target ? [{ segment, target }] : [],
    targets: [target],
    among: {
      ...{ path: pathOf(request), desk, drafts, side: 'connector' },
      some: [{ segment, place: at }],
    },
  })
  const place = { site_id: siteId, job_id: jobId, request_id: requestId, segment_id: segmentId }
  const { source_language: sourceLanguage, target_language: targetLanguage } = request
  const taught = await measureVerdict(
    hub,
    { place, languages: { sourceLanguage, targetLanguage } },
    machineText(desk, segment, drafts.get(segmentId)),
    isMajor(review),
  )
  return hub.db.transact(async (tx) => {
    await mustAllow(tx, siteId, jobId, 'reviewRequests')
    const fresh = await mustFindRequest(tx, siteId, jobId, requestId)
    if (fresh.desk_version !== request.desk_version) return undefined
    const [known] = await selectDrafts(tx, pathOf(request), [segmentId])
    const correction = (await readCorrections(hub, pathOf(request), [segmentId], tx)).get(segmentId)
    const described = (row: DraftRow | undefined) => {
      const draft = row && deliveredOnly(openDraft(hub, row))
      const placed = { segment, position: at + 1, draft, desk: fresh, correction }
      return describeSegment({ ...placed, former }, 'connector', checked)
    }
    const version = fresh.desk_version ?? 0
    if (seen !== undefined && seen !== version)
      throw new HubError(
        'VERSION_CONFLICT',
        { sent: seen, version },
        { also: { current: described(known) } },
      )
    const { status } = fresh
    if (status !== 'REVIEW_TRANSLATION')
      throw new HubError('REQUEST_NOT_IN_REVIEW', { requestId, status })
    const place = { at: segment.key ?? String(at + 1), position: at + 1 }
    const over = known?.version ?? 0
    const row: DraftRow = {
      ...emptyRow(pathOf(request), segmentId),
      ...{
        changed_by: creatorOf(call.caller),
        by_person: call.caller.person ? 1 : 0,
        changed_at: hub.clock.now(),
      },
      ...known,
      review: sealNote(hub, JSON.stringify({ ...review, ...place, over })),
    }
    await writeReview(tx, row)
    await teach({ hub, tx, causeId: call.traceId }, taught)
    return described(row)
  })
}

/**
 * The texts, if the delivered one is what an engine wrote: a verdict on a person's text says nothing
 * about engines.
 */
function machineText(
  desk: Desk,
  { source, target, suggested, machine }: DeskSegment,
  draft: Draft | undefined,
): RiskText | undefined {
  if (!machine || machine.origin === 'MEMORY') return undefined
  const delivered = desk.showsMachine ? target : (draft?.delivered ?? target)
  const isMachines =
    desk.showsMachine || (desk.knowsSuggestions && isSameTarget(delivered, suggested))
  return delivered && isMachines
    ? { source: plainText(source), target: plainText(delivered) }
    : undefined
}
