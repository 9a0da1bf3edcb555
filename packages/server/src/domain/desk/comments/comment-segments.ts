/**
 * Comments and questions of a job by either side. A question may name a segment; its answer stands
 * at every segment of the job with the same source.
 */
import {
  type Comment,
  type CommentAnswer,
  type CommentsQuery,
  HubError,
  type NewComment,
} from '@dragoman/contract'
import type { Hub } from '../../../hub.ts'
import type { Db } from '../../../store/database.ts'
import type { Page } from '../../../store/page.ts'
import type { Call } from '../../access/caller.ts'
import { once } from '../../access/once.ts'
import { lockProviderJob, reachProviderJob } from '../../handover/provider-jobs.ts'
import { findComment, pageOf } from '../../jobs/comments/list-comments.ts'
import {
  answerQuestion,
  type CommentSide,
  writeComment,
} from '../../jobs/comments/write-comment.ts'
import { checkAct, mustAllow } from '../../jobs/find-job.ts'
import { mustReach } from '../../jobs/job-activity.ts'
import { mustFindRequest } from '../../jobs/requests/find-request.ts'
import { isWork } from '../../jobs/work.ts'
import { mustFindSegment } from '../list-segments.ts'
import { openDesk } from '../open-desk.ts'
import { sourceDigest } from './segment-comments.ts'

/** With a provider, its side of the job. */
export type CommentedJob = { readonly jobId: string; readonly providerId?: string }

const sideOf = ({ providerId }: CommentedJob): CommentSide =>
  providerId === undefined ? 'connector' : 'provider'

const reach = (hub: Hub, call: Call, { providerId, jobId }: CommentedJob): Promise<unknown> =>
  providerId === undefined
    ? mustReach(hub.db.read, call.caller.siteId, jobId)
    : reachProviderJob(hub, call, providerId, jobId)

const lockFor = async (tx: Db, call: Call, { providerId, jobId }: CommentedJob) => {
  if (providerId === undefined) return mustAllow(tx, call.caller.siteId, jobId, 'comment')
  const job = await lockProviderJob(tx, call, providerId, jobId)
  checkAct(job, 'comment')
  return job
}

export async function listJobComments(
  hub: Hub,
  call: Call,
  at: CommentedJob,
  asked: CommentsQuery,
): Promise<Page<Comment>> {
  await reach(hub, call, at)
  return pageOf(hub, call, { jobId: at.jobId, side: sideOf(at) }, asked)
}

export async function createComment(
  hub: Hub,
  call: Call,
  at: CommentedJob,
  asked: NewComment,
): Promise<Comment> {
  await reach(hub, call, at)
  const digest = await digestAsked(hub, call, at, asked)
  return once(hub, call, async (tx) => {
    const job = await lockFor(tx, call, at)
    const change = { hub, tx, causeId: call.traceId }
    const about = { ...asked, side: sideOf(at), ...(digest !== undefined && { digest }) }
    const { comment_id: commentId } = await writeComment(change, call, job, about)
    return findComment(hub, tx, { siteId: job.site_id, jobId: job.job_id }, commentId)
  })
}

/** Of the source of the segment; the request and the segment must be there. */
async function digestAsked(
  hub: Hub,
  call: Call,
  { jobId }: CommentedJob,
  { requestId, segmentId }: NewComment,
): Promise<string | undefined> {
  if (requestId === undefined) {
    if (segmentId === undefined) return undefined
    const message = 'is required where segmentId is given'
    throw new HubError(
      'INVALID_REQUEST',
      { because: `requestId ${message}.` },
      { details: [{ path: 'requestId', message }] },
    )
  }
  const request = await mustFindRequest(hub.db.read, call.caller.siteId, jobId, requestId)
  if (!(await isWork(hub, call, { params: { jobId, requestId } })))
    throw new HubError('REQUEST_NOT_FOUND', { requestId })
  if (segmentId === undefined) return undefined
  const desk = await openDesk(hub, request)
  return sourceDigest(hub, jobId, desk.at(mustFindSegment(desk, segmentId)).source)
}

export function answerComment(
  hub: Hub,
  call: Call,
  { commentId, ...at }: CommentedJob & { readonly commentId: string },
  { answer: { text } }: CommentAnswer,
): Promise<Comment> {
  return hub.db.transact(async (tx) => {
    const job = await lockFor(tx, call, at)
    const change = { hub, tx, causeId: call.traceId }
    await answerQuestion(change, call, job, { commentId, text, side: sideOf(at) })
    return findComment(hub, tx, { siteId: job.site_id, jobId: job.job_id }, commentId)
  })
}
