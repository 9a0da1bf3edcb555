/** SQL of quotes saved at submission. */
import type { Db } from '../../../store/database.ts'

export async function selectQuote(
  db: Db,
  siteId: string,
  jobId: string,
): Promise<string | undefined> {
  const row = await db
    .selectFrom('job_quotes')
    .select('quote')
    .where('site_id', '=', siteId)
    .where('job_id', '=', jobId)
    .executeTakeFirst()
  return row?.quote
}

export function selectQuotes(db: Db, siteId: string, jobIds: readonly string[]) {
  return db
    .selectFrom('job_quotes')
    .select(['job_id', 'quote'])
    .where('site_id', '=', siteId)
    .where('job_id', 'in', [...jobIds])
    .execute()
}

export type StoredQuote = {
  job_id: string
  site_id: string
  quote: string
  quoted_at: number
  cause_id: string
}

/** Keeps the first quote. */
export async function insertQuote(db: Db, row: StoredQuote): Promise<void> {
  await db
    .insertInto('job_quotes')
    .values(row)
    .onConflict((conflict) => conflict.column('job_id').doNothing())
    .execute()
}
