/**
 * Archives and unarchives jobs. The call writes ARCHIVING or UNARCHIVING and adds a task in one
 * transaction; the task makes the final move. A job without activity for the configured time is
 * archived automatically at its estimatedArchivalDate.
 */
import { archiveMoves, findMove, type Job } from '@dragoman/contract'
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
type Direction = keyof typeof archiveTasks
type Payload = { siteId: string; jobId: string }

export const archiveJob = (hub: Hub, call: Call, jobId: string): Promise<Job> =>
  begin(hub, call, jobId, 'archive')
export const unarchiveJob = (hub: Hub, call: Call, jobId: string): Promise<Job> =>
  begin(hub, call, jobId, 'unarchive')

function begin(hub: Hub, call: Call, jobId: string, direction: Direction): Promise<Job> {
  return hub.db.transact(async (tx) => {
    const job = await lockJob(tx, call.caller.siteId, jobId)
    return describeJob(hub, await start({ hub, tx, causeId: call.traceId }, job, direction))
  })
}

async function start(change: Change, job: JobRow, direction: Direction): Promise<JobRow> {
  const { hub, tx, causeId } = change
  const moved = await moveArchive(change, job, direction, { modified_at: hub.clock.now() })
  if (moved === job) return job
  const payload: Payload = { siteId: job.site_id, jobId: job.job_id }
  const now = hub.clock.now()
  await addTasks(hub.db, tx, now, [
    {
      name: archiveTasks[direction],
      payload,
      siteId: job.site_id,
      key: `${direction}:${job.job_id}`,
      dueAt: now,
      causeId,
    },
  ])
  return moved
}

export const finishArchiving = (hub: Hub, task: Task): Promise<'settled'> =>
  finish(hub, task, 'archived')
export const finishUnarchiving = (hub: Hub, task: Task): Promise<'settled'> =>
  finish(hub, task, 'unarchived')

/**
 * Finishes the task and makes the job's final move in one transaction, so the move happens exactly
 * once.
 */
async function finish(hub: Hub, task: Task, on: 'archived' | 'unarchived'): Promise<'settled'> {
  const { siteId, jobId } = task.payload as Payload
  await hub.db.transact(async (tx) => {
    await finishTask(tx, task)
    const job = await selectJobLocked(tx, siteId, jobId)
    // The job was deleted in the meantime.
    if (!job) return
    // Unarchiving counts as activity (contract, section 11).
    const also = on === 'unarchived' ? activity(hub) : { modified_at: hub.clock.now() }
    await moveArchive({ hub, tx, causeId: `task:${task.taskId}` }, job, on, also)
  })
  return 'settled'
}

const batch = 100

/** Starts archiving every job that is due, and returns when the next one is due. */
export async function archiveIdleJobs(hub: Hub, causeId: string): Promise<number | undefined> {
  for (;;) {
    const now = hub.clock.now()
    const idle = await selectIdleJobs(hub.db.read, now, batch)
    if (idle.length === 0) return firstArchival(hub.db.read)
    await hub.db.transact(async (tx) => {
      for (const { site_id, job_id } of idle) {
        const job = await selectJobLocked(tx, site_id, job_id)
        // The job may have changed since it was listed.
        if (job && findMove(archiveMoves, job.archive_status, 'archive') && job.archival_at <= now)
          await start({ hub, tx, causeId }, job, 'archive')
      }
    })
  }
}
