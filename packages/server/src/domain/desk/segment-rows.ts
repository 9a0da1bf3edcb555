/** SQL of drafts, and of who has claimed a request. */
import { HubError, type Role } from '@dragoman/contract'
import { sql } from 'kysely'
import type { Db } from '../../store/engine.ts'
import { lock } from '../../store/lock.ts'
import type { DraftRow, RequestRow } from '../../store/tables.ts'

type LockedRequest = Pick<RequestRow, 'request_id' | 'status' | 'assignee'>
export type RequestPath = { readonly siteId: string; readonly jobId: string; readonly requestId: string }

const draftsOf = (db: Db, { siteId, jobId, requestId }: RequestPath) =>
  db
    .selectFrom('drafts')
    .selectAll()
    .where('site_id', '=', siteId)
    .where('job_id', '=', jobId)
    .where('request_id', '=', requestId)

/** Those of some segments, or all of them. */
export function selectDrafts(db: Db, at: RequestPath, segmentIds?: readonly string[]): Promise<DraftRow[]> {
  const drafts = draftsOf(db, at)
  return (segmentIds ? drafts.where('segment_id', 'in', [...segmentIds]) : drafts).execute()
}

/** The number of drafts and the sum of their versions: it grows with every change. */
export async function selectDraftMark(db: Db, { siteId, jobId, requestId }: RequestPath): Promise<number> {
  const { mark } = await db
    .selectFrom('drafts')
    .select(({ fn }) => fn.sum<number | null>('version').as('mark'))
    .where('site_id', '=', siteId)
    .where('job_id', '=', jobId)
    .where('request_id', '=', requestId)
    .executeTakeFirstOrThrow()
  return Number(mark ?? 0)
}

/** Rows per statement, bounded by the number of parameters. */
const rowsAtOnce = 100

/**
 * Writes those whose version follows that of the row in the table, and returns how many. No site: the rows name it, and the
 * caller found their request there.
 */
export async function writeDrafts(tx: Db, rows: readonly DraftRow[]): Promise<number> {
  let written = 0
  for (let from = 0; from < rows.length; from += rowsAtOnce) {
    const results = await tx
      .insertInto('drafts')
      .values(rows.slice(from, from + rowsAtOnce))
      .onConflict((conflict) =>
        conflict
          .columns(['job_id', 'request_id', 'segment_id'])
          .doUpdateSet(({ ref }) => ({
            target: ref('excluded.target'),
            state: ref('excluded.state'),
            version: ref('excluded.version'),
            bytes: ref('excluded.bytes'),
            changed_by: ref('excluded.changed_by'),
            by_person: ref('excluded.by_person'),
            changed_at: ref('excluded.changed_at'),
            review: ref('excluded.review'),
            kept: ref('excluded.kept'),
            spent_ms: ref('excluded.spent_ms'),
          }))
          .whereRef('drafts.version', '=', sql`excluded.version - 1`),
      )
      .returning('segment_id')
      .execute()
    written += results.length
  }
  return written
}

/** The targets as they are become those of the last delivery. */
export async function noteDelivery(tx: Db, { siteId, jobId, requestId }: RequestPath): Promise<void> {
  await tx
    .updateTable('drafts')
    .set(({ ref }) => ({ previous: ref('delivered'), delivered: ref('target'), review: null }))
    .where('site_id', '=', siteId)
    .where('job_id', '=', jobId)
    .where('request_id', '=', requestId)
    .execute()
}

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

/** Locks the request until the transaction ends: its targets are not written while they are delivered. */
export async function lockRequest(tx: Db, { siteId, jobId, requestId }: RequestPath): Promise<LockedRequest> {
  const request = tx
    .selectFrom('requests')
    .select(['request_id', 'status', 'assignee'])
    .where('site_id', '=', siteId)
    .where('job_id', '=', jobId)
    .where('request_id', '=', requestId)
  const row = await lock(tx, request).executeTakeFirst()
  if (!row) throw new HubError('REQUEST_NOT_FOUND', { requestId })
  return row
}

/** A person of the site who may work for the provider: an admin, or one whose roles are given with it. */
export async function selectWorker(
  db: Db,
  siteId: string,
  personId: string,
): Promise<{ name: string; role: Role; providers: string | null; languages: string | null }[]> {
  return db
    .selectFrom('person_roles')
    .innerJoin('people', 'people.person_id', 'person_roles.person_id')
    .select(['people.name', 'person_roles.role', 'person_roles.providers', 'person_roles.languages'])
    .where('person_roles.site_id', '=', siteId)
    .where('person_roles.person_id', '=', personId)
    .where('people.disabled_at', 'is', null)
    .execute()
}
