/** SQL of requests, with the names of their files. */
import { awaitsTranslation, requestStatuses } from '@dragoman/contract'
import { sql } from 'kysely'
import type { Db } from '../../../store/database.ts'
import { isPostgres } from '../../../store/lock.ts'
import { type ColumnsOf, insertMany, updateMany } from '../../../store/many-rows.ts'
import { prepared } from '../../../store/prepared.ts'
import type { RequestRow } from '../../../store/tables.ts'
import type { Deliverable, OneRequest, RequestWithFile, WholeRequest } from './request.ts'

const columns: ColumnsOf<'requests'> = {
  request_id: 'text',
  site_id: 'text',
  job_id: 'text',
  position: 'bigint',
  request_name: 'text',
  status: 'text',
  has_error: 'bigint',
  error_message: 'text',
  source_native_id: 'text',
  source_language: 'text',
  target_native_id: 'text',
  target_language: 'text',
  created_at: 'bigint',
  modified_at: 'bigint',
  word_count: 'bigint',
  file_id: 'text',
  content_id: 'text',
  format: 'text',
  provider_reference: 'text',
  reject_note: 'text',
  extended_metadata: 'text',
  translation_file_id: 'text',
  translation_content_id: 'text',
  incoming_file_id: 'text',
  incoming_content_id: 'text',
  warnings: 'text',
  forced: 'bigint',
  last_try: 'text',
  assignee: 'text',
  claimed_at: 'bigint',
  delivered_at: 'bigint',
  is_shared: 'bigint',
  desk_version: 'bigint',
  supersedes: 'text',
  superseded_by: 'text',
  cancel_cause: 'text',
  cause_id: 'text',
}

export const insertRequests = insertMany('requests', columns, {
  alike: [
    'site_id',
    'job_id',
    'status',
    'has_error',
    'created_at',
    'modified_at',
    'forced',
    'is_shared',
    'cause_id',
  ],
})
export const updateRequests = updateMany('requests', columns, ['site_id', 'job_id'], 'request_id')

const requestsOf = (db: Db, siteId: string, jobId: string) =>
  db
    .selectFrom('requests')
    .leftJoin('files', (join) =>
      join
        .onRef('files.file_id', '=', 'requests.file_id')
        .onRef('files.site_id', '=', 'requests.site_id'),
    )
    .select('files.name as file_name')
    .where('requests.site_id', '=', siteId)
    .where('requests.job_id', '=', jobId)

const whole = (db: Db, siteId: string, jobId: string) =>
  requestsOf(db, siteId, jobId).selectAll('requests')

type Light = Exclude<keyof RequestRow, 'extended_metadata'>
const light = (Object.keys(columns) as (keyof RequestRow)[])
  .filter((name): name is Light => name !== 'extended_metadata')
  .map((name) => `requests.${name}` as const)
const withoutMetadata = (db: Db, siteId: string, jobId: string) =>
  requestsOf(db, siteId, jobId).select(light)

/** `languages` are lower-case, with hyphens. */
export type RequestFilter = {
  readonly ids?: readonly string[]
  readonly statuses?: readonly RequestRow['status'][]
  readonly languages?: readonly string[]
}

export function selectRequests(
  db: Db,
  siteId: string,
  jobId: string,
  {
    ids,
    statuses,
    languages,
    after,
    limit,
  }: RequestFilter & { readonly after?: number; readonly limit: number },
): Promise<WholeRequest[]> {
  let query = whole(db, siteId, jobId)
  if (ids) query = query.where('requests.request_id', 'in', [...ids])
  if (statuses) query = query.where('requests.status', 'in', [...statuses])
  if (languages)
    query = query.where(sql<string>`lower(replace(requests.target_language, '_', '-'))`, 'in', [
      ...languages,
    ])
  if (after !== undefined) query = query.where('requests.position', '>', after)
  return query.orderBy('requests.position').limit(limit).execute()
}

/** All of a job. Their metadata, of up to 64 KiB each, would not fit into memory. */
export function selectLight(db: Db, siteId: string, jobId: string): Promise<RequestWithFile[]> {
  return withoutMetadata(db, siteId, jobId).orderBy('requests.position').execute()
}

