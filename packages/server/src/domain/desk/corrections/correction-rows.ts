/** SQL of reviewers' corrections. */
import type { Db } from '../../../store/database.ts'
import type { CorrectionRow } from '../../../store/tables.ts'
import type { RequestPath } from '../drafts.ts'

/** The row counts the changes of it. */
export type NewCorrection = Omit<CorrectionRow, 'version'>

const correctionsOf = (db: Db, { siteId, jobId, requestId }: RequestPath) =>
  db
    .selectFrom('corrections')
    .where('site_id', '=', siteId)
    .where('job_id', '=', jobId)
    .where('request_id', '=', requestId)

/** Those of some segments. */
export async function selectCorrections(
  db: Db,
  at: RequestPath,
  segmentIds: readonly string[],
): Promise<CorrectionRow[]> {
  if (segmentIds.length === 0) return []
  return correctionsOf(db, at)
    .selectAll()
    .where('segment_id', 'in', [...segmentIds])
    .execute()
}

/** What waits to be delivered: how much, and a number that grows with every change. */
export type Waiting = {
  readonly count: number
  readonly mark: number
  readonly bytes: number
  /** The versions that they were written for. */
  readonly oldest: number
  readonly newest: number
}

export async function measureWaiting(db: Db, at: RequestPath): Promise<Waiting> {
  const row = await correctionsOf(db, at)
    .where('target', 'is not', null)
    .select(({ fn }) => [
      fn.countAll().as('count'),
      fn.sum<number | null>('version').as('mark'),
      fn.sum<number | null>('bytes').as('bytes'),
      fn.min<number | null>('base_version').as('oldest'),
      fn.max<number | null>('base_version').as('newest'),
    ])
    .executeTakeFirstOrThrow()
  const [count, mark, bytes] = [row.count, row.mark, row.bytes].map((one) => Number(one ?? 0))
  return {
    ...{ count: count ?? 0, mark: mark ?? 0, bytes: bytes ?? 0 },
    ...{ oldest: Number(row.oldest ?? 0), newest: Number(row.newest ?? 0) },
  }
}

/**
 * The row without its version is in the table already, or it is new. No site: the row names it, and
 * the caller found its request there.
 */
export async function writeCorrection(tx: Db, row: NewCorrection): Promise<void> {
  const { target, base_version, bytes, changed_by, by_person, changed_at } = row
  await tx
    .insertInto('corrections')
    .values({ ...row, version: 1 })
    .onConflict((conflict) =>
      conflict.columns(['job_id', 'request_id', 'segment_id']).doUpdateSet(({ eb }) => ({
        ...{ target, base_version, bytes, changed_by, by_person, changed_at },
        version: eb('corrections.version', '+', 1),
      })),
    )
    .execute()
}

/** What waited for this version is delivered now; what waited for an older one is dropped. */
export async function markDelivered(
  tx: Db,
  { siteId, jobId, requestId }: RequestPath,
  version: number,
): Promise<void> {
  await tx
    .updateTable('corrections')
    .set(({ ref, eb }) => ({
      delivered: ref('target'),
      delivered_by: ref('changed_by'),
      ...{ target: null, bytes: 0 },
      version: eb('version', '+', 1),
    }))
    .where('site_id', '=', siteId)
    .where('job_id', '=', jobId)
    .where('request_id', '=', requestId)
    .where('target', 'is not', null)
    .where('base_version', '=', version)
    .execute()
  await tx
    .updateTable('corrections')
    .set(({ eb }) => ({ target: null, bytes: 0, version: eb('version', '+', 1) }))
    .where('site_id', '=', siteId)
    .where('job_id', '=', jobId)
    .where('request_id', '=', requestId)
    .where('target', 'is not', null)
    .execute()
}
