/** SQL of the check of settings. No site: `dragoman check` covers all sites. */
import type { Db } from '../../../store/database.ts'
import { everyRow } from '../../../store/every-row.ts'
import type { PriceListRow } from '../../../store/tables.ts'

const page = 200

export type CodedJob = {
  site_id: string
  job_id: string
  analysis_codes: string | null
  rows: string[]
}

/**
 * Jobs with analysis codes or code rows, page by page. A row is its level and its code without
 * case.
 */
export async function* codedJobs(db: Db): AsyncGenerator<CodedJob> {
  let after = ''
  for (;;) {
    const found = await db
      .selectFrom((eb) =>
        eb
          .selectFrom('jobs')
          .select(['site_id', 'job_id', 'analysis_codes'])
          .where('job_id', '>', after)
          .orderBy('job_id')
          .limit(page)
          .as('some'),
      )
      .leftJoin('job_codes', 'job_codes.job_id', 'some.job_id')
      .select([
        'some.site_id',
        'some.job_id',
        'some.analysis_codes',
        'job_codes.level',
        'job_codes.code_key',
      ])
      .orderBy('some.job_id')
      .execute()
    const jobs = new Map<string, CodedJob>()
    for (const { site_id, job_id, analysis_codes, level, code_key } of found) {
      const job = jobs.get(job_id) ?? { site_id, job_id, analysis_codes, rows: [] }
      jobs.set(job_id, job)
      if (level !== null) job.rows.push(`${level} ${code_key}`)
      after = job_id
    }
    yield* jobs.values()
    if (jobs.size < page) return
  }
}

/** Every version of every site, one at a time, because a list may be large. */
export const allPriceLists = (db: Db): AsyncGenerator<PriceListRow> =>
  everyRow(
    1,
    (after, limit) =>
      db
        .selectFrom('price_lists')
        .selectAll()
        .where('price_list_id', '>', after)
        .orderBy('price_list_id')
        .limit(limit)
        .execute(),
    ({ price_list_id }) => price_list_id,
  )
