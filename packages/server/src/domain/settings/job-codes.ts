/** The analysis codes that a job carries: free while it is made, held against the visible codes when it is submitted. */
import { type Detail, HubError, type NewJob } from '@dragoman/contract'
import type { Db } from '../../store/engine.ts'
import { holdSite } from '../access/sites.ts'
import { selectByKeys, selectLevels } from './code-rows.ts'
import { withoutCase } from './without-case.ts'

export type JobCodes = NonNullable<NewJob['analysisCodes']>
/** A code of a job as the filter finds it; with its id once it was checked. */
export type JobCodeRow = { level: number; code_key: string; code_id: string | null }

export const jobCodeRows = (codes: JobCodes): JobCodeRow[] =>
  codes.map(({ level, code }) => ({ level, code_key: withoutCase(code), code_id: null }))

/** The codes with their ids, when each is a visible code of a visible level, and each level is named once. */
export async function mustBeVisible(db: Db, siteId: string, codes: JobCodes): Promise<JobCodeRow[]> {
  if (codes.length === 0) return []
  await holdSite(db, siteId)
  const rows = jobCodeRows(codes)
  const hiddenLevels = (await selectLevels(db, siteId)).filter(({ visible }) => visible === 0).map(({ level }) => level)
  const known = await selectByKeys(
    db,
    siteId,
    rows.map(({ level, code_key }) => ({ level, key: code_key })),
  )
  const details: Detail[] = []
  const checked = rows.map((row, at) => {
    const found = known.find(({ level, code_key }) => level === row.level && code_key === row.code_key)
    const name = `${codes[at]?.code} of level ${row.level}`
    const refuse = (message: string) => details.push({ path: `analysisCodes[${at}]`, message })
    if (rows.findIndex(({ level }) => level === row.level) < at) refuse(`level ${row.level} appears twice.`)
    else if (!found) refuse(`there is no code ${name}.`)
    else if (found.visible === 0 || hiddenLevels.includes(row.level)) refuse(`the code ${name} is hidden.`)
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
