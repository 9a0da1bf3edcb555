/** SQL of the analysis codes of jobs. */
import type { Db } from '../../store/database.ts'
import type { JobCodeRow } from '../settings/job-codes.ts'

export async function replaceCodes(
  db: Db,
  siteId: string,
  jobId: string,
  codes: readonly JobCodeRow[],
): Promise<void> {
  await db
    .deleteFrom('job_codes')
    .where('site_id', '=', siteId)
    .where('job_id', '=', jobId)
    .execute()
  await insertCodes(db, siteId, jobId, codes)
}

export async function insertCodes(
  db: Db,
  siteId: string,
  jobId: string,
  codes: readonly JobCodeRow[],
): Promise<void> {
  if (codes.length === 0) return
  const rows = codes.map((code) => ({ site_id: siteId, job_id: jobId, ...code }))
  await db.insertInto('job_codes').values(rows).execute()
}
