/** SQL that counts the open jobs of providers. */
import type { JobStatus } from '@dragoman/contract'
import { sql } from 'kysely'
import type { Db } from '../../store/database.ts'

type Count = number | string | bigint
type WorkRow = { provider_id: string | null; jobs: Count; errors: Count; late: Count }

/** Counts at most `limit` jobs, so that a site with very many is answered as well. */
export function selectWork(
  db: Db,
  siteId: string,
  {
    open,
    now,
    limit,
  }: { readonly open: readonly JobStatus[]; readonly now: number; readonly limit: number },
): Promise<WorkRow[]> {
  return db
    .selectFrom((eb) =>
      eb
        .selectFrom('jobs')
        .select(['provider_id', 'has_error', 'due_at'])
        .where('site_id', '=', siteId)
        .where('archived', '=', 0)
        .where('status', 'in', [...open])
        .where('provider_id', 'is not', null)
        .limit(limit)
        .as('open_jobs'),
    )
    .select('provider_id')
    .select((eb) => [
      eb.fn.countAll().as('jobs'),
      sql<Count>`sum(has_error)`.as('errors'),
      sql<Count>`sum(case when due_at < ${now} then 1 else 0 end)`.as('late'),
    ])
    .groupBy('provider_id')
    .execute()
}
