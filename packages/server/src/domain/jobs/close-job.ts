/** Completes a job, which then accepts no more translations, and reopens a completed one. */
import type { Job, JobMove } from '@dragoman/contract'
import type { Hub } from '../../hub.ts'
import type { Call } from '../access/caller.ts'
import { describeJob } from './describe-job.ts'
import { mustAllow } from './find-job.ts'
import { activity } from './job-activity.ts'
import { moveJob } from './move.ts'
import { queueCompleted } from './queue-mail.ts'

export const completeJob = (hub: Hub, call: Call, jobId: string): Promise<Job> =>
  close(hub, call, jobId, 'complete')
export const reopenJob = (hub: Hub, call: Call, jobId: string): Promise<Job> =>
  close(hub, call, jobId, 'reopen')

function close(hub: Hub, call: Call, jobId: string, on: JobMove): Promise<Job> {
  return hub.db.transact(async (tx) => {
    const job = await mustAllow(tx, call.caller.siteId, jobId, 'moveJob')
    const change = { hub, tx, causeId: call.traceId }
    const moved = await moveJob(change, job, on, activity(hub))
    if (on === 'complete' && moved !== job) await queueCompleted(change, moved)
    return describeJob(hub, moved)
  })
}
