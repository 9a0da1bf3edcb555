/**
 * Jobs with a driver in which a request waits, but no task of any kind works on it. The hub never
 * leaves one; an earlier version did.
 */
import type { Hub } from '../../../hub.ts'
import type { Db } from '../../../store/database.ts'
import { drivers } from '../../engines/drivers/drivers.ts'
import { translateTask } from '../../handover/translate-requests.ts'
import { resumeTask } from '../../jobs/resume-soon.ts'
import { followTask } from '../../jobs/sent-on.ts'
import { type Fault, fault } from './check-run.ts'
import { type LostJob, selectLostJobs } from './lost-work-rows.ts'

export const lostWork = 'lost work'

const maxFound = 1_000
/** Types whose providers work by tasks of the hub; people and programs fetch from the others. */
const typeIds = drivers.flatMap(({ typeId, translate, sendsTo }) =>
  translate || sendsTo ? [typeId] : [],
)
const tasks = [translateTask, resumeTask, followTask]

/** All of them, or those among some jobs. */
export const listLostJobs = (db: Db, jobIds?: readonly string[]): Promise<LostJob[]> =>
  selectLostJobs(db, { typeIds, tasks, jobIds, limit: maxFound })

export async function findLostWork({ db }: Hub): Promise<Fault[]> {
  const jobs = await listLostJobs(db.read)
  return jobs.map(({ site_id, job_id }) =>
    fault(site_id, `job ${job_id}`, 'It has requests that wait for its provider, but no task.'),
  )
}
