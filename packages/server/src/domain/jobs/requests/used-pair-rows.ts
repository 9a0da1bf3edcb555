/** SQL of the language pairs of jobs. */
import type { Db } from '../../../store/database.ts'

export async function selectNewestJobs(db: Db, siteId: string, limit: number): Promise<string[]> {
  const found = await db
    .selectFrom('jobs')
    .select('job_id')
    .where('site_id', '=', siteId)
    .where('archived', '=', 0)
    .orderBy('created_at', 'desc')
    .orderBy('job_id', 'desc')
    .limit(limit)
    .execute()
  return found.map(({ job_id }) => job_id)
}

type PairRow = { source_language: string; target_language: string; jobs: number | string | bigint }

/** The pairs of these jobs, most used first. */
export function selectPairs(db: Db, siteId: string, jobIds: readonly string[]): Promise<PairRow[]> {
  return db
    .selectFrom('requests')
    .select(['source_language', 'target_language'])
    .select((eb) => eb.fn.count('job_id').distinct().as('jobs'))
    .where('site_id', '=', siteId)
    .where('job_id', 'in', jobIds.length > 0 ? [...jobIds] : [''])
    .groupBy(['source_language', 'target_language'])
    .orderBy('jobs', 'desc')
    .orderBy('source_language')
    .orderBy('target_language')
    .limit(500)
    .execute()
}
