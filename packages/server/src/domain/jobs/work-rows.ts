/**
 * SQL that tells which jobs, requests and contents belong to the work of some providers, into some
 * languages.
 */

import type { RequestStatus } from '@dragoman/contract'
import { type Expression, type ExpressionBuilder, type SqlBool, sql } from 'kysely'
import type { Db } from '../../store/database.ts'
import type { Tables } from '../../store/tables.ts'

/** `languages` as `requests.target_language` is compared: lower-case, with hyphens. */
export type WorkOf = {
  readonly providerIds: readonly string[]
  readonly languages?: readonly string[] | undefined
}

export const isInto = ({ languages }: Pick<WorkOf, 'languages'>) =>
  languages === undefined
    ? sql<SqlBool>`1 = 1`
    : sql<SqlBool>`lower(replace(requests.target_language, '_', '-')) in (${sql.join(languages.length > 0 ? languages : [''])})`

/** The provider has the job, and it has a request into one of the languages. */
export function isWork(eb: ExpressionBuilder<Tables, 'jobs'>, work: WorkOf): Expression<SqlBool> {
  const ofProvider = eb(
    'jobs.provider_id',
    'in',
    work.providerIds.length > 0 ? [...work.providerIds] : [''],
  )
  if (work.languages === undefined) return ofProvider
  const into = eb
    .selectFrom('requests')
    .select('requests.request_id')
    .whereRef('requests.job_id', '=', 'jobs.job_id')
    .whereRef('requests.site_id', '=', 'jobs.site_id')
    .where(isInto(work))
  return eb.and([ofProvider, eb.exists(into)])
}

/** Those of the jobs that belong to the work. */
export async function jobsAmong(
  db: Db,
  siteId: string,
  work: WorkOf,
  jobIds: readonly string[],
): Promise<string[]> {
  if (jobIds.length === 0) return []
  const found = await db
    .selectFrom('jobs')
    .select('job_id')
    .where('site_id', '=', siteId)
    .where('job_id', 'in', [...jobIds])
    .where((eb) => isWork(eb, work))
    .execute()
  return found.map(({ job_id }) => job_id)
}

const requestsInto = (db: Db, siteId: string, jobId: string, work: WorkOf) =>
  db
    .selectFrom('requests')
    .select('request_id')
    .where('site_id', '=', siteId)
    .where('job_id', '=', jobId)
    .where(isInto(work))

/** The ids of the job's requests into the languages. */
export async function requestIdsInto(
  db: Db,
  siteId: string,
  jobId: string,
  work: WorkOf,
): Promise<string[]> {
  const found = await requestsInto(db, siteId, jobId, work).execute()
  return found.map(({ request_id }) => request_id)
}

/** How many requests into the languages each job has; none for a job without one. */
export async function countInto(db: Db, siteId: string, work: WorkOf, jobIds: readonly string[]) {
  if (jobIds.length === 0) return new Map<string, number>()
  const counts = await db
    .selectFrom('requests')
    .select('job_id')
    .select((eb) => eb.fn.countAll().as('count'))
    .where('site_id', '=', siteId)
    .where('job_id', 'in', [...jobIds])
    .where(isInto(work))
    .groupBy('job_id')
    .execute()
  return new Map(counts.map(({ job_id, count }) => [job_id, Number(count)]))
}

/**
 * Whether a request into the languages has this file or content, or a support asset of the job this
 * file.
 */
export async function hasContent(
  db: Db,
  siteId: string,
  jobId: string,
  of: WorkOf & { readonly contentId: string },
) {
  const { contentId } = of
  const request = await requestsInto(db, siteId, jobId, of)
    .where((eb) =>
      eb.or(
        (['file_id', 'content_id', 'translation_file_id', 'translation_content_id'] as const).map(
          (column) => eb(column, '=', contentId),
        ),
      ),
    )
    .limit(1)
    .executeTakeFirst()
  if (request) return true
  const assets = db.selectFrom('support_assets').select('asset_id').where('site_id', '=', siteId)
  return (
    (await assets
      .where('job_id', '=', jobId)
      .where('file_id', '=', contentId)
      .limit(1)
      .executeTakeFirst()) !== undefined
  )
}

/** Who has claimed requests in these states, or has a share of one. */
export async function assigneesOf(
  db: Db,
  siteId: string,
  jobId: string,
  statuses: readonly RequestStatus[],
): Promise<string[]> {
  const rows = await db
    .selectFrom('requests')
    .select('assignee')
    .distinct()
    .where('site_id', '=', siteId)
    .where('job_id', '=', jobId)
    .where('status', 'in', [...statuses])
    .where('assignee', 'is not', null)
    .execute()
  const shared = await db
    .selectFrom('shares')
    .innerJoin('requests', (join) =>
      join
        .onRef('requests.job_id', '=', 'shares.job_id')
        .onRef('requests.request_id', '=', 'shares.request_id')
        .onRef('requests.site_id', '=', 'shares.site_id'),
    )
    .select('shares.person_id')
    .distinct()
    .where('shares.site_id', '=', siteId)
    .where('shares.job_id', '=', jobId)
    .where('requests.status', 'in', [...statuses])
    .execute()
  const people = [...rows.map(({ assignee }) => assignee), ...shared.map((one) => one.person_id)]
  return [...new Set(people.flatMap((person) => person ?? []))]
}

export async function countByStatus(
  db: Db,
  siteId: string,
  jobId: string,
): Promise<ReadonlyMap<RequestStatus, number>> {
  const rows = await db
    .selectFrom('requests')
    .select('status')
    .select(({ fn }) => fn.countAll().as('many'))
    .where('site_id', '=', siteId)
    .where('job_id', '=', jobId)
    .groupBy('status')
    .execute()
  return new Map(rows.map(({ status, many }) => [status, Number(many)]))
}
