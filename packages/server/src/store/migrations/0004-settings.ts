/**
 * Project settings: levels and codes of analysis, which job carries which code, price lists in all
 * their versions.
 */
import { type Kysely, sql } from 'kysely'
import { type ColumnTypes, inOrder, type Migration } from './migration.ts'

export const settings: Migration = {
  name: 'settings',
  // A node that does not know job_codes would submit jobs whose codes nobody checked.
  breaking: true,
  up: async (db, types) => {
    await inOrder(db, tables(types))
    await spreadJobCodes(db)
  },
}

const tables = ({ text, int, end }: ColumnTypes) => [
  sql`create table analysis_levels (
    site_id ${text} not null,
    level ${int} not null check (level between 1 and 10),
    label ${text} not null,
    visible ${int} not null check (visible in (0, 1)),
    primary key (site_id, level)
  ) ${end}`,
  sql`create table analysis_codes (
    code_id ${text} primary key,
    site_id ${text} not null,
    level ${int} not null check (level between 1 and 10),
    code ${text} not null,
    code_key ${text} not null,
    label ${text} not null,
    visible ${int} not null check (visible in (0, 1)),
    created_at ${int} not null,
    modified_at ${int} not null,
    cause_id ${text} not null
  ) ${end}`,
  sql`create unique index analysis_codes_key on analysis_codes (site_id, level, code_key)`,
  sql`create table job_codes (
    job_id ${text} not null references jobs on delete cascade,
    site_id ${text} not null,
    level ${int} not null,
    code_key ${text} not null,
    code_id ${text}
  ) ${end}`,
  sql`create index job_codes_job on job_codes (job_id, level)`,
  sql`create index job_codes_key on job_codes (site_id, level, code_key, job_id)`,
  sql`create index job_codes_code on job_codes (site_id, code_id) where code_id is not null`,
  sql`create table price_lists (
    price_list_id ${text} primary key,
    site_id ${text} not null,
    version ${int} not null,
    name ${text} not null,
    currency ${text} not null,
    valid_from ${int} not null,
    valid_to ${int},
    prices ${text} not null,
    created_at ${int} not null,
    cause_id ${text} not null
  ) ${end}`,
  sql`create unique index price_lists_version on price_lists (site_id, version)`,
  sql`create index price_lists_force on price_lists (site_id, valid_from, version)`,
]

type Jobs = {
  jobs: { job_id: string; site_id: string; analysis_codes: string | null }
  job_codes: JobCode
}
type JobCode = {
  job_id: string
  site_id: string
  level: number
  code_key: string
  code_id: string | null
}

/** Jobs of before carry their codes as JSON alone. */
async function spreadJobCodes(db: Kysely<unknown>): Promise<void> {
  const known = db as Kysely<Jobs>
  let after = ''
  for (;;) {
    const jobs = await known
      .selectFrom('jobs')
      .select(['job_id', 'site_id', 'analysis_codes'])
      .where('job_id', '>', after)
      .where('analysis_codes', 'is not', null)
      .orderBy('job_id')
      .limit(100)
      .execute()
    const rows = jobs.flatMap(({ job_id, site_id, analysis_codes }) =>
      (JSON.parse(analysis_codes ?? '[]') as { level: number; code: string }[]).map(
        ({ level, code }) => ({
          job_id,
          site_id,
          level,
          code_key: code.normalize('NFC').toLowerCase(),
          code_id: null,
        }),
      ),
    )
    if (rows.length > 0) await known.insertInto('job_codes').values(rows).execute()
    const last = jobs.at(-1)
    if (!last) return
    after = last.job_id
  }
}
