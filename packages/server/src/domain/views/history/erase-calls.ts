/**
 * The task that takes the bodies of a deleted job's calls out of the call log, once the calls under
 * way are in it.
 */
import type { Hub } from '../../../hub.ts'
import { eraseBodies } from '../../../store/erased-rows.ts'
import type { Task } from '../../../store/tasks/hold-tasks.ts'

export async function eraseCallsOfJob(hub: Hub, task: Task): Promise<'done'> {
  const { siteId, jobId } = task.payload as { siteId: string; jobId: string }
  while ((await hub.db.transact((tx) => eraseBodies(hub.vault, tx, siteId, jobId))) > 0);
  return 'done'
}
