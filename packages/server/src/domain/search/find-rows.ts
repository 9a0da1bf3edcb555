/**
 * SQL that finds a thing by its id or the beginning of its name, each by one range of an index. `siteId` is undefined for an
 * operator. No site: an operator finds what the operator may list of all sites.
 */
import type { Db } from '../../store/engine.ts'
import { type SqlBool, sql } from '../../store/kysely.ts'
import { withoutIndex } from '../../store/without-index.ts'

type Site = string | undefined
const ofSite = (db: Db, column: string, siteId: Site) =>
  siteId === undefined ? sql<SqlBool>`1 = 1` : sql<SqlBool>`${withoutIndex(db, column)} = ${siteId}`

/** The last text that begins with this one, by bytes. */
const lastWith = (start: string): string => `${start}\u{10ffff}`

const jobColumns = ['job_id', 'job_name', 'status'] as const

export const jobById = (db: Db, siteId: string, jobId: string) =>
  db
    .selectFrom('jobs')
    .select(jobColumns)
    .where('job_id', '=', jobId)
    .where(ofSite(db, 'site_id', siteId))
    .executeTakeFirst()

export const jobsById = (db: Db, siteId: string, jobIds: readonly string[]) =>
  db
    .selectFrom('jobs')
    .select(jobColumns)
    .where('job_id', 'in', jobIds.length > 0 ? [...jobIds] : [''])
    .where(ofSite(db, 'site_id', siteId))
    .execute()

type SomeJobs = { readonly archived: 0 | 1; readonly limit: number }

/** The newest of those whose names come first. */
export const jobsNamed = (db: Db, siteId: string, start: string, { archived, limit }: SomeJobs) =>
  db
    .selectFrom('jobs')
    .select(jobColumns)
    .where('site_id', '=', siteId)
    .where('archived', '=', archived)
    .where('job_name', '>=', start)
    .where('job_name', '<', lastWith(start))
    .orderBy('job_name')
    .orderBy('created_at')
    .limit(limit)
    .execute()

/** By an order number or a tracking id. */
export const jobsReferred = (
  db: Db,
  siteId: string,
  column: 'po_reference' | 'global_tracking_id',
  text: string,
  { archived, limit }: SomeJobs,
) =>
  db
    .selectFrom('jobs')
    .select(jobColumns)
    .where('site_id', '=', siteId)
    .where('archived', '=', archived)
    .where(column, 'is not', null)
    .where(column, '=', text)
    .orderBy('created_at', 'desc')
    .limit(limit)
    .execute()

/** Ids of jobs with a label that begins so, or with this label and a value that begins so. */
export async function jobsLabelled(
  db: Db,
  siteId: string,
  label: { readonly start: string } | { readonly name: string; readonly value: string },
  limit: number,
): Promise<string[]> {
  const labels = db.selectFrom('job_labels').select('job_id').where('site_id', '=', siteId)
  const rows =
    'start' in label
      ? labels.where('name', '>=', label.start).where('name', '<', lastWith(label.start))
      : labels
          .where('name', '=', label.name)
          .where('value', '>=', label.value)
          .where('value', '<', lastWith(label.value))
  const found = await rows.limit(limit).execute()
  return [...new Set(found.map((row) => row.job_id))]
}

/**
 * A request by its id alone, among the newest jobs. Requests are keyed by their job; an index of random ids would slow every
 * `POST requests` down, so the key is tried for each of these jobs. Not `exists`: PostgreSQL would then scan all requests.
 */
export async function requestOfNewest(
  db: Db,
  siteId: string,
  requestId: string,
  { archived, limit }: SomeJobs,
): Promise<{ job_id: string; request_name: string; status: string; target_language: string } | undefined> {
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

export const fileById = (db: Db, siteId: string, fileId: string) =>
  db
    .selectFrom('files')
    .select(['job_id', 'name'])
    .where('file_id', '=', fileId)
    .where(ofSite(db, 'site_id', siteId))
    .executeTakeFirst()

export const assetById = (db: Db, siteId: string, assetId: string) =>
  db
    .selectFrom('support_assets')
    .select(['job_id', 'description'])
    .where('asset_id', '=', assetId)
    .where(ofSite(db, 'site_id', siteId))
    .executeTakeFirst()

export const tmUpdateById = (db: Db, siteId: string, tmUpdateId: string) =>
  db
    .selectFrom('tm_updates')
    .select(['job_id', 'source_language', 'target_language'])
    .where('tmupdate_id', '=', tmUpdateId)
    .where(ofSite(db, 'site_id', siteId))
    .executeTakeFirst()

export const updateById = (db: Db, siteId: string, updateId: string) =>
  db
    .selectFrom('status_updates')
    .select(['job_id', 'status', 'sequence'])
    .where('update_id', '=', updateId)
    .where(ofSite(db, 'site_id', siteId))
    .executeTakeFirst()

export const deliveryById = (db: Db, siteId: Site, deliveryId: string) =>
  db
    .selectFrom('deliveries')
    .select(['job_id', 'event_type', 'uri'])
    .where('delivery_id', '=', deliveryId)
    .where(ofSite(db, 'site_id', siteId))
    .executeTakeFirst()

export const listenerById = (db: Db, siteId: Site, listenerId: string) =>
  db
    .selectFrom('listeners')
    .select(['type', 'job_uri', 'request_uri'])
    .where('listener_id', '=', listenerId)
    .where(ofSite(db, 'site_id', siteId))
    .executeTakeFirst()

/** A site has at most a thousand. */
export const providersOf = (db: Db, siteId: string) =>
  db.selectFrom('providers').select(['provider_id', 'name']).where('site_id', '=', siteId).limit(1_000).execute()

export const callByTrace = (db: Db, siteId: Site, traceId: string) =>
  db
    .selectFrom('calls')
    .select(['job_id', 'method', 'route', 'status', 'error_code'])
    .where('trace_id', '=', traceId)
    .where(ofSite(db, 'site_id', siteId))
    .orderBy('call_id', 'desc')
    .limit(1)
    .executeTakeFirst()

export const taskById = (db: Db, siteId: Site, taskId: number) =>
  db
    .selectFrom('tasks')
    .select(['name', 'job_id'])
    .where('task_id', '=', taskId)
    .where(ofSite(db, 'site_id', siteId))
    .executeTakeFirst()

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

/** The people with a role in the site, or of all sites: the newest thousand, of which few hubs have more. */
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
