/** SQL of comments. */
import { type SqlBool, sql } from 'kysely'
import type { Db } from '../../../store/database.ts'
import { lock } from '../../../store/lock.ts'
import type { CommentRow } from '../../../store/tables.ts'

export type Place = { readonly siteId: string; readonly jobId: string }

export async function insertComment(tx: Db, row: CommentRow): Promise<void> {
  await tx.insertInto('comments').values(row).execute()
}

/** With the names of the people who wrote it and answered it, as far as they are there. */
export type NamedComment = CommentRow & {
  readonly writer: string | null
  readonly answerer: string | null
}

/** How many there are, and the last position. */
export async function measureComments(
  tx: Db,
  { siteId, jobId }: Place,
): Promise<{ readonly count: number; readonly last: number }> {
  const { count, last } = await tx
    .selectFrom('comments')
    .select(({ fn }) => [
      fn.countAll().as('count'),
      fn.coalesce(fn.max('position'), sql<number>`0`).as('last'),
    ])
    .where('site_id', '=', siteId)
    .where('job_id', '=', jobId)
    .executeTakeFirstOrThrow()
  return { count: Number(count), last: Number(last) }
}

/** No comment of one side to its own team is shown to the connector's. */
const shownToConnector = sql<SqlBool>`(comments.addressee = 'CONNECTOR' or comments.side = 'connector')`

export type CommentFilter = {
  readonly forConnector: boolean
  /** Lower-case: comments of other languages are left out, but for answers at segments. */
  readonly languages?: readonly string[] | undefined
  readonly ids?: readonly string[] | undefined
  readonly requestId?: string | undefined
  readonly kind?: CommentRow['kind'] | undefined
  readonly isAnswered?: boolean | undefined
}

export function selectComments(
  db: Db,
  at: Place,
  {
    forConnector,
    languages,
    ids,
    requestId,
    kind,
    isAnswered,
    after = 0,
    limit,
  }: CommentFilter & { readonly after?: number; readonly limit: number },
): Promise<NamedComment[]> {
  let query = db
    .selectFrom('comments')
    .leftJoin('people as w', 'w.person_id', 'comments.written_by')
    .leftJoin('people as a', 'a.person_id', 'comments.answered_by')
    .selectAll('comments')
    .select(['w.name as writer', 'a.name as answerer'])
    .where('comments.site_id', '=', at.siteId)
    .where('comments.job_id', '=', at.jobId)
    .where('comments.position', '>', after)
  if (forConnector) query = query.where(shownToConnector)
  if (languages) query = query.where(isInto(languages))
  if (ids) query = query.where('comment_id', 'in', [...ids])
  if (requestId !== undefined) query = query.where('request_id', '=', requestId)
  if (kind) query = query.where('kind', '=', kind)
  if (isAnswered !== undefined)
    query = query.where('answered_at', isAnswered ? 'is not' : 'is', null)
  return query.orderBy('position').limit(limit).execute()
}

/** An answer at a segment reaches every language. */
const isInto = (languages: readonly string[]) => sql<SqlBool>`(comments.request_id is null
  or (comments.segment_id is not null and comments.answered_at is not null)
  or exists (select 1 from requests where requests.job_id = comments.job_id
    and requests.request_id = comments.request_id and requests.site_id = comments.site_id
    and lower(replace(requests.target_language, '_', '-')) in (${sql.join(languages)})))`

export function lockComment(tx: Db, at: Place, commentId: string): Promise<CommentRow | undefined> {
  const query = tx
    .selectFrom('comments')
    .selectAll()
    .where('site_id', '=', at.siteId)
    .where('job_id', '=', at.jobId)
    .where('comment_id', '=', commentId)
  return lock(tx, query).executeTakeFirst()
}

export async function writeAnswer(
  tx: Db,
  { siteId, jobId }: Place,
  commentId: string,
  answer: Pick<CommentRow, 'answer' | 'answered_by' | 'answered_at' | 'bytes'>,
): Promise<void> {
  await tx
    .updateTable('comments')
    .set(answer)
    .where('site_id', '=', siteId)
    .where('job_id', '=', jobId)
    .where('comment_id', '=', commentId)
    .execute()
}

/**
 * Those at some segments of a request, and the answered ones at segments of the job with the same
 * source.
 */
export async function selectAtSegments(
  db: Db,
  { siteId, jobId }: Place,
  {
    requestId,
    segmentIds,
    digests,
    forConnector,
  }: {
    readonly requestId: string
    readonly segmentIds: readonly string[]
    readonly digests: readonly string[]
    readonly forConnector: boolean
  },
): Promise<
  Pick<CommentRow, 'comment_id' | 'request_id' | 'segment_id' | 'source_digest' | 'answered_at'>[]
> {
  if (segmentIds.length === 0) return []
  let query = db
    .selectFrom('comments')
    .select(['comment_id', 'request_id', 'segment_id', 'source_digest', 'answered_at'])
    .where('site_id', '=', siteId)
    .where('job_id', '=', jobId)
    .where(({ or, and, eb }) =>
      or([
        and([eb('request_id', '=', requestId), eb('segment_id', 'in', [...segmentIds])]),
        and([eb('answered_at', 'is not', null), eb('source_digest', 'in', [...digests])]),
      ]),
    )
  if (forConnector) query = query.where(shownToConnector)
  return query.orderBy('position').execute()
}