type RequestPlace = { siteId: string; jobId: string; requestId: string }
const oneOf = (db: Db, { siteId, jobId, requestId }: RequestPlace) =>
  whole(db, siteId, jobId)
    .leftJoin('machine_work', (join) =>
      join
        .onRef('machine_work.job_id', '=', 'requests.job_id')
        .onRef('machine_work.request_id', '=', 'requests.request_id')
        .onRef('machine_work.site_id', '=', 'requests.site_id')
        .on('machine_work.drafts', 'is not', null),
    )
    .select('machine_work.translation_id as drafts_id')
    .where('requests.request_id', '=', requestId)
const selectOne = prepared<RequestPlace, OneRequest>(oneOf)
const lockOne = prepared<RequestPlace, OneRequest>((tx, at) =>
  isPostgres(tx) ? oneOf(tx, at).forUpdate('requests') : oneOf(tx, at),
)

export const selectRequest = async (
  db: Db,
  siteId: string,
  jobId: string,
  requestId: string,
): Promise<OneRequest | undefined> => (await selectOne(db, { siteId, jobId, requestId }))[0]

/** Locks it until the transaction ends. */
export const selectRequestLocked: typeof selectRequest = async (tx, siteId, jobId, requestId) =>
  (await lockOne(tx, { siteId, jobId, requestId }))[0]

/** A request, and how large its metadata is; 0 if it has none. */
export type FoundRequest = RequestWithFile & { metadata_bytes: number }

export function selectRequestsById(
  db: Db,
  siteId: string,
  jobId: string,
  requestIds: readonly string[],
): Promise<FoundRequest[]> {
  return withoutMetadata(db, siteId, jobId)
    .select(sql<number>`coalesce(octet_length(requests.extended_metadata), 0)`.as('metadata_bytes'))
    .where('requests.request_id', 'in', [...requestIds])
    .execute()
}

/** All of a job: no more than the quota of requests. */
export function selectAllFound(db: Db, siteId: string, jobId: string): Promise<FoundRequest[]> {
  return withoutMetadata(db, siteId, jobId)
    .select(sql<number>`coalesce(octet_length(requests.extended_metadata), 0)`.as('metadata_bytes'))
    .orderBy('requests.position')
    .execute()
}

export function selectMetadata(
  db: Db,
  siteId: string,
  jobId: string,
  requestIds: readonly string[],
): Promise<Pick<RequestRow, 'request_id' | 'extended_metadata'>[]> {
  return db
    .selectFrom('requests')
    .select(['request_id', 'extended_metadata'])
    .where('site_id', '=', siteId)
    .where('job_id', '=', jobId)
    .where('request_id', 'in', [...requestIds])
    .execute()
}

/** Requests that have metadata, in a range of positions. */
export function selectGivenMetadata(
  db: Db,
  siteId: string,
  jobId: string,
  { after, limit }: { readonly after: number; readonly limit: number },
): Promise<{ request_id: string; position: number; extended_metadata: string | null }[]> {
  return db
    .selectFrom('requests')
    .select(['request_id', 'position', 'extended_metadata'])
    .where('site_id', '=', siteId)
    .where('job_id', '=', jobId)
    .where('position', '>', after)
    .where('extended_metadata', 'is not', null)
    .orderBy('position')
    .limit(limit)
    .execute()
}

export type Measured = { readonly count: number; readonly files: number; readonly last: number }

/** The number of requests, how many of them have a file, and the last position. */
export async function measureRequests(db: Db, siteId: string, jobId: string): Promise<Measured> {
  const row = await db
    .selectFrom('requests')
    .select((eb) => [eb.fn.countAll().as('count'), eb.fn.count('file_id').as('files')])
    .select((eb) => eb.fn.max('position').as('last'))
    .where('site_id', '=', siteId)
    .where('job_id', '=', jobId)
    .executeTakeFirstOrThrow()
  return { count: Number(row.count), files: Number(row.files), last: Number(row.last ?? 0) }
}

export async function removeRequest(
  db: Db,
  siteId: string,
  jobId: string,
  requestId: string,
): Promise<void> {
  await db
    .deleteFrom('requests')
    .where('site_id', '=', siteId)
    .where('job_id', '=', jobId)
    .where('request_id', '=', requestId)
    .execute()
}

