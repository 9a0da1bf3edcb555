/**
 * SQL of the integrity check. Each query returns faulty rows, at most `maxFindings`. No site:
 * `dragoman check` covers all sites.
 */
import type { ArchiveStatus, JobStatus, RequestStatus } from '@dragoman/contract'
import { sql } from 'kysely'
import type { Db } from '../../../store/database.ts'

const maxFindings = 1_000
const page = 500

export const jobsOutside = (
  db: Db,
  statuses: readonly JobStatus[],
  archiveStatuses: readonly ArchiveStatus[],
) =>
  db
    .selectFrom('jobs')
    .select(['site_id', 'job_id', 'status', 'archive_status'])
    .where((eb) =>
      eb.or([eb('status', 'not in', statuses), eb('archive_status', 'not in', archiveStatuses)]),
    )
    .limit(maxFindings)
    .execute()

export const requestsOutside = (db: Db, statuses: readonly RequestStatus[]) =>
  db
    .selectFrom('requests')
    .select(['site_id', 'request_id', 'status'])
    .where('status', 'not in', statuses)
    .limit(maxFindings)
    .execute()

export const jobsWithWrongFlag = (db: Db, archived: readonly ArchiveStatus[]) =>
  db
    .selectFrom('jobs')
    .select(['site_id', 'job_id', 'archived', 'archive_status'])
    .where((eb) =>
      eb.or([
        eb.and([eb('archived', '=', 1), eb('archive_status', 'not in', archived)]),
        eb.and([eb('archived', '<>', 1), eb('archive_status', 'in', archived)]),
      ]),
    )
    .limit(maxFindings)
    .execute()

/** archive-job.ts defines the key of the task. */
export const jobsWithoutTask = (db: Db) =>
  db
    .selectFrom('jobs')
    .select(['site_id', 'job_id', 'archive_status'])
    .where('archive_status', 'in', ['ARCHIVING', 'UNARCHIVING'])
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('tasks')
            .select('task_id')
            .where(
              'tasks.key',
              '=',
              sql<string>`case when jobs.archive_status = 'ARCHIVING' then 'archive:' else 'unarchive:' end || jobs.job_id`,
            ),
        ),
      ),
    )
    .limit(maxFindings)
    .execute()

export type Label = { readonly name: string; readonly value: string | null }
export type LabelledJob = { site_id: string; job_id: string; labels: string | null; rows: Label[] }

/** Jobs with labels or label rows, page by page. */
export async function* labelledJobs(db: Db): AsyncGenerator<LabelledJob> {
  let after = ''
  for (;;) {
    const found = await db
      .selectFrom((eb) =>
        eb
          .selectFrom('jobs')
          .select(['site_id', 'job_id', 'labels'])
          .where('job_id', '>', after)
          .orderBy('job_id')
          .limit(page)
          .as('some'),
      )
      .leftJoin('job_labels', 'job_labels.job_id', 'some.job_id')
      .select(['some.site_id', 'some.job_id', 'some.labels', 'job_labels.name', 'job_labels.value'])
      .orderBy('some.job_id')
      .execute()
    const jobs = new Map<string, LabelledJob>()
    for (const { site_id, job_id, labels, name, value } of found) {
      const job = jobs.get(job_id) ?? { site_id, job_id, labels, rows: [] }
      jobs.set(job_id, job)
      if (name !== null) job.rows.push({ name, value })
      after = job_id
    }
    yield* jobs.values()
    if (jobs.size < page) return
  }
}

export type LostReference = {
  thing: string
  siteId: string | null
  id: string
  kind: string
  to: string
}

/** References to rows that do not exist, within the same site. */
export async function lostReferences(db: Db): Promise<LostReference[]> {
  const lost: LostReference[] = []
  for (const [thing, id, kind, from, column, where] of references) {
    const statement = sql<{ siteId: string | null; id: string; to: string }>`
      select s.site_id as "siteId", ${sql.raw(id)} as id, ${sql.raw(column)} as "to" from ${sql.raw(from)}
      where ${sql.raw(column)} is not null and not exists (${sql.raw(where)}) limit ${sql.lit(maxFindings)}`
    for (const row of (await statement.execute(db)).rows) lost.push({ thing, kind, ...row })
  }
  return lost
}

