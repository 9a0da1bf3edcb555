/** Removes a job with everything in it: its rows now, the bytes of its files in a task. */
import type { Change } from '../../hub.ts'
import type { JobRow } from '../../store/tables.ts'
import { addTasks } from '../../store/tasks/add-tasks.ts'
import { countBytes } from '../access/site-bytes.ts'
import { dropFiles, fileBytesOf } from '../files/expire.ts'
import { announce } from '../listeners/announce.ts'
import { closeUpdates } from '../listeners/updates/updates.ts'
import { removeJob, selectJobLocked, sumContentBytes } from './job-rows.ts'
import { leaveSoon } from './sent-on.ts'

/** Takes what the calls of the job said out of the call log. */
export const eraseTask = 'erase-calls'
const loggedMs = 60_000

/** Removes a job of a site that is being removed. Listeners are not notified. */
export async function removeJobOf(change: Change, siteId: string, jobId: string): Promise<void> {
  if (await selectJobLocked(change.tx, siteId, jobId)) await drop(change, siteId, jobId)
}

/** Removes a job that the caller has locked, and notifies its listeners. */
export async function removeLockedJob(change: Change, job: JobRow): Promise<void> {
  const { hub, tx } = change
  const { site_id: siteId, job_id: jobId } = job
  await announce(change, [
    { kind: 'job', job, status: job.status, isError: false, archived: false, deleted: true },
  ])
  await leaveSoon(change, job, true)
  await closeUpdates(hub, tx, siteId, jobId)
  await drop(change, siteId, jobId)
  // Not at once: calls under way, on every node, are written to the log a moment later.
  const dueAt = hub.clock.now() + loggedMs
  await addTasks(hub.db, tx, hub.clock.now(), [
    {
      name: eraseTask,
      payload: { siteId, jobId },
      key: `${eraseTask}:${jobId}`,
      dueAt,
      causeId: change.causeId,
    },
  ])
}

async function drop(change: Change, siteId: string, jobId: string): Promise<void> {
  const { hub, tx } = change
  await dropFiles(change, siteId, jobId)
  const storedBytes =
    (await sumContentBytes(tx, siteId, jobId)) + (await fileBytesOf(tx, siteId, jobId))
  await countBytes(hub.db, tx, siteId, -storedBytes)
  await removeJob(tx, siteId, jobId)
}
