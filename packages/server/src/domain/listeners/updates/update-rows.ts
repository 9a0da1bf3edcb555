/** SQL of status updates. They belong to the client that owns the job, in the job's site. */
import type { Insertable } from 'kysely'
import type { Db } from '../../../store/database.ts'
import type { StatusUpdateRow, Tables } from '../../../store/tables.ts'

/**
 * The client's next number. Its row stays locked until the transaction ends, so that no number is
 * skipped.
 */
export async function takeSequence(db: Db, siteId: string, clientId: string): Promise<number> {
  const row = await db
    .insertInto('update_counters')
    .values({ site_id: siteId, client_id: clientId, last: 1 })
    .onConflict((conflict) =>
      conflict
        .columns(['site_id', 'client_id'])
        .doUpdateSet((eb) => ({ last: eb('update_counters.last', '+', 1) })),
    )
    .returning('last')
    .executeTakeFirstOrThrow()
  return row.last
}

export async function insertUpdate(
  db: Db,
  row: Insertable<Tables['status_updates']>,
): Promise<void> {
  await db.insertInto('status_updates').values(row).execute()
}

export type UpdateFilter = {
  /** Absent: all clients of the site. */
  readonly clientId?: string
  /** Only updates of these jobs; if empty, those of all. */
  readonly jobIds: readonly string[]
  /** With any of these statuses; empty: with all. */
  readonly statuses: readonly string[]
  readonly acknowledged?: boolean
  /** Only higher sequences of this client, and all updates of clients after it. */
  readonly after: { readonly clientId: string; readonly sequence: number }
  readonly limit: number
}

export function selectUpdates(
  db: Db,
  siteId: string,
  filter: UpdateFilter,
): Promise<StatusUpdateRow[]> {
  const { clientId, after } = filter
  let query = db.selectFrom('status_updates').selectAll().where('site_id', '=', siteId)
  if (clientId !== undefined)
    query = query.where('client_id', '=', clientId).where('sequence', '>', after.sequence)
  // Compared as one value, so that the index is entered at this update.
  else
    query = query.where((eb) =>
      eb(eb.refTuple('client_id', 'sequence'), '>', eb.tuple(after.clientId, after.sequence)),
    )
  const { jobIds, statuses } = filter
  if (jobIds.length > 0) query = query.where('job_id', 'in', [...jobIds])
  if (statuses.length > 0)
    query = query.where('status', 'in', statuses as StatusUpdateRow['status'][])
  if (filter.acknowledged === true) query = query.where('acknowledged_at', 'is not', null)
  if (filter.acknowledged === false) query = query.where('acknowledged_at', 'is', null)
  if (clientId === undefined) query = query.orderBy('client_id')
  return query.orderBy('sequence').limit(filter.limit).execute()
}

export type UpdateRange = {
  readonly jobId?: string
  readonly since?: number
  readonly until?: number
  /** Only higher sequences. */
  readonly after: number
  readonly limit: number
}

/** The updates of one client, acknowledged or not, oldest first. */
export function selectUpdatesOf(
  db: Db,
  siteId: string,
  clientId: string,
  { jobId, since, until, after, limit }: UpdateRange,
): Promise<StatusUpdateRow[]> {
  let query = db
    .selectFrom('status_updates')
    .selectAll()
    .where('site_id', '=', siteId)
    .where('client_id', '=', clientId)
  query = query.where('sequence', '>', after)
  if (jobId !== undefined) query = query.where('job_id', '=', jobId)
  if (since !== undefined) query = query.where('updated_at', '>=', since)
  if (until !== undefined) query = query.where('updated_at', '<=', until)
  return query.orderBy('sequence').limit(limit).execute()
}

/**
 * Marks an update as acknowledged, if it is not yet, and returns it. Without a client, any
 * client's.
 */
export async function acknowledge(
  db: Db,
  siteId: string,
  { updateId, clientId }: { readonly updateId: string; readonly clientId: string | undefined },
  now: number,
): Promise<StatusUpdateRow | undefined> {
  const one = {
    site_id: siteId,
    update_id: updateId,
    ...(clientId !== undefined && { client_id: clientId }),
  }
  await db
    .updateTable('status_updates')
    .set({ acknowledged_at: now })
    .where((eb) => eb.and(one))
    .where('acknowledged_at', 'is', null)
    .execute()
  return db
    .selectFrom('status_updates')
    .selectAll()
    .where((eb) => eb.and(one))
    .executeTakeFirst()
}

/** All updates of a job that is about to be deleted: nobody can act on them any more. */
export async function acknowledgeJob(
  db: Db,
  siteId: string,
  jobId: string,
  now: number,
): Promise<void> {
  await db
    .updateTable('status_updates')
    .set({ acknowledged_at: now })
    .where('site_id', '=', siteId)
    .where('job_id', '=', jobId)
    .where('acknowledged_at', 'is', null)
    .execute()
}

/**
 * Unacknowledged updates of the site. With `known`, only of clients that have a row, so that those
 * of removed clients do not count.
 */
export async function countOpen(db: Db, siteId: string, known: boolean): Promise<number> {
  const row = await db
    .selectFrom('status_updates')
    .select((eb) => eb.fn.countAll().as('open'))
    .where('site_id', '=', siteId)
    .where('acknowledged_at', 'is', null)
    .$if(known, (query) =>
      query.where('client_id', 'in', (eb) =>
        eb.selectFrom('clients').select('clients.client_id').where('clients.site_id', '=', siteId),
      ),
    )
    .executeTakeFirstOrThrow()
  return Number(row.open)
}

/** Old updates that were acknowledged; others are never removed. No site: upkeep over all sites. */
export async function removeOld(db: Db, before: number): Promise<void> {
  await db
    .deleteFrom('status_updates')
    .where('acknowledged_at', 'is not', null)
    .where('acknowledged_at', '<', before)
    .execute()
}
