/**
 * Changes the due date or the description of a submitted job, and tells its provider and those who
 * hold work of it.
 */
import { formatTime, type Job, type JobPlan } from '@dragoman/contract'
import type { Hub } from '../../../hub.ts'
import type { Call } from '../../access/caller.ts'
import { openNote } from '../../files/seals/notes.ts'
import { announce } from '../../listeners/announce.ts'
import { withDueTime } from '../../settings/site-settings.ts'
import { describeJob } from '../describe-job.ts'
import { mustAllow } from '../find-job.ts'
import { touchJob } from '../job-activity.ts'
import { fieldsOf } from '../job-fields.ts'
import { queueHolders, selectHolders } from '../queue-mail.ts'

export function planJob(
  hub: Hub,
  call: Call,
  jobId: string,
  { dueDate, description }: JobPlan,
): Promise<Job> {
  return hub.db.transact(async (tx) => {
    const job = await mustAllow(tx, call.caller.siteId, jobId, 'planJob')
    const given = {
      ...(dueDate !== undefined && { dueDate }),
      ...(description !== undefined && { description }),
    }
    const columns = fieldsOf(hub, await withDueTime(tx, call.caller.siteId, given))
    const isDue = columns.due_at === undefined || columns.due_at === job.due_at
    const isSaid = description === undefined || description === openNote(hub, job.description)
    if (isDue && isSaid) return describeJob(hub, job)
    const change = { hub, tx, causeId: call.traceId }
    const planned = await touchJob(change, job, columns)
    await announce(change, [
      {
        kind: 'job',
        job: planned,
        status: planned.status,
        archived: false,
        deleted: false,
        only: 'provider',
        ...(planned.due_at !== null && { dueDate: formatTime(planned.due_at) }),
      },
    ])
    const holders = await selectHolders(change, planned)
    await queueHolders(change, planned, 'planned', {
      holders,
      but: call.caller.person?.personId,
    })
    return describeJob(hub, planned)
  })
}
