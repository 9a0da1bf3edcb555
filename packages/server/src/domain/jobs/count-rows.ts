/**
 * SQL of the counts of a site's active jobs. Each count reads an index that holds what it counts
 * and stops at a limit, so it costs the same in a site with millions of jobs.
 */
import { type JobStatus, limits, openJobStatuses } from '@dragoman/contract'
import { type SqlBool, sql } from 'kysely'
import type { Db } from '../../store/database.ts'
import type { Filter } from './filter.ts'
import { matching, rareLabels } from './list-rows.ts'

/** What is counted: in this state, open and due in this span, or with an error. */
export type Counted =
  | { readonly status: JobStatus }
  | { readonly dueFrom: number; readonly dueBefore: number }
  | { readonly hasError: true }

/** Literals, as in the condition of the partial index, so that both planners use it. */
const isOpen = sql<SqlBool>`archived = 0 and due_at is not null and status in (${sql.join(openJobStatuses.map((status) => sql.lit(status)))})`

/** How many there are; one more than the limit stands for more. */
export async function countJobs(
  db: Db,
  siteId: string,
  what: Counted,
  filter?: Filter,
): Promise<number> {
  const jobs = await jobsOf(db, siteId, filter)
  const chosen =
    'status' in what
      ? jobs.where('status', '=', what.status)
      : 'hasError' in what
        ? jobs.where(sql<SqlBool>`has_error = 1`)
        : jobs
            .where(isOpen)
            .where('due_at', '>=', what.dueFrom)
            .where('due_at', '<', what.dueBefore)
  const { many } = await db
    .selectFrom(
      chosen
        .select(sql.lit(1).as('one'))
        .limit(limits.countedRows + 1)
        .as('some'),
    )
    .select(({ fn }) => fn.countAll<number>().as('many'))
    .executeTakeFirstOrThrow()
  return Number(many)
}

/** The newest jobs in translation, at most this many. */
export async function selectInTranslation(
  db: Db,
  siteId: string,
  filter: Filter | undefined,
  limit: number,
) {
  const jobs = await jobsOf(db, siteId, filter)
  const rows = await jobs
    .select('job_id')
    .where('status', '=', 'IN_TRANSLATION')
    .orderBy('created_at', 'desc')
    .orderBy('job_id', 'desc')
    .limit(limit)
    .execute()
  return rows.map((row) => row.job_id)
}

/**
 * How many of these jobs have a request in review, among the first `limit` requests read; and how
 * many were read.
 */
export async function countInReview(
  db: Db,
  siteId: string,
  jobIds: readonly string[],
  limit: number,
): Promise<{ jobs: number; read: number }> {
  const requests = db
    .selectFrom('requests')
    .select(['job_id', 'status'])
    .where('site_id', '=', siteId)
    .where('job_id', 'in', jobIds.length > 0 ? [...jobIds] : [''])
    .limit(limit)
  const { jobs, read } = await db
    .selectFrom(requests.as('some'))
    .select(({ fn }) => [
      sql<number>`count(distinct case when status = 'REVIEW_TRANSLATION' then job_id end)`.as(
        'jobs',
      ),
      fn.countAll<number>().as('read'),
    ])
    .executeTakeFirstOrThrow()
  return { jobs: Number(jobs), read: Number(read) }
}

const jobsOf = async (db: Db, siteId: string, filter: Filter | undefined) =>
  matching(
    db,
    siteId,
    { archived: false, ...(filter && { filter }) },
    filter ? await rareLabels(db, siteId, filter) : new Set(),
  )
