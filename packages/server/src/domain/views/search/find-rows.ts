/**
 * SQL that finds a thing by its id or the beginning of its name, each by one range of an index.
 * `siteId` is undefined for an operator. No site: an operator finds what the operator may list of
 * all sites.
 */

import { type Selectable, type SqlBool, sql } from 'kysely'
import type { Db } from '../../../store/database.ts'
import type { Tables } from '../../../store/tables.ts'
import { withoutIndex } from '../../../store/without-index.ts'

type Site = string | undefined
const ofSite = (db: Db, column: string, siteId: Site) =>
  siteId === undefined ? sql<SqlBool>`1 = 1` : sql<SqlBool>`${withoutIndex(db, column)} = ${siteId}`

/** The last text that begins with this one, by bytes. */
const lastWith = (start: string): string => `${start}\u{10ffff}`

export type RowOf<T extends keyof Tables> = Selectable<Tables[T]>

/** A table whose rows are found by a unique key, and the columns that are shown. */
export type Keyed<T extends keyof Tables, C extends keyof RowOf<T>> = {
  readonly table: T
  readonly key: keyof Tables[T] & string
  readonly columns: readonly (C & string)[]
  /** If several rows have the key: the column that finds the newest. */
  readonly newestBy?: keyof Tables[T] & string
}

export async function rowById<T extends keyof Tables, C extends keyof RowOf<T>>(
  db: Db,
  siteId: Site,
  { table, key, columns, newestBy }: Keyed<T, C>,
  id: string | number,
): Promise<Pick<RowOf<T>, C> | undefined> {
  const names = sql.join(columns.map((name) => sql.ref(name)))
  const newest = newestBy ? sql`order by ${sql.ref(newestBy)} desc` : sql``
  const { rows } = await sql<Pick<RowOf<T>, C>>`select ${names} from ${sql.table(table)}
    where ${sql.ref(key)} = ${id} and ${ofSite(db, 'site_id', siteId)} ${newest} limit 1`.execute(
    db,
  )
  return rows[0]
}

const jobColumns = ['job_id', 'job_name', 'status', 'po_reference', 'global_tracking_id'] as const
export type JobText = Pick<RowOf<'jobs'>, (typeof jobColumns)[number]>

export const keyed = {
  job: { table: 'jobs', key: 'job_id', columns: jobColumns },
  delivery: { table: 'deliveries', key: 'delivery_id', columns: ['job_id', 'event_type', 'uri'] },
  listener: { table: 'listeners', key: 'listener_id', columns: ['type', 'job_uri', 'request_uri'] },
  update: { table: 'status_updates', key: 'update_id', columns: ['job_id', 'status', 'sequence'] },
  asset: {
    table: 'support_assets',
    key: 'asset_id',
    columns: ['asset_id', 'job_id', 'description'],
  },
  tmupdate: {
    table: 'tm_updates',
    key: 'tmupdate_id',
    columns: ['job_id', 'source_language', 'target_language'],
  },
  file: { table: 'files', key: 'file_id', columns: ['job_id', 'name'] },
  task: { table: 'tasks', key: 'task_id', columns: ['name', 'job_id'] },
  call: {
    table: 'calls',
    key: 'trace_id',
    columns: ['job_id', 'method', 'route', 'status', 'error_code'],
    newestBy: 'call_id',
  },
} as const

export const jobsById = (db: Db, siteId: string, jobIds: readonly string[]) =>
  db
    .selectFrom('jobs')
    .select(jobColumns)
    .where('job_id', 'in', jobIds.length > 0 ? [...jobIds] : [''])
    .where(ofSite(db, 'site_id', siteId))
    .execute()

/** Ids of jobs with this label and a value that begins so. */
export async function jobsLabelled(
  db: Db,
  siteId: string,
  { name, value }: { readonly name: string; readonly value: string },
  limit: number,
): Promise<string[]> {
  const found = await db
    .selectFrom('job_labels')
    .select('job_id')
    .where('site_id', '=', siteId)
    .where('name', '=', name)
    .where('value', '>=', value)
    .where('value', '<', lastWith(value))
    .limit(limit)
    .execute()
  return [...new Set(found.map((row) => row.job_id))]
}

type SomeJobs = { readonly archived: 0 | 1; readonly limit: number }

/** When the last of the newest jobs was created; 0 if there are fewer. */
export async function createdAfter(
  db: Db,
  siteId: string,
  { archived, limit }: SomeJobs,
): Promise<number> {
  const row = await db
    .selectFrom('jobs')
    .select('created_at')
    .where('site_id', '=', siteId)
    .where('archived', '=', archived)
    .orderBy('created_at', 'desc')
    .offset(limit - 1)
    .limit(1)
    .executeTakeFirst()
  return row?.created_at ?? 0
}

export const labelsOf = (db: Db, siteId: string, jobIds: readonly string[]) =>
  db
    .selectFrom('job_labels')
    .select(['job_id', 'name', 'value'])
    .where('job_id', 'in', jobIds.length > 0 ? [...jobIds] : [''])
    .where(ofSite(db, 'site_id', siteId))
    .execute()

/**
 * A request by its id alone, among the newest jobs. Requests are keyed by their job; an index of
 * random ids would slow every `POST requests` down, so the key is tried for each of these jobs. Not
 * `exists`: PostgreSQL would then scan all requests.
 */
export async function requestOfNewest(
  db: Db,
  siteId: string,
  requestId: string,
  { archived, limit }: SomeJobs,
): Promise<
  { job_id: string; request_name: string; status: string; target_language: string } | undefined
> {
  const jobs = db
    .selectFrom('jobs')
    .select('job_id')
    .where('site_id', '=', siteId)
    .where('archived', '=', archived)
    .orderBy('created_at', 'desc')
    .orderBy('job_id', 'desc')
    .limit(limit)
  const holder = await db
    .selectFrom(jobs.as('newest'))
    .select('newest.job_id')
    .where(
      sql<SqlBool>`(select r.position from requests r where r.job_id = newest.job_id and r.request_id = ${requestId} limit 1) is not null`,
    )
    .limit(1)
    .executeTakeFirst()
  if (!holder) return undefined
  return db
    .selectFrom('requests')
    .select(['job_id', 'request_name', 'status', 'target_language'])
    .where('job_id', '=', holder.job_id)
    .where('request_id', '=', requestId)
    .where('site_id', '=', siteId)
    .executeTakeFirst()
}

/** A site has at most a thousand. */
export const providersOf = (db: Db, siteId: string) =>
  db
    .selectFrom('providers')
    .select(['provider_id', 'name'])
    .where('site_id', '=', siteId)
    .limit(1_000)
    .execute()

export const clientsNamed = (db: Db, siteId: Site, start: string, limit: number) =>
  db
    .selectFrom('clients')
    .select('client_id')
    .$if(siteId !== undefined, (query) => query.where('site_id', '=', siteId ?? ''))
    .where('client_id', '>=', start)
    .where('client_id', '<', lastWith(start))
    .orderBy('client_id')
    .limit(limit)
    .execute()

/**
 * The people with a role in the site, or of all sites: the newest thousand, of which few hubs have
 * more.
 */
export const newestPeople = (db: Db, siteId: Site) =>
  db
    .selectFrom('people')
    .select(['person_id', 'name', 'email'])
    .$if(siteId !== undefined, (query) =>
      query.where(
        'person_id',
        'in',
        db
          .selectFrom('person_roles')
          .select('person_id')
          .where('site_id', '=', siteId ?? ''),
      ),
    )
    .orderBy('created_at', 'desc')
    .orderBy('person_id', 'desc')
    .limit(1_000)
    .execute()
