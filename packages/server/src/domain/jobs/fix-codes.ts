/** Fixes the analysis codes of a job at submission. */
import type { Db } from '../../store/database.ts'
import type { JobRow } from '../../store/tables.ts'
import { type JobCodes, mustBeVisible } from '../settings/job-codes.ts'
import { replaceCodes } from './job-code-rows.ts'

/** Saves the site's current analysis codes with the job. Refuses hidden and unknown codes. */
export async function fixCodes(tx: Db, { site_id, job_id, analysis_codes }: JobRow): Promise<void> {
  if (analysis_codes === null) return
  const codes = JSON.parse(analysis_codes) as JobCodes
  await replaceCodes(tx, site_id, job_id, await mustBeVisible(tx, site_id, codes))
}
