/**
 * SQL of the links between the things of a job and those of the job that it became at the upstream.
 */
import type { Db } from '../../store/database.ts'
import type { UpstreamLinkRow } from '../../store/tables.ts'

export const selectLinks = (db: Db, siteId: string, jobId: string): Promise<UpstreamLinkRow[]> =>
  db
    .selectFrom('upstream_links')
    .selectAll()
    .where('site_id', '=', siteId)
    .where('job_id', '=', jobId)
    .execute()

/** Rows per statement. */
const rowsAtOnce = 500

/**
 * A link that exists is replaced. No site: the rows name it, and the caller has locked their job.
 */
export async function writeLinks(tx: Db, rows: readonly UpstreamLinkRow[]): Promise<void> {
  for (let from = 0; from < rows.length; from += rowsAtOnce)
    await tx
      .insertInto('upstream_links')
      .values(rows.slice(from, from + rowsAtOnce))
      .onConflict((conflict) =>
        conflict.columns(['job_id', 'kind', 'our_id']).doUpdateSet(({ ref }) => ({
          their_id: ref('excluded.their_id'),
          taken: ref('excluded.taken'),
          failed: ref('excluded.failed'),
          told: ref('excluded.told'),
        })),
      )
      .execute()
}

/** Before another round. */
export async function removeLinks(tx: Db, siteId: string, jobId: string): Promise<void> {
  await tx
    .deleteFrom('upstream_links')
    .where('site_id', '=', siteId)
    .where('job_id', '=', jobId)
    .execute()
}

/**
 * Our jobs with this id there; two upstreams may have the same. No site: a signed call names none,
 * and the caller compares the provider.
 */
export const selectOurJobs = (
  db: Db,
  theirJobId: string,
): Promise<Pick<UpstreamLinkRow, 'site_id' | 'job_id'>[]> =>
  db
    .selectFrom('upstream_links')
    .select(['site_id', 'job_id'])
    .where('kind', '=', 'job')
    .where('their_id', '=', theirJobId)
    .execute()