const site = 'select 1 from sites where sites.site_id = s.site_id'
const job = 'select 1 from jobs where jobs.job_id = s.job_id and jobs.site_id = s.site_id'
const file =
  'select 1 from files where files.file_id = s.file_id and files.job_id = s.job_id and files.site_id = s.site_id'
const content =
  'select 1 from source_contents c where c.content_id = s.content_id and c.job_id = s.job_id and c.site_id = s.site_id'
/**
 * Thing, its id, kind of reference, its rows (always as `s`), the column, and the query for the
 * referenced row.
 */
const references: readonly (readonly [string, string, string, string, string, string])[] = [
  // An operator's client has no site.
  ['client', 's.client_id', 'site', 'clients s', "nullif(s.site_id, '')", site],
  ['provider', 's.provider_id', 'site', 'providers s', 's.site_id', site],
  ['job', 's.job_id', 'site', 'jobs s', 's.site_id', site],
  ['request', 's.request_id', 'job', 'requests s', 's.job_id', job],
  ['file', 's.file_id', 'job', 'files s', 's.job_id', job],
  ['source content', 's.content_id', 'job', 'source_contents s', 's.job_id', job],
  ['request', 's.request_id', 'file', 'requests s', 's.file_id', file],
  ['request', 's.request_id', 'source content', 'requests s', 's.content_id', content],
  ['support asset', 's.asset_id', 'file', 'support_assets s', 's.file_id', file],
  ['TM update', 's.tmupdate_id', 'file', 'tm_updates s', 's.file_id', file],
  ['label', 's.name', 'job', 'job_labels s', 's.job_id', job],
  ['move', 's.move_id', 'job', 'moves s', 's.job_id', job],
  ['analysis code', 's.code_id', 'site', 'analysis_codes s', 's.site_id', site],
  ['term', 's.term_id', 'site', 'terms s', 's.site_id', site],
  ['price list', 's.price_list_id', 'site', 'price_lists s', 's.site_id', site],
  [
    'job',
    's.job_id',
    'analysis code',
    'job_codes s',
    's.code_id',
    'select 1 from analysis_codes c where c.code_id = s.code_id and c.site_id = s.site_id',
  ],
  [
    'job',
    's.job_id',
    'provider',
    'jobs s',
    's.provider_id',
    'select 1 from providers p where p.provider_id = s.provider_id and p.site_id = s.site_id',
  ],
  [
    'client',
    'c.client_id',
    'provider',
    'client_providers c left join clients s on s.client_id = c.client_id',
    'c.provider_id',
    'select 1 from providers p where p.provider_id = c.provider_id and p.site_id = s.site_id',
  ],
]

export const ownQuotas = (db: Db) =>
  db
    .selectFrom('clients')
    .select(['site_id', 'quotas'])
    .where('quotas', 'is not', null)
    .$narrowType<{ quotas: string }>()
    .execute()

/** The table of each quota, and which of its rows count. */
const counted = {
  MaxReqsPerJob: sql`requests`,
  MaxSupportAssetsPerJob: sql`support_assets`,
  MaxFilesPerJob: sql`files where holds_bytes = 1 and kind = 'source'`,
} as const
type CountedQuota = keyof typeof counted
export const countedQuotas = Object.keys(counted) as CountedQuota[]

export async function jobsOfMore(db: Db, quota: CountedQuota, than: number) {
  const { rows } = await sql<{ site_id: string; job_id: string; count: number }>`
    select site_id, job_id, count(*) as count from ${counted[quota]}
    group by site_id, job_id having count(*) > ${than} limit ${sql.lit(maxFindings)}`.execute(db)
  return rows.map((job) => ({ ...job, count: Number(job.count) }))
}

export const overdueLeases = (db: Db, before: number) =>
  db
    .selectFrom('tasks')
    .select(['site_id', 'task_id', 'name', 'leased_by'])
    .where('parked', '=', 0)
    .where('lease_until', '<', before)
    .orderBy('task_id')
    .limit(maxFindings)
    .execute()

export const parkedTasks = (db: Db) =>
  db
    .selectFrom('tasks')
    .select(['site_id', 'task_id', 'name', 'attempts', 'last_error'])
    .where('parked', '=', 1)
    .orderBy('task_id')
    .limit(maxFindings)
    .execute()
