/**
 * SQL of requests that wait for a driver although nothing will translate them. No site: `dragoman
 * check` covers all sites.
 */
import { type SqlBool, sql } from 'kysely'
import type { Db } from '../../../store/database.ts'

export type LostJob = { readonly site_id: string; readonly job_id: string; readonly since: number }

type Wanted = {
  readonly typeIds: readonly string[]
  /** Names of tasks, any of which still works on the job. */
  readonly tasks: readonly string[]
  readonly jobIds?: readonly string[] | undefined
  readonly limit: number
}

/**
 * One statement, so that work that ends in between never looks lost. A request with an error or
 * with a person waits for somebody who knows.
 */
export async function selectLostJobs(
  db: Db,
  { typeIds, tasks, jobIds, limit }: Wanted,
): Promise<LostJob[]> {
  return db
    .selectFrom('jobs')
    .innerJoin('providers', 'providers.provider_id', 'jobs.provider_id')
    .select(['jobs.site_id', 'jobs.job_id', 'jobs.activity_at as since'])
    .where(
      sql<SqlBool>`jobs.archived = 0 and jobs.status in ('SENT_TO_PROVIDER', 'IN_TRANSLATION')`,
    )
    .where('jobs.archive_status', '=', 'ACTIVE')
    .where('providers.type_id', 'in', [...typeIds])
    .$if(jobIds !== undefined, (query) => query.where('jobs.job_id', 'in', [...(jobIds ?? [])]))
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom('requests')
          .select('requests.request_id')
          .whereRef('requests.site_id', '=', 'jobs.site_id')
          .whereRef('requests.job_id', '=', 'jobs.job_id')
          .where('requests.status', '=', 'SENT_TO_PROVIDER')
          .where('requests.has_error', '=', 0)
          .where('requests.assignee', 'is', null),
      ),
    )
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('tasks')
            .select('tasks.task_id')
            .whereRef('tasks.job_id', '=', 'jobs.job_id')
            .where('tasks.name', 'in', [...tasks]),
        ),
      ),
    )
    .orderBy('jobs.job_id')
    .limit(limit)
    .execute()
}