/** Counts requests that are not cancelled. */
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

/** Requests in a range of positions: large jobs are translated range by range. */
export function selectRange(
  db: Db,
  siteId: string,
  jobId: string,
  range: { after: number; until?: number; limit: number },
): Promise<RequestWithFile[]> {
  const { after, until, limit } = range
  let query = withoutMetadata(db, siteId, jobId).where('requests.position', '>', after)
  if (until !== undefined) query = query.where('requests.position', '<=', until)
  return query.orderBy('requests.position').limit(limit).execute()
}

/** Requests in a range of positions, optionally of some statuses, ordered by position. */
export function selectMovable(
  db: Db,
  siteId: string,
  jobId: string,
  range: {
    after: number
    until?: number
    statuses?: readonly RequestRow['status'][]
    limit: number
  },
): Promise<Deliverable[]> {
  const { after, until, statuses, limit } = range
  let query = db
    .selectFrom('requests')
    .select(['request_id', 'site_id', 'job_id', 'status', 'reject_note'])
    .select(['translation_file_id', 'translation_content_id'])
    .where('site_id', '=', siteId)
    .where('job_id', '=', jobId)
    .where('position', '>', after)
  if (until !== undefined) query = query.where('position', '<=', until)
  if (statuses) query = query.where('status', 'in', [...statuses])
  return query.orderBy('position').limit(limit).execute()
}

/** The distinct language pairs of a job. */
export function selectLanguagePairs(
  db: Db,
  siteId: string,
  jobId: string,
): Promise<{ source_language: string; target_language: string }[]> {
  return db
    .selectFrom('requests')
    .select(['source_language', 'target_language'])
    .distinct()
    .where('site_id', '=', siteId)
    .where('job_id', '=', jobId)
    .execute()
}

/** The first request whose file is not completely uploaded. */
export function selectUnready(
  db: Db,
  siteId: string,
  jobId: string,
): Promise<{ file_id: string } | undefined> {
  return db
    .selectFrom('requests')
    .innerJoin('files', (join) =>
      join
        .onRef('files.file_id', '=', 'requests.file_id')
        .onRef('files.site_id', '=', 'requests.site_id'),
    )
    .select('files.file_id')
    .where('requests.site_id', '=', siteId)
    .where('requests.job_id', '=', jobId)
    .where('files.state', '=', 'expected')
    .orderBy('requests.position')
    .limit(1)
    .executeTakeFirst()
}

/** The last failed try of the first request of a range that has one. */
export async function selectLastTry(
  db: Db,
  siteId: string,
  jobId: string,
  range: { after: number; until: number },
): Promise<string | undefined> {
  const row = await db
    .selectFrom('requests')
    .select('last_try')
    .where('site_id', '=', siteId)
    .where('job_id', '=', jobId)
    .where('position', '>', range.after)
    .where('position', '<=', range.until)
    .where('last_try', 'is not', null)
    .orderBy('position')
    .limit(1)
    .executeTakeFirst()
  return row?.last_try ?? undefined
}

/** Saves the last failed try with the requests of a range that wait for a translation. */
export async function setLastTry(
  db: Db,
  at: {
    readonly siteId: string
    readonly jobId: string
    readonly after: number
    readonly until: number
  },
  lastTry: string,
): Promise<void> {
  await db
    .updateTable('requests')
    .set({ last_try: lastTry })
    .where('site_id', '=', at.siteId)
    .where('job_id', '=', at.jobId)
    .where('position', '>', at.after)
    .where('position', '<=', at.until)
    .where('status', 'in', requestStatuses.filter(awaitsTranslation))
    .execute()
}

/** What reviewers said of segments of these requests. */
export function selectReviews(
  db: Db,
  siteId: string,
  jobId: string,
  requestIds: readonly string[],
): Promise<{ request_id: string; review: string | null }[]> {
  return db
    .selectFrom('drafts')
    .select(['request_id', 'review'])
    .where('site_id', '=', siteId)
    .where('job_id', '=', jobId)
    .where('request_id', 'in', [...requestIds])
    .where('review', 'is not', null)
    .execute()
}
