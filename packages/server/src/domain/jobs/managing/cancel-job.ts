/**
 * Cancels a submitted job: every request that is not approved, through the table of moves. A
 * provider may do so as well (handover/provider-jobs.ts).
 */
import {
  type Cancellation,
  findMove,
  isAlready,
  type Job,
  jobMoves,
  requestMoves,
} from '@dragoman/contract'
import type { Change, Hub } from '../../../hub.ts'
import type { JobRow } from '../../../store/tables.ts'
import type { Call } from '../../access/caller.ts'
import { announce } from '../../listeners/announce.ts'
import { recordUpdate } from '../../listeners/updates/record.ts'
import { writeComment } from '../comments/write-comment.ts'
import { describeJob } from '../describe-job.ts'
import { mustAllow } from '../find-job.ts'
import { activity } from '../job-activity.ts'
import { moveJob } from '../move.ts'
import { queueHolders, selectHolders } from '../queue-mail.ts'
import { moveBatchSize, moveRequests } from '../requests/move-requests.ts'
import { readMovable } from '../requests/requests-of-job.ts'

export function cancelJob(
  hub: Hub,
  call: Call,
  jobId: string,
  { note }: Cancellation = {},
): Promise<Job> {
  return hub.db.transact(async (tx) => {
    const change = { hub, tx, causeId: call.traceId }
    const job = await mustAllow(tx, call.caller.siteId, jobId, 'moveJob')
    if (isAlready(jobMoves, job.status, 'cancel')) return describeJob(hub, job)
    const holders = await selectHolders(change, job)
    if (note !== undefined)
      await writeComment(change, call, job, { kind: 'NOTE', to: 'TEAM', text: note })
    const cancelled = await moveJob(
      change,
      await cancelRequests(change, job),
      'cancel',
      activity(hub),
    )
    const but = call.caller.person?.personId
    await queueHolders(change, cancelled, 'cancelled', { holders, but })
    return describeJob(hub, cancelled)
  })
}

/**
 * Cancels every request that can be cancelled, in batches with one update each. The job is
 * cancelled with the last one.
 */
export async function cancelRequests(change: Change, job: JobRow): Promise<JobRow> {
  // A job that cannot be cancelled loses no request.
  if (!findMove(jobMoves, job.status, 'cancel')) return job
  const all = await readMovable(change.tx, job.site_id, job.job_id, {
    after: 0,
    limit: Number.MAX_SAFE_INTEGER,
  })
  const moving = all
    .filter(({ status }) => findMove(requestMoves, status, 'cancel'))
    .map((request) => ({ request }))
  let now = job
  for (let from = 0; from < moving.length; from += moveBatchSize)
    now = (
      await moveRequests(change, now, moving.slice(from, from + moveBatchSize), { on: 'cancel' })
    ).job
  if (moving.length === 0) await announceCancelledJob(change, job)
  return now
}

/**
 * Without a request to cancel, the update about the cancelled job names no request. The move itself
 * notifies JOB listeners.
 */
async function announceCancelledJob(change: Change, job: JobRow): Promise<void> {
  const about = { job, requestIds: [], status: 'CANCELLED' } as const
  const sequence = await recordUpdate(change, about)
  await announce(change, [{ kind: 'requests', ...about, isError: false, sequence }])
}
