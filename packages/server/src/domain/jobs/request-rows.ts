/** SQL of requests, with the names of their files. */
import { sql } from 'kysely'
import type { Db } from '../../store/engine.ts'
import { insertMany } from '../../store/insert-many.ts'
import type { RequestRow } from '../../store/tables.ts'

const columns: Record<keyof RequestRow, true> = {
  request_id: true,
  site_id: true,
  job_id: true,
  position: true,
  request_name: true,
  status: true,
  has_error: true,
  error_message: true,
  source_native_id: true,
  source_language: true,
  target_native_id: true,
  target_language: true,
  created_at: true,
  modified_at: true,
  word_count: true,
  file_id: true,
  content_id: true,
  provider_reference: true,
  reject_note: true,
  extended_metadata: true,
  translation_file_id: true,
  translation_content_id: true,
  incoming_file_id: true,
  incoming_content_id: true,
  cause_id: true,
}

export const insertRequests = insertMany('requests', columns)
/** Rows that were read under the lock of their job and are written back changed. */
export const replaceRequests = insertMany('requests', columns, 'request_id')

export type RequestWithFile = RequestRow & { file_name: string | null }

const withFiles = (db: Db, siteId: string, jobId: string) =>
  db
    .selectFrom('requests')
    .leftJoin('files', 'files.file_id', 'requests.file_id')
    .selectAll('requests')
    .select('files.name as file_name')
    .where('requests.site_id', '=', siteId)
    .where('requests.job_id', '=', jobId)

/** `languages` are in small letters, with hyphens. */
export type RequestFilter = {
  readonly ids?: readonly string[]
  readonly statuses?: readonly RequestRow['status'][]
  readonly languages?: readonly string[]
}

export function selectRequests(
  db: Db,
  siteId: string,
  jobId: string,
  filter: RequestFilter,
  page: { after?: number; limit: number },
): Promise<RequestWithFile[]> {
  const { ids, statuses, languages } = filter
  let query = withFiles(db, siteId, jobId)
  if (ids) query = query.where('requests.request_id', 'in', [...ids])
  if (statuses) query = query.where('requests.status', 'in', [...statuses])
  if (languages)
    query = query.where(sql<string>`lower(replace(requests.target_language, '_', '-'))`, 'in', [...languages])
  if (page.after !== undefined) query = query.where('requests.position', '>', page.after)
  return query.orderBy('requests.position').limit(page.limit).execute()
}

export function selectRequestsById(
  db: Db,
  siteId: string,
  jobId: string,
  requestIds: readonly string[],
): Promise<RequestWithFile[]> {
  return withFiles(db, siteId, jobId)
    .where('requests.request_id', 'in', [...requestIds])
    .execute()
}

/** How many there are, and the position of the last one. */
export async function measureRequests(db: Db, siteId: string, jobId: string): Promise<{ count: number; last: number }> {
  const row = await db
    .selectFrom('requests')
    .select((eb) => [eb.fn.countAll().as('count'), eb.fn.max('position').as('last')])
    .where('site_id', '=', siteId)
    .where('job_id', '=', jobId)
    .executeTakeFirstOrThrow()
  return { count: Number(row.count), last: Number(row.last ?? 0) }
}

export async function removeRequest(db: Db, siteId: string, jobId: string, requestId: string): Promise<void> {
  await db
    .deleteFrom('requests')
    .where('site_id', '=', siteId)
    .where('job_id', '=', jobId)
    .where('request_id', '=', requestId)
    .execute()
}

/** Requests that are not cancelled. */
export async function countOpenRequests(db: Db, siteId: string, jobId: string): Promise<number> {
  const row = await db
    .selectFrom('requests')
    .select((eb) => eb.fn.countAll().as('open'))
    .where('site_id', '=', siteId)
    .where('job_id', '=', jobId)
    .where('status', '<>', 'CANCELLED')
    .executeTakeFirstOrThrow()
  return Number(row.open)
}

/** A stretch of the job by position: the pieces in which a large job is sent and translated. */
export function selectStretch(
  db: Db,
  siteId: string,
  jobId: string,
  stretch: { after: number; until?: number; status?: RequestRow['status']; limit: number },
): Promise<RequestWithFile[]> {
  const { after, until, status, limit } = stretch
  let query = withFiles(db, siteId, jobId).where('requests.position', '>', after)
  if (until !== undefined) query = query.where('requests.position', '<=', until)
  if (status !== undefined) query = query.where('requests.status', '=', status)
  return query.orderBy('requests.position').limit(limit).execute()
}

/** The first request whose file has not arrived whole. */
export function selectUnready(db: Db, siteId: string, jobId: string): Promise<{ file_id: string } | undefined> {
  return db
    .selectFrom('requests')
    .innerJoin('files', 'files.file_id', 'requests.file_id')
    .select('files.file_id')
    .where('requests.site_id', '=', siteId)
    .where('requests.job_id', '=', jobId)
    .where('files.state', '=', 'expected')
    .orderBy('requests.position')
    .limit(1)
    .executeTakeFirst()
}
