/**
 * SQL of where units of the memory come from: the requests, TM updates and imports of a site, by
 * their ids.
 */
import type { Db } from '../../../store/database.ts'

export type OfJob = {
  readonly id: string
  readonly job_id: string
  readonly job_name: string
  readonly provider_id: string | null
  readonly request_name: string | null
  readonly assignee: string | null
}

export const selectRequestOrigins = (
  db: Db,
  siteId: string,
  ids: readonly string[],
): Promise<OfJob[]> =>
  db
    .selectFrom('requests')
    .innerJoin('jobs', (join) =>
      join
        .onRef('jobs.job_id', '=', 'requests.job_id')
        .onRef('jobs.site_id', '=', 'requests.site_id'),
    )
    .select(['requests.request_id as id', 'jobs.job_id', 'jobs.job_name', 'jobs.provider_id'])
    .select(['requests.request_name', 'requests.assignee'])
    .where('requests.site_id', '=', siteId)
    .where('requests.request_id', 'in', ids)
    .execute()

export const selectUpdateOrigins = async (
  db: Db,
  siteId: string,
  ids: readonly string[],
): Promise<OfJob[]> => {
  const rows = await db
    .selectFrom('tm_updates')
    .innerJoin('jobs', (join) =>
      join
        .onRef('jobs.job_id', '=', 'tm_updates.job_id')
        .onRef('jobs.site_id', '=', 'tm_updates.site_id'),
    )
    .select(['tm_updates.tmupdate_id as id', 'jobs.job_id', 'jobs.job_name', 'jobs.provider_id'])
    .where('tm_updates.site_id', '=', siteId)
    .where('tm_updates.tmupdate_id', 'in', ids)
    .execute()
  return rows.map((row) => ({ ...row, request_name: null, assignee: null }))
}

export const selectImportOrigins = async (
  db: Db,
  siteId: string,
  ids: readonly string[],
): Promise<string[]> => {
  const rows = await db
    .selectFrom('memory_imports')
    .select('import_id')
    .where('site_id', '=', siteId)
    .where('import_id', 'in', ids)
    .execute()
  return rows.map(({ import_id }) => import_id)
}
