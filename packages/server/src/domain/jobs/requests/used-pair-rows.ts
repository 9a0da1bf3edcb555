/** SQL of the language pairs of jobs. */
import { sql } from 'kysely'
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

/** Without the spelling in which it was sent. */
const plain = (column: 'source_language' | 'target_language') =>
  sql<string>`lower(replace(${sql.ref(`requests.${column}`)}, '_', '-'))`

/** The pairs of these jobs, most used first, in lower case and with hyphens. */
export function selectPairs(db: Db, siteId: string, jobIds: readonly string[]): Promise<PairRow[]> {
  const [source, target] = [plain('source_language'), plain('target_language')]
  return db
    .selectFrom('requests')
    .select([source.as('source_language'), target.as('target_language')])
    .select((eb) => eb.fn.count('job_id').distinct().as('jobs'))
    .where('site_id', '=', siteId)
    .where('job_id', 'in', jobIds.length > 0 ? [...jobIds] : [''])
    .groupBy([source, target])
    .orderBy('jobs', 'desc')
    .orderBy(source)
    .orderBy(target)
    .limit(500)
    .execute()
}
