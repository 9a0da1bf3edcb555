/** SQL of drafts, and of who has claimed a request. */
import { HubError, type Role } from '@dragoman/contract'
import type { Db } from '../../store/database.ts'
import { lock } from '../../store/lock.ts'
import { type ColumnsOf, onRows } from '../../store/many-rows.ts'
import { prepared } from '../../store/prepared.ts'
import type { DraftRow, RequestRow } from '../../store/tables.ts'

type LockedRequest = Pick<RequestRow, 'request_id' | 'status' | 'assignee'>
export type RequestPath = {
  readonly siteId: string
  readonly jobId: string
  readonly requestId: string
}

const draftsOf = (db: Db, { siteId, jobId, requestId }: RequestPath) =>
  db
    .selectFrom('drafts')
    .selectAll()
    .where('site_id', '=', siteId)
    .where('job_id', '=', jobId)
    .where('request_id', '=', requestId)

const selectOne = prepared<RequestPath & { segmentId: string }, DraftRow>((db, at) =>
  draftsOf(db, at).where('segment_id', '=', at.segmentId),
)

/** Those of some segments, or all of them. */
export function selectDrafts(
  db: Db,
  at: RequestPath,
  segmentIds?: readonly string[],
): Promise<DraftRow[]> {
  const [segmentId] = segmentIds ?? []
  if (segmentId !== undefined && segmentIds?.length === 1)
    return selectOne(db, { ...at, segmentId })
  const drafts = draftsOf(db, at)
  return (segmentIds ? drafts.where('segment_id', 'in', [...segmentIds]) : drafts).execute()
}

/** The first of them: one more than `most` tells that there are more. */
export const selectFirstDrafts = (
  db: Db,
  at: RequestPath,
  most: number,
): Promise<Pick<DraftRow, 'segment_id' | 'bytes'>[]> =>
  draftsOf(db, at)
    .clearSelect()
    .select(['segment_id', 'bytes'])
    .limit(most + 1)
    .execute()

/** The bytes of their targets. */
export const selectDraftSizes = (
  db: Db,
  at: RequestPath,
  segmentIds: readonly string[],
): Promise<Pick<DraftRow, 'segment_id' | 'bytes'>[]> =>
  draftsOf(db, at)
    .clearSelect()
    .select(['segment_id', 'bytes'])
    .where('segment_id', 'in', [...segmentIds])
    .execute()

/** Segments with these targets, as far as they were written here. */
export async function selectByDigest(
  db: Db,
  { siteId, jobId, requestId }: RequestPath,
  digests: readonly string[],
): Promise<string[]> {
  if (digests.length === 0) return []
  const rows = await db
    .selectFrom('drafts')
    .select('segment_id')
    .where('site_id', '=', siteId)
    .where('job_id', '=', jobId)
    .where('request_id', '=', requestId)
    .where('target_digest', 'in', [...digests])
    .limit(mostAlike)
    .execute()
  return rows.map(({ segment_id }) => segment_id)
}
/** More than these are not compared. */
const mostAlike = 2_000

/** Grows with every change of a draft, and with every delivery. */
export async function selectDraftMark(
  db: Db,
  { siteId, jobId, requestId }: RequestPath,
  { desk_version }: Pick<RequestRow, 'desk_version'>,
): Promise<number> {
  const { mark } = await db
    .selectFrom('drafts')
    .select(({ fn }) => fn.sum<number | null>('version').as('mark'))
    .where('site_id', '=', siteId)
    .where('job_id', '=', jobId)
    .where('request_id', '=', requestId)
    .executeTakeFirstOrThrow()
  return Number(mark ?? 0) + (desk_version ?? 0)
}

const columns: ColumnsOf<'drafts'> = {
  site_id: 'text',
  job_id: 'text',
  request_id: 'text',
  segment_id: 'text',
  target: 'text',
  state: 'text',
  version: 'bigint',
  bytes: 'bigint',
  changed_by: 'text',
  by_person: 'bigint',
  changed_at: 'bigint',
  delivered: 'text',
  previous: 'text',
  replaced: 'text',
  review: 'text',
  previous_review: 'text',
  kept: 'text',
  delivered_kept: 'text',
  target_digest: 'text',
  spent_ms: 'bigint',
  words: 'bigint',
  filled: 'text',
}
const names = Object.keys(columns)
/** Who writes a target writes nothing of these: they are a delivery's and a reviewer's. */
const others = ['delivered', 'previous', 'replaced', 'review', 'previous_review', 'delivered_kept']
const stays = new Set(['site_id', 'job_id', 'request_id', 'segment_id', ...others])
const changes = names.filter((name) => !stays.has(name)).map((name) => `${name} = excluded.${name}`)

/** `where true`: else SQLite would take the conflict clause for the condition of a join. */
const insert = onRows<ColumnsOf<'drafts'>, Pick<DraftRow, 'segment_id'>>(
  columns,
  () => `insert into drafts (${names.join(', ')}) select ${names.join(', ')} from given where true
    on conflict (job_id, request_id, segment_id) do update set ${changes.join(', ')}
    where drafts.version < excluded.version returning segment_id`,
)

/**
 * Writes those whose version is higher than that of the row in the table, and returns how many. No
 * site: the rows name it, and the caller found their request there.
 */
export const writeDrafts = async (tx: Db, rows: readonly DraftRow[]): Promise<number> =>
  (await insert(tx, rows)).length

/** The row of a reviewer's verdict; nothing else of the draft changes. No site: as above. */
export async function writeReview(tx: Db, row: DraftRow): Promise<void> {
  await tx
    .insertInto('drafts')
    .values(row)
    .onConflict((conflict) =>
      conflict
        .columns(['job_id', 'request_id', 'segment_id'])
        .doUpdateSet(({ ref }) => ({ review: ref('excluded.review') })),
    )
    .execute()
}

/** The row of a delivered target; nothing else of the draft changes. No site: as above. */
export async function writeDelivered(tx: Db, row: DraftRow): Promise<void> {
  await tx
    .insertInto('drafts')
    .values(row)
    .onConflict((conflict) =>
      conflict
        .columns(['job_id', 'request_id', 'segment_id'])
        .doUpdateSet(({ ref }) => ({ delivered: ref('excluded.delivered') })),
    )
    .execute()
}

const selectLocked = prepared<RequestPath, LockedRequest>((tx, { siteId, jobId, requestId }) =>
  lock(
    tx,
    tx
      .selectFrom('requests')
      .select(['request_id', 'status', 'assignee'])
      .where('site_id', '=', siteId)
      .where('job_id', '=', jobId)
      .where('request_id', '=', requestId),
  ),
)

/**
 * Locks the request until the transaction ends: its targets are not written while they are
 * delivered.
 */
export async function lockRequest(tx: Db, path: RequestPath): Promise<LockedRequest> {
  const [row] = await selectLocked(tx, path)
  if (!row) throw new HubError('REQUEST_NOT_FOUND', { requestId: path.requestId })
  return row
}

/**
 * A person of the site who may work for the provider: an admin, or one whose roles are given with
 * it.
 */
export async function selectWorker(
  db: Db,
  siteId: string,
  personId: string,
): Promise<{ name: string; role: Role; providers: string | null; languages: string | null }[]> {
  return db
    .selectFrom('person_roles')
    .innerJoin('people', 'people.person_id', 'person_roles.person_id')
    .select([
      'people.name',
      'person_roles.role',
      'person_roles.providers',
      'person_roles.languages',
    ])
    .where('person_roles.site_id', '=', siteId)
    .where('person_roles.person_id', '=', personId)
    .where('people.disabled_at', 'is', null)
    .execute()
}
