/** Records activity on a job, and checks whether its contents may be read. */
import { addDuration } from '@dragoman/contract'
import type { Change, Hub } from '../../hub.ts'
import type { Db } from '../../store/database.ts'
import type { JobRow } from '../../store/tables.ts'
import { checkAct, mustFindJob } from './find-job.ts'
import { type RowChange, updateJob } from './job-rows.ts'
import type { SentOn } from './sent-on.ts'

/**
 * The columns that every change of a job writes: its last activity and the resulting archival date.
 */
export function activity(hub: Hub) {
  const now = hub.clock.now()
  return {
    modified_at: now,
    activity_at: now,
    archival_at: addDuration(now, hub.config.archiveAfter),
  }
}

/**
 * Runs in the transaction of every change inside the job; `also` sets further columns. Statuses are
 * written only by move.ts.
 */
export function touchJob(
  { hub, tx }: Pick<Change, 'hub' | 'tx'>,
  { site_id, job_id }: Pick<JobRow, 'site_id' | 'job_id'>,
  also: Omit<RowChange, 'status' | 'archive_status' | 'archived'> = {},
): Promise<JobRow> {
  return updateJob(tx, site_id, job_id, { ...activity(hub), ...also })
}

/** What the job knows about its other side; the caller has locked it. */
export const writeSentOn = (tx: Db, { site_id, job_id }: JobRow, state: SentOn): Promise<JobRow> =>
  updateJob(tx, site_id, job_id, { upstream: JSON.stringify(state) })

/** The job, if its contents may be read; otherwise JOB_ARCHIVED. */
export async function mustReach(db: Db, siteId: string, jobId: string): Promise<JobRow> {
  const job = await mustFindJob(db, siteId, jobId)
  checkAct(job, 'reachContents')
  return job
}
