/** The analysis codes of a job, fixed when it is submitted. */
import type { Db } from '../../store/engine.ts'
import type { JobRow } from '../../store/tables.ts'
import { type JobCodes, mustBeVisible } from '../settings/job-codes.ts'
import { replaceCodes } from './job-code-rows.ts'

/** From here on the job's analysis codes are the ones that its site has now; a hidden or unknown one is refused. */
export async function fixCodes(tx: Db, { site_id, job_id, analysis_codes }: JobRow): Promise<void> {
  if (analysis_codes === null) return
  const codes = JSON.parse(analysis_codes) as JobCodes
  await replaceCodes(tx, site_id, job_id, await mustBeVisible(tx, site_id, codes))
}
