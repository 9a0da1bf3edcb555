/** SQL of source content. */
import type { Database, Db } from '../../../store/database.ts'
import { insertMany, onRows } from '../../../store/many-rows.ts'
import type { SourceContentRow } from '../../../store/tables.ts'
import { countBytes } from '../../access/site-bytes.ts'

const insertRows = insertMany(
  'source_contents',
  {
    content_id: 'text',
    site_id: 'text',
    job_id: 'text',
    fields: 'text',
    bytes: 'bigint',
    sha256: 'text',
    created_at: 'bigint',
    modified_at: 'bigint',
  },
  { alike: ['site_id', 'job_id', 'created_at', 'modified_at'] },
)

/** Inserts contents of one site and counts their bytes, and in the same statement `alsoBytes`. */
export async function insertContents(
  db: Database,
  tx: Db,
  rows: readonly SourceContentRow[],
  alsoBytes: number,
): Promise<void> {
  await insertRows(tx, rows)
  const [first] = rows
  if (first) await countBytes(db, tx, first.site_id, sumOf(rows) + alsoBytes)
}

export const sumOf = (contents: readonly Pick<SourceContentRow, 'bytes'>[]): number =>
  contents.reduce((sum, { bytes }) => sum + bytes, 0)

export function selectContent(
  db: Db,
  siteId: string,
  jobId: string,
  contentId: string,
): Promise<SourceContentRow | undefined> {
  return db
    .selectFrom('source_contents')
    .selectAll()
    .where('site_id', '=', siteId)
    .where('job_id', '=', jobId)
    .where('content_id', '=', contentId)
    .executeTakeFirst()
}

/** The fields by content id. */
export async function selectContents(
  db: Database,
  siteId: string,
  jobId: string,
  contentIds: readonly string[],
): Promise<Map<string, string>> {
  const given = contentIds.map((contentId) => ({
    site_id: siteId,
    job_id: jobId,
    content_id: contentId,
  }))
  const rows = await fieldsOf(db.read, given)
  return new Map(rows.map((row) => [row.content_id, row.fields]))
}

const contentKey = { site_id: 'text', job_id: 'text', content_id: 'text' } as const

const fieldsOf = onRows<typeof contentKey, Pick<SourceContentRow, 'content_id' | 'fields'>>(
  contentKey,
  ({ join }) => `select c.content_id, c.fields from given ${join} source_contents c
    on c.job_id = given.job_id and c.content_id = given.content_id and c.site_id = given.site_id`,
)

/** Sizes in bytes by content id, without reading the contents. */
export async function selectContentSizes(
  db: Db,
  siteId: string,
  jobId: string,
  contentIds: readonly string[],
): Promise<Map<string, number>> {
  if (contentIds.length === 0) return new Map()
  const rows = await db
    .selectFrom('source_contents')
    .select(['content_id', 'bytes'])
    .where('site_id', '=', siteId)
    .where('job_id', '=', jobId)
    .where('content_id', 'in', [...contentIds])
    .execute()
  return new Map(rows.map(({ content_id, bytes }) => [content_id, bytes]))
}

export async function countContents(db: Db, siteId: string, jobId: string): Promise<number> {
  const row = await db
    .selectFrom('source_contents')
    .select((eb) => eb.fn.countAll().as('contents'))
    .where('site_id', '=', siteId)
    .where('job_id', '=', jobId)
    .executeTakeFirstOrThrow()
  return Number(row.contents)
}

/** The ids that exist in this job. */
export async function selectContentIds(
  db: Db,
  siteId: string,
  jobId: string,
  contentIds: readonly string[],
): Promise<string[]> {
  if (contentIds.length === 0) return []
  const rows = await db
    .selectFrom('source_contents')
    .select('content_id')
    .where('site_id', '=', siteId)
    .where('job_id', '=', jobId)
    .where('content_id', 'in', [...contentIds])
    .execute()
  return rows.map((row) => row.content_id)
}

/** Returns the number of bytes removed. */
export async function removeContents(
  db: Db,
  siteId: string,
  jobId: string,
  contentIds: readonly string[],
): Promise<number> {
  const removed = await db
    .deleteFrom('source_contents')
    .where('site_id', '=', siteId)
    .where('job_id', '=', jobId)
    .where('content_id', 'in', [...contentIds])
    .returning('bytes')
    .execute()
  return sumOf(removed)
}

export type ContentChange = Pick<SourceContentRow, 'fields' | 'bytes' | 'sha256' | 'modified_at'>

export type ContentPath = {
  readonly siteId: string
  readonly jobId: string
  readonly contentId: string
}

/** Returns whether the content exists. */
export async function updateContent(
  db: Db,
  { siteId, jobId, contentId }: ContentPath,
  change: ContentChange,
): Promise<boolean> {
  const changed = await db
    .updateTable('source_contents')
    .set(change)
    .where('site_id', '=', siteId)
    .where('job_id', '=', jobId)
    .where('content_id', '=', contentId)
    .executeTakeFirst()
  return changed.numUpdatedRows > 0n
}

/** A content of the request's job. No site: the signed link names random ids. */
export function selectContentOfRequest(
  db: Db,
  jobId: string,
  requestId: string,
  contentId: string,
) {
  return db
    .selectFrom('requests')
    .innerJoin('source_contents', (join) =>
      join
        .onRef('source_contents.job_id', '=', 'requests.job_id')
        .onRef('source_contents.site_id', '=', 'requests.site_id'),
    )
    .innerJoin('jobs', (join) =>
      join
        .onRef('jobs.job_id', '=', 'requests.job_id')
        .onRef('jobs.site_id', '=', 'requests.site_id'),
    )
    .select(['requests.request_name', 'requests.job_id', 'requests.site_id', 'jobs.archive_status'])
    .select(['source_contents.fields', 'source_contents.modified_at'])
    .where('requests.job_id', '=', jobId)
    .where('requests.request_id', '=', requestId)
    .where('source_contents.content_id', '=', contentId)
    .executeTakeFirst()
}
