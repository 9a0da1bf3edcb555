/** SQL of requests that supersede others, and of what was carried over to them. */
import type { Db } from '../../../../store/database.ts'
import type { DraftRow, RequestRow, Tables } from '../../../../store/tables.ts'

export type OlderRow = Pick<
  RequestRow,
  | 'request_id'
  | 'site_id'
  | 'job_id'
  | 'status'
  | 'reject_note'
  | 'source_language'
  | 'target_language'
  | 'file_id'
  | 'superseded_by'
>
type Place = { readonly siteId: string; readonly jobId: string }

const idsAtOnce = 500

/** Requests of any job of the site, by their ids. */
export async function selectOlder(
  db: Db,
  siteId: string,
  requestIds: readonly string[],
): Promise<Map<string, OlderRow>> {
  const found = new Map<string, OlderRow>()
  for (let from = 0; from < requestIds.length; from += idsAtOnce) {
    const rows = await db
      .selectFrom('requests')
      .select(['request_id', 'site_id', 'job_id', 'status', 'reject_note', 'superseded_by'])
      .select(['source_language', 'target_language', 'file_id'])
      .where('site_id', '=', siteId)
      .where('request_id', 'in', requestIds.slice(from, from + idsAtOnce))
      .execute()
    for (const row of rows) found.set(row.request_id, row)
  }
  return found
}

export type Superseding = Pick<
  RequestRow,
  'request_id' | 'source_language' | 'target_language' | 'file_id'
> & { readonly supersedes: string }

/** The requests of a job that supersede others. */
export async function selectSuperseding(db: Db, { siteId, jobId }: Place): Promise<Superseding[]> {
  const rows = await db
    .selectFrom('requests')
    .select(['request_id', 'supersedes', 'source_language', 'target_language', 'file_id'])
    .where('site_id', '=', siteId)
    .where('job_id', '=', jobId)
    .where('supersedes', 'is not', null)
    .orderBy('position')
    .execute()
  return rows.map((row) => ({ ...row, supersedes: row.supersedes ?? '' }))
}

/** What a request carried over, as it is stored. */
export async function selectCarried(
  db: Db,
  { siteId, jobId }: Place,
  requestId: string,
): Promise<string | undefined> {
  const row = await db
    .selectFrom('carried')
    .select('texts')
    .where('site_id', '=', siteId)
    .where('job_id', '=', jobId)
    .where('request_id', '=', requestId)
    .executeTakeFirst()
  return row?.texts
}

export async function insertCarried(tx: Db, row: Tables['carried']): Promise<void> {
  await tx
    .insertInto('carried')
    .values(row)
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

const draftsAtOnce = 2_000

/** What was written in a request, some rows after the others. */
export async function* eachDraft(
  db: Db,
  { siteId, jobId }: Place,
  requestId: string,
): AsyncGenerator<DraftRow[], void> {
  for (let after = ''; ; ) {
    const rows = await db
      .selectFrom('drafts')
      .selectAll()
      .where('site_id', '=', siteId)
      .where('job_id', '=', jobId)
      .where('request_id', '=', requestId)
      .where('segment_id', '>', after)
      .orderBy('segment_id')
      .limit(draftsAtOnce)
      .execute()
    yield rows
    if (rows.length < draftsAtOnce) return
    after = rows.at(-1)?.segment_id ?? after
  }
}

/** Rows per statement: each has twenty values. */
const rowsAtOnce = 200

export async function insertDrafts(tx: Db, rows: readonly DraftRow[]): Promise<void> {
  for (let from = 0; from < rows.length; from += rowsAtOnce)
    await tx
      .insertInto('drafts')
      .values(rows.slice(from, from + rowsAtOnce))
      .onConflict((conflict) => conflict.doNothing())
      .execute()
}
