/** SQL of replays: what is chosen, and deliveries of status updates that were never delivered. */

import { type Insertable, type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Db } from '../../store/database.ts'
import type { DeliveryRow, Tables } from '../../store/tables.ts'
import { type DeliveryFilter, isFailing, restOf } from './site-delivery-rows.ts'

/** Deliveries by id or by filter; `failed` takes only those that fail now. */
export type Replay = {
  readonly mode: 'failed' | 'all'
  readonly filter: DeliveryFilter
  readonly deliveryIds?: readonly string[]
  /** Positions after the first and up to the second. */
  readonly between?: readonly [number, number]
}

export function conditionOf({ mode, filter, deliveryIds, between }: Replay): RawBuilder<SqlBool> {
  const conditions = [
    ...restOf(filter),
    ...(mode === 'failed' ? [isFailing] : []),
    ...(deliveryIds ? [sql<SqlBool>`delivery_id in (${sql.join([...deliveryIds])})`] : []),
    ...(between ? [sql<SqlBool>`position > ${between[0]} and position <= ${between[1]}`] : []),
  ]
  return conditions.length === 0
    ? sql<SqlBool>`1 = 1`
    : sql<SqlBool>`${sql.join(conditions, sql` and `)}`
}

export type ChosenOf = Pick<DeliveryRow, 'listener_id' | 'site_id'> & {
  count: number
  first: number
  last: number
}

/**
 * How many deliveries of each listener are chosen. No site: an operator replays those of all sites.
 */
export async function selectChosen(db: Db, replay: Replay): Promise<ChosenOf[]> {
  const rows = await db
    .selectFrom('deliveries')
    .select(({ fn }) => [
      'listener_id',
      'site_id',
      fn.countAll<number>().as('count'),
      fn.min('position').as('first'),
      fn.max('position').as('last'),
    ])
    .where(conditionOf(replay))
    .groupBy(['listener_id', 'site_id'])
    .execute()
  return rows.map((row) => ({ ...row, count: Number(row.count) }))
}

/**
 * How many untried deliveries wait behind the chosen ones, in the queues of the same listeners and
 * jobs, and are not chosen themselves. No site: an operator replays those of all sites.
 */
export async function countFollowing(db: Db, replay: Replay): Promise<number> {
  const chosen = conditionOf(replay)
  const { rows } = await sql<{ count: number }>`select count(*) as count from deliveries
    where deliveries.state <> 'DELIVERED' and deliveries.state = 'PENDING' and deliveries.attempts = 0
      and (deliveries.listener_id, deliveries.job_id) in (select listener_id, job_id from deliveries where ${chosen})
      and position not in (select position from deliveries where ${chosen})`.execute(db)
  return Number(rows[0]?.count ?? 0)
}

/** Which of the ids exist. No site: an operator sees all. With one, those of the site only. */
export async function selectKnown(
  db: Db,
  siteId: string | undefined,
  ids: readonly string[],
): Promise<Set<string>> {
  const rows = await db
    .selectFrom('deliveries')
    .select('delivery_id')
    .where('delivery_id', 'in', [...ids])
    .$if(siteId !== undefined, (query) => query.where('site_id', '=', siteId ?? ''))
    .execute()
  return new Set(rows.map((row) => row.delivery_id))
}

export type Sequenced = Pick<
  DeliveryRow,
  'position' | 'delivery_id' | 'job_id' | 'state' | 'attempts'
> & {
  sequence: number
}

/** The deliveries of status updates of these jobs to a listener. */
export async function selectSequenced(
  db: Db,
  siteId: string,
  listenerId: string,
  jobIds: readonly string[],
): Promise<Sequenced[]> {
  const rows = await db
    .selectFrom('deliveries')
    .select(['position', 'delivery_id', 'job_id', 'sequence', 'state', 'attempts'])
    .where('site_id', '=', siteId)
    .where('listener_id', '=', listenerId)
    .where('job_id', 'in', jobIds.length > 0 ? [...jobIds] : [''])
    .where('sequence', 'is not', null)
    .execute()
  return rows as Sequenced[]
}

type Whole = Insertable<Tables['deliveries']>

export function selectWhole(
  db: Db,
  siteId: string,
  positions: readonly number[],
): Promise<DeliveryRow[]> {
  return db
    .selectFrom('deliveries')
    .selectAll()
    .where('site_id', '=', siteId)
    .where('position', 'in', positions.length > 0 ? [...positions] : [0])
    .execute()
}

/**
 * Writes deliveries at the end of their queues, in this order. Those that exist already keep their
 * id and their attempts and lose their old place.
 */
export async function appendDeliveries(
  tx: Db,
  siteId: string,
  rows: readonly (Whole & { readonly from?: number })[],
): Promise<void> {
  const moved = rows.flatMap(({ from }) => (from === undefined ? [] : [from]))
  if (moved.length > 0)
    await tx
      .updateTable('deliveries')
      .set({ delivery_id: sql<string>`'-' || delivery_id` })
      .where('site_id', '=', siteId)
      .where('position', 'in', moved)
      .execute()
  for (const { from, ...row } of rows) {
    const added = await tx
      .insertInto('deliveries')
      .values(row)
      .returning('position')
      .executeTakeFirstOrThrow()
    if (from === undefined) continue
    await tx
      .updateTable('attempts')
      .set({ position: added.position })
      .where('position', '=', from)
      .execute()
  }
  if (moved.length > 0)
    await tx
      .deleteFrom('deliveries')
      .where('site_id', '=', siteId)
      .where('position', 'in', moved)
      .execute()
}
