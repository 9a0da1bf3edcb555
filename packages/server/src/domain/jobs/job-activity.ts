/** What every change inside a job writes to the job itself, and whether what is in it may be read. */
import { addDuration } from '@dragoman/contract'
import type { Change, Hub } from '../../hub.ts'
import type { Db } from '../../store/engine.ts'
import type { JobRow } from '../../store/tables.ts'
import { checkAct, mustFindJob } from './find-job.ts'
import { type RowChange, updateJob } from './job-rows.ts'

/** The columns that every change of a job writes: its last activity, and with it the day of archival. */
export function activity(hub: Hub) {
  const now = hub.clock.now()
  return { modified_at: now, activity_at: now, archival_at: addDuration(now, hub.config.archiveAfter) }
}

/** In the transaction of every change inside the job; `also` are columns that change with it. No status: see move.ts. */
export function touchJob(
  { hub, tx }: Pick<Change, 'hub' | 'tx'>,
  { site_id, job_id }: Pick<JobRow, 'site_id' | 'job_id'>,
  also: Omit<RowChange, 'status' | 'archive_status' | 'archived'> = {},
): Promise<JobRow> {
  return updateJob(tx, site_id, job_id, { ...activity(hub), ...also })
}

/** The job, when what is in it may be read: an archived one answers JOB_ARCHIVED. */
export async function mustReach(db: Db, siteId: string, jobId: string): Promise<JobRow> {
  const job = await mustFindJob(db, siteId, jobId)
  checkAct(job, 'reachContents')
  return job
}
