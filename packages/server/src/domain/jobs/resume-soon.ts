/**
 * The task that continues what a provider's driver had begun when its job was archived or
 * completed. It is added when the job can be worked on again; what it does is the work of the
 * hand-over.
 */
import type { Change } from '../../hub.ts'
import type { JobRow } from '../../store/tables.ts'
import { addTasks } from '../../store/tasks/add-tasks.ts'

export const resumeTask = 'resume-work'

export async function resumeSoon(
  { hub, tx, causeId }: Change,
  {
    site_id: siteId,
    job_id: jobId,
    provider_id,
  }: Pick<JobRow, 'site_id' | 'job_id' | 'provider_id'>,
): Promise<void> {
  if (provider_id === null) return
  const now = hub.clock.now()
  const payload = { siteId, jobId }
  await addTasks(hub.db, tx, now, [
    { name: resumeTask, payload, siteId, key: `resume:${jobId}`, dueAt: now, causeId },
  ])
}
