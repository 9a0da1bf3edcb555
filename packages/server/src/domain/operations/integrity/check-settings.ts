/** Checks that jobs can be found by their analysis codes, and that every price list is valid. */

import { checkBands } from '@dragoman/text/counting'
import type { Hub } from '../../../hub.ts'
import { jobCodeRows } from '../../settings/job-codes.ts'
import { describePriceList } from '../../settings/price-lists.ts'
import { type Fault, fault } from './check-run.ts'
import { allPriceLists, codedJobs } from './check-setting-rows.ts'

export async function findJobCodes({ db }: Hub): Promise<Fault[]> {
  const found: Fault[] = []
  for await (const { site_id, job_id, analysis_codes, rows } of codedJobs(db.read)) {
    const wanted = codesOf(analysis_codes)
    if (wanted === undefined)
      found.push(fault(site_id, `job ${job_id}`, 'The analysis codes cannot be read.'))
    else if (wanted !== rows.sort().join())
      found.push(
        fault(site_id, `job ${job_id}`, 'The rows of analysis codes differ from the codes.'),
      )
  }
  return found
}

function codesOf(codes: string | null): string | undefined {
  try {
    const rows = codes === null ? [] : jobCodeRows(JSON.parse(codes))
    return rows
      .map(({ level, code_key }) => `${level} ${code_key}`)
      .sort()
      .join()
  } catch {
    return undefined
  }
}

export async function findPriceLists({ db }: Hub): Promise<Fault[]> {
  const found: Fault[] = []
  for await (const row of allPriceLists(db.read)) {
    const name = `price list ${row.price_list_id}`
    try {
      const { bands, lines } = describePriceList(row)
      if (lines.length === 0 || checkBands(bands).length > 0)
        found.push(fault(row.site_id, name, 'Its bands or lines are inconsistent.'))
    } catch {
      found.push(fault(row.site_id, name, 'It cannot be read.'))
    }
  }
  return found
}
