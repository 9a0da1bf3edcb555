/**
 * What a reviewer says of a segment. A rejection of the request joins the notes into its own
 * (requests/review-notes.ts).
 */
import { HubError, type ReviewedSegment, type SegmentReview } from '@dragoman/contract'
import type { Hub } from '../../hub.ts'
import type { DraftRow } from '../../store/tables.ts'
import { type Call, creatorOf } from '../access/caller.ts'
import { sealNote } from '../files/seals/notes.ts'
import { mustAllow } from '../jobs/find-job.ts'
import { mustReach } from '../jobs/job-activity.ts'
import { mustFindRequest } from '../jobs/requests/find-request.ts'
import { openChecker } from './check-desk.ts'
import { deliveredOnly, describeSegment, openDraft } from './describe-segment.ts'
import type { DeskSegment } from './desk-segments.ts'
import { mustFindSegment, pathOf } from './list-segments.ts'
import { openDesk } from './open-desk.ts'
import { selectDrafts, writeReview } from './segment-rows.ts'

type OneSegment = { readonly jobId: string; readonly requestId: string; readonly segmentId: string }

export async function reviewSegment(
  hub: Hub,
  call: Call,
  { jobId, requestId, segmentId }: OneSegment,
  review: SegmentReview,
): Promise<ReviewedSegment> {
  const { siteId } = call.caller
  await mustReach(hub.db.read, siteId, jobId)
  const request = await mustFindRequest(hub.db.read, siteId, jobId, requestId)
  const segments = await openDesk(hub, request)
  const at = mustFindSegment(segments, segmentId)
  const segment = segments[at] as DeskSegment
  const { target } = segment
  const checker = await openChecker(hub, request, target ? [{ segment, target }] : [])
  const checked = await checker(segment, target)
  return hub.db.transact(async (tx) => {
    await mustAllow(tx, siteId, jobId, 'reviewRequests')
    const { status } = await mustFindRequest(tx, siteId, jobId, requestId)
    if (status !== 'REVIEW_TRANSLATION')
      throw new HubError('REQUEST_NOT_IN_REVIEW', { requestId, status })
    const [known] = await selectDrafts(tx, pathOf(request), [segmentId])
    const row: DraftRow = {
      ...{ site_id: siteId, job_id: jobId, request_id: requestId, segment_id: segmentId },
      ...{
        target: null,
        state: 'TRANSLATED',
        version: 0,
        bytes: 0,
        delivered: null,
        previous: null,
        kept: null,
        spent_ms: 0,
      },
      ...{
        changed_by: creatorOf(call.caller),
        by_person: call.caller.person ? 1 : 0,
        changed_at: hub.clock.now(),
      },
      ...known,
      review: sealNote(hub, JSON.stringify({ ...review, at: segment.key ?? String(at + 1) })),
    }
    await writeReview(tx, row)
    return describeSegment(
      { segment, position: at + 1, draft: deliveredOnly(openDraft(hub, row)) },
      'connector',
      checked,
    )
  })
}
