/**
 * Writes a comment into a job, and answers a question. Both sides read what is to the connector or
 * what the connector's side wrote; what a provider's team says among itself, only that team.
 */
import { HubError, type NewComment } from '@dragoman/contract'
import type { Change } from '../../../hub.ts'
import { newId } from '../../../store/ids.ts'
import type { CommentRow, JobRow } from '../../../store/tables.ts'
import { type Call, creatorOf } from '../../access/caller.ts'
import { mustFit } from '../../access/quota.ts'
import { storeBytes } from '../../access/site-bytes.ts'
import { sealNote } from '../../files/seals/notes.ts'
import { announce } from '../../listeners/announce.ts'
import { touchJob } from '../job-activity.ts'
import { queueMail, queueNews } from '../queue-mail.ts'
import { insertComment, lockComment, measureComments, writeAnswer } from './comment-rows.ts'

export type CommentSide = CommentRow['side']

/** `digest`: of the source of its segment. */
export type Writing = NewComment & {
  readonly side?: CommentSide
  readonly digest?: string
}

/** The caller has locked the job. */
export async function writeComment(
  change: Change,
  call: Call,
  job: JobRow,
  { kind, to, requestId, segmentId, text, digest, side = 'connector' }: Writing,
): Promise<CommentRow> {
  const { hub, tx } = change
  const at = { siteId: job.site_id, jobId: job.job_id }
  const { count, last } = await measureComments(tx, at)
  mustFit(call.caller, 'MaxCommentsPerJob', count)
  const row: CommentRow = {
    comment_id: newId(),
    site_id: job.site_id,
    job_id: job.job_id,
    position: last + 1,
    kind,
    addressee: to,
    side,
    request_id: requestId ?? null,
    segment_id: segmentId ?? null,
    source_digest: digest ?? null,
    text: sealNote(hub, text),
    bytes: Buffer.byteLength(text),
    written_by: creatorOf(call.caller),
    created_at: hub.clock.now(),
    answer: null,
    answered_by: null,
    answered_at: null,
  }
  await storeBytes(hub, tx, call.caller, row.bytes)
  await insertComment(tx, row)
  await touchJob(change, job)
  if (kind === 'QUESTION') {
    await announce(change, [eventOf(job, row, 'asked')])
    const { site_id: siteId, job_id: jobId, comment_id: commentId } = row
    const news = { kind: 'question', siteId, jobId, commentId, to, but: row.written_by } as const
    await queueNews(change, news)
  }
  return row
}

const eventOf = (job: JobRow, row: CommentRow, what: 'asked' | 'answered') =>
  ({
    kind: 'comment',
    what,
    job,
    commentId: row.comment_id,
    ...(row.request_id !== null && { requestId: row.request_id }),
    ...(row.segment_id !== null && { segmentId: row.segment_id }),
    ...(!isShared(row) && { only: 'provider' as const }),
  }) as const

/** Whether both sides see it. */
export const isShared = ({ addressee, side }: Pick<CommentRow, 'addressee' | 'side'>): boolean =>
  addressee === 'CONNECTOR' || side === 'connector'

type Answering = { readonly commentId: string; readonly text: string; readonly side: CommentSide }

/** The caller has locked the job. */
export async function answerQuestion(
  change: Change,
  call: Call,
  job: JobRow,
  { commentId, text, side }: Answering,
): Promise<CommentRow> {
  const { hub, tx } = change
  const at = { siteId: job.site_id, jobId: job.job_id }
  const found = await lockComment(tx, at, commentId)
  if (!found || (side === 'connector' && !isShared(found)))
    throw new HubError('COMMENT_NOT_FOUND', { commentId })
  if (found.kind !== 'QUESTION') throw new HubError('NOT_A_QUESTION', { commentId })
  const isToConnector = found.addressee === 'CONNECTOR'
  if (isToConnector !== (side === 'connector'))
    throw new HubError('FORBIDDEN', {
      because: isToConnector
        ? 'the question is to the connector, who answers it.'
        : 'the question is to the team, who answers it.',
    })
  if (found.answered_at !== null) throw new HubError('COMMENT_ANSWERED', { commentId })
  const answer = {
    answer: sealNote(hub, text),
    answered_by: creatorOf(call.caller),
    answered_at: hub.clock.now(),
    bytes: Number(found.bytes) + Buffer.byteLength(text),
  }
  await storeBytes(hub, tx, call.caller, Buffer.byteLength(text))
  await writeAnswer(tx, at, commentId, answer)
  await touchJob(change, job)
  const row = { ...found, ...answer }
  await announce(change, [eventOf(job, row, 'answered')])
  const { written_by: personId } = found
  if (personId !== row.answered_by)
    await queueMail(change, [{ kind: 'answered', ...at, commentId, personId }])
  return row
}
