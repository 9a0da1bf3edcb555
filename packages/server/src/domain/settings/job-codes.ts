/**
 * Analysis codes of a job: unchecked while it is being created, checked against the visible codes
 * at submission.
 */
import { type Detail, HubError, type NewJob } from '@dragoman/contract'
import { withoutCase } from '@dragoman/text/characters'
import type { Db } from '../../store/database.ts'
import { holdSite } from '../access/sites.ts'
import { selectByKeys, selectLevels } from './code-rows.ts'

export type JobCodes = NonNullable<NewJob['analysisCodes']>
/** A job's code as the filter finds it; it has an id once it was checked. */
export type JobCodeRow = { level: number; code_key: string; code_id: string | null }

export const jobCodeRows = (codes: JobCodes): JobCodeRow[] =>
  codes.map(({ level, code }) => ({ level, code_key: withoutCase(code), code_id: null }))

/**
 * Returns the codes with their ids. Each must be a visible code of a visible level, and each level
 * may be named once.
 */
export async function mustBeVisible(
  db: Db,
  siteId: string,
  codes: JobCodes,
): Promise<JobCodeRow[]> {
  if (codes.length === 0) return []
  await holdSite(db, siteId)
  const rows = jobCodeRows(codes)
  const hiddenLevels = (await selectLevels(db, siteId))
    .filter(({ visible }) => visible === 0)
    .map(({ level }) => level)
  const known = await selectByKeys(
    db,
    siteId,
    rows.map(({ level, code_key }) => ({ level, key: code_key })),
  )
  const details: Detail[] = []
  const checked = rows.map((row, at) => {
    const found = known.find(
      ({ level, code_key }) => level === row.level && code_key === row.code_key,
    )
    const name = `${codes[at]?.code} of level ${row.level}`
    const refuse = (message: string) => details.push({ path: `analysisCodes[${at}]`, message })
    if (rows.findIndex(({ level }) => level === row.level) < at)
      refuse(`level ${row.level} appears twice.`)
    else if (!found) refuse(`there is no code ${name}.`)
    else if (found.visible === 0 || hiddenLevels.includes(row.level))
      refuse(`the code ${name} is hidden.`)
    return { ...row, code_id: found?.code_id ?? null }
  })
  const [first] = details
  if (first)
    throw new HubError(
      'ANALYSIS_CODE_INVALID',
      { because: `${first.message} Change analysisCodes of the job.` },
      { details },
    )
  return checked
}
