/** SQL of jobs as their provider sees them. */
import type { Db } from '../../store/database.ts'

export type JobCounts = { requests: number; assets: number }

/** The number of requests and support assets of each job. */
export async function countInJobs(
  db: Db,
  siteId: string,
  jobIds: readonly string[],
): Promise<Map<string, JobCounts>> {
  const counts = new Map<string, JobCounts>(jobIds.map((id) => [id, { requests: 0, assets: 0 }]))
  if (jobIds.length === 0) return counts
  for (const table of ['requests', 'support_assets'] as const) {
    const rows = await db
      .selectFrom(table)
      .select('job_id')
      .select((eb) => eb.fn.countAll().as('count'))
      .where('site_id', '=', siteId)
      .where('job_id', 'in', [...jobIds])
      .groupBy('job_id')
      .execute()
    for (const row of rows) {
      const known = counts.get(row.job_id)
      if (known) known[table === 'requests' ? 'requests' : 'assets'] = Number(row.count)
    }
  }
  return counts
}

export async function selectSupportAssetIds(
  db: Db,
  siteId: string,
  jobId: string,
): Promise<string[]> {
  const rows = await db
    .selectFrom('support_assets')
    .select('asset_id')
    .where('site_id', '=', siteId)
    .where('job_id', '=', jobId)
    .orderBy('position')
    .execute()
  return rows.map((row) => row.asset_id)
}

/** Names of people by their ids, whatever sites they have roles in. */
export async function selectNames(
  db: Db,
  personIds: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const people = await db
    .selectFrom('people')
    .select(['person_id', 'name'])
    .where('person_id', 'in', personIds)
    .execute()
  return new Map(people.map(({ person_id, name }) => [person_id, name]))
}
