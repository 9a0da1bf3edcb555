/** SQL of work that was interrupted. */
import type { Db } from '../../store/database.ts'

/**
 * The positions of requests that wait for their driver: with the provider, without an error that
 * the connector knows, without a person, and without drafts for the people of a chain.
 */
export async function selectWaiting(db: Db, siteId: string, jobId: string): Promise<number[]> {
  const rows = await db
    .selectFrom('requests')
    .select('position')
    .where('site_id', '=', siteId)
    .where('job_id', '=', jobId)
    .where('status', 'in', ['SENT_TO_PROVIDER', 'IN_TRANSLATION'])
    .where('has_error', '=', 0)
    .where('assignee', 'is', null)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('machine_work')
            .select('machine_work.request_id')
            .where('machine_work.site_id', '=', siteId)
            .whereRef('machine_work.job_id', '=', 'requests.job_id')
            .whereRef('machine_work.request_id', '=', 'requests.request_id')
            .where('machine_work.drafts', 'is not', null),
        ),
      ),
    )
    .orderBy('position')
    .execute()
  return rows.map(({ position }) => position)
}

/** What the tasks of a job with this name have to do, parked ones included. */
export async function selectPayloads(
  db: Db,
  siteId: string,
  jobId: string,
  name: string,
): Promise<string[]> {
  const rows = await db
    .selectFrom('tasks')
    .select('payload')
    .where('site_id', '=', siteId)
    .where('job_id', '=', jobId)
    .where('name', '=', name)
    .execute()
  return rows.map(({ payload }) => payload)
}
