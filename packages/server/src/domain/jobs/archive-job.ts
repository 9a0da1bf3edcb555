/**
 * Archive and unarchive: the call writes ARCHIVING or UNARCHIVING and a task in one transaction; the task ends the move.
 * A job on which nothing happened for the configured time is archived by itself, at its own estimatedArchivalDate.
 */
import type { Job } from '@dragoman/contract'
import type { Change, Hub } from '../../hub.ts'
import type { JobRow } from '../../store/tables.ts'
import { addTasks } from '../../store/tasks/add-tasks.ts'
import { finishTask, type Task } from '../../store/tasks/hold-tasks.ts'
import type { Call } from '../access/caller.ts'
import { describeJob } from './describe-job.ts'
import { lockJob } from './find-job.ts'
import { activity } from './job-activity.ts'
import { firstArchival, selectIdleJobs, selectJobLocked } from './job-rows.ts'
import { moveArchive } from './move.ts'

export const archiveTasks = { archive: 'archive-job', unarchive: 'unarchive-job' } as const
type Way = keyof typeof archiveTasks
type Payload = { siteId: string; jobId: string }

export const archiveJob = (hub: Hub, call: Call, jobId: string): Promise<Job> => begin(hub, call, jobId, 'archive')
export const unarchiveJob = (hub: Hub, call: Call, jobId: string): Promise<Job> => begin(hub, call, jobId, 'unarchive')

function begin(hub: Hub, call: Call, jobId: string, way: Way): Promise<Job> {
  return hub.engine.transact(async (tx) => {
    const job = await lockJob(tx, call.caller.siteId, jobId)
    return describeJob(await set({ hub, tx, causeId: call.traceId }, job, way))
  })
}

async function set(change: Change, job: JobRow, way: Way): Promise<JobRow> {
  const { hub, tx, causeId } = change
  const moved = await moveArchive(change, job, way, { modified_at: hub.clock.now() })
  if (moved === job) return job
  const payload: Payload = { siteId: job.site_id, jobId: job.job_id }
  const now = hub.clock.now()
  await addTasks(hub.engine, tx, now, [
    { name: archiveTasks[way], payload, siteId: job.site_id, key: `${way}:${job.job_id}`, dueAt: now, causeId },
  ])
  return moved
}

export const finishArchiving = (hub: Hub, task: Task): Promise<'settled'> => finish(hub, task, 'archived')
export const finishUnarchiving = (hub: Hub, task: Task): Promise<'settled'> => finish(hub, task, 'unarchived')

/** The task's own end and the job's last move are one transaction: done once, by whoever holds the lease. */
async function finish(hub: Hub, task: Task, on: 'archived' | 'unarchived'): Promise<'settled'> {
  const { siteId, jobId } = task.payload as Payload
  await hub.engine.transact(async (tx) => {
    await finishTask(tx, task)
    const job = await selectJobLocked(tx, siteId, jobId)
    // Deleted meanwhile: there is nothing left to move.
    if (!job) return
    // Unarchiving counts as activity (contract, section 11).
    const also = on === 'unarchived' ? activity(hub) : { modified_at: hub.clock.now() }
    await moveArchive({ hub, tx, causeId: `task:${task.taskId}` }, job, on, also)
  })
  return 'settled'
}

const batch = 100

/** Begins the archival of every job whose time has come; gives back when the next one is due. */
export async function archiveIdleJobs(hub: Hub, causeId: string): Promise<number | undefined> {
  for (;;) {
    const now = hub.clock.now()
    const idle = await selectIdleJobs(hub.engine.read, now, batch)
    if (idle.length === 0) return firstArchival(hub.engine.read)
    await hub.engine.transact(async (tx) => {
      for (const { site_id, job_id } of idle) {
        const job = await selectJobLocked(tx, site_id, job_id)
        // Somebody may have touched it since it was listed.
        if (job && job.archive_status === 'ACTIVE' && job.archival_at <= now)
          await set({ hub, tx, causeId }, job, 'archive')
      }
    })
  }
}
