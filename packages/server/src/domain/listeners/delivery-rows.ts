/**
 * SQL of deliveries and their attempts. Functions for callers take the site first; the others serve
 * tasks.
 */

import { type Insertable, type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Db } from '../../store/database.ts'
import type { AttemptRow, DeliveryRow, Tables } from '../../store/tables.ts'

type Kept = 'position' | 'last_code' | 'last_error' | 'last_attempt_at'
export type NewDelivery = Required<Omit<Insertable<Tables['deliveries']>, Kept>>

const batchSize = 100
/** Repeats the condition of the partial index, so that both planners use it. */
const isPending = sql<SqlBool>`deliveries.state <> 'DELIVERED' and deliveries.state = 'PENDING'`

export async function insertDeliveries(db: Db, rows: readonly NewDelivery[]): Promise<void> {
  for (let from = 0; from < rows.length; from += batchSize)
    await db
      .insertInto('deliveries')
      .values(rows.slice(from, from + batchSize))
      .execute()
}

/**
 * The listener is disabled: pending deliveries have no next attempt. If the hub disabled it, they
 * are parked.
 */
export async function stopPending(
  db: Db,
  siteId: string,
  listenerId: string,
  state: 'PENDING' | 'PARKED',
): Promise<void> {
  await db
    .updateTable('deliveries')
    .set({ state, next_attempt_at: null })
    .where('site_id', '=', siteId)
    .where('listener_id', '=', listenerId)
    .where(isPending)
    .execute()
}

export type Choice = {
  readonly states?: readonly DeliveryRow['state'][]
  readonly deliveryIds?: readonly string[]
  readonly since?: number
  readonly until?: number
  /** A further condition. */
  readonly also?: RawBuilder<SqlBool>
}

const chosen = (
  siteId: string,
  listenerId: string,
  { states, deliveryIds, since, until, also }: Choice,
) =>
  sql<SqlBool>`deliveries.site_id = ${siteId} and deliveries.listener_id = ${listenerId}
    ${states ? sql`${states.includes('DELIVERED') ? sql`` : sql`and deliveries.state <> 'DELIVERED'`} and deliveries.state in (${sql.join(states)})` : sql``}
    ${deliveryIds ? sql`and deliveries.delivery_id in (${sql.join(deliveryIds)})` : sql``}
    ${since === undefined ? sql`` : sql`and deliveries.created_at >= ${since}`}
    ${until === undefined ? sql`` : sql`and deliveries.created_at <= ${until}`}
    ${also ? sql`and ${also}` : sql``}`

/** The jobs of the chosen deliveries, ordered by their oldest delivery. */
export async function selectJobs(
  db: Db,
  siteId: string,
  listenerId: string,
  choice: Choice,
): Promise<string[]> {
  const query = db
    .selectFrom('deliveries')
    .select('job_id')
    .where(chosen(siteId, listenerId, choice))
  const rows = await query
    .groupBy('job_id')
    .orderBy(({ fn }) => fn.min('position'))
    .execute()
  return rows.map((row) => row.job_id)
}

/** Queues deliveries again with a fresh retry schedule, and returns how many. */
export async function sendAgain(
  db: Db,
  { site_id: siteId, listener_id: listenerId }: Pick<DeliveryRow, 'site_id' | 'listener_id'>,
  choice: Choice,
  nextAttemptAt: number | null,
): Promise<number> {
  const done = await db
    .updateTable('deliveries')
    .set({ state: 'PENDING', attempts: 0, first_attempt_at: null, next_attempt_at: nextAttemptAt })
    .where(chosen(siteId, listenerId, choice))
    .executeTakeFirst()
  return Number(done.numUpdatedRows)
}

export async function selectIds(
  db: Db,
  siteId: string,
  listenerId: string,
  deliveryIds: readonly string[],
): Promise<Set<string>> {
  const query = db.selectFrom('deliveries').select('delivery_id')
  const rows = await query.where(chosen(siteId, listenerId, { deliveryIds })).execute()
  return new Set(rows.map((row) => row.delivery_id))
}

/** The newest delivery comes first. */
export function selectDeliveries(
  db: Db,
  siteId: string,
  listenerId: string,
  page: Choice & { before?: readonly [createdAt: number, position: number]; limit: number },
): Promise<DeliveryRow[]> {
  const { before } = page
  return db
    .selectFrom('deliveries')
    .selectAll()
    .where(chosen(siteId, listenerId, page))
    .$if(before !== undefined, (query) =>
      query.where(sql<SqlBool>`(created_at, position) < (${before?.[0]}, ${before?.[1]})`),
    )
    .orderBy('created_at', 'desc')
    .orderBy('position', 'desc')
    .limit(page.limit)
    .execute()
}

/** An attempt without what was sent and answered. */
export type ShownAttempt = Omit<AttemptRow, 'call_headers' | 'answer_head' | 'job_id'>

export function selectAttempts(db: Db, positions: readonly number[]): Promise<ShownAttempt[]> {
  return db
    .selectFrom('attempts')
    .select(['position', 'number', 'attempted_at', 'duration_ms', 'response_code', 'error'])
    .where('position', 'in', positions.length > 0 ? [...positions] : [0])
    .orderBy('position')
    .orderBy('number')
    .execute()
}

/**
 * Removes up to `many` deliveries, oldest first, and returns how many. No site: upkeep over all
 * sites.
 */
export async function removeDelivered(db: Db, before: number, many: number): Promise<number> {
  const done = await db
    .deleteFrom('deliveries')
    .where('position', 'in', (eb) =>
      eb
        .selectFrom('deliveries')
        .select('position')
        .where(sql<SqlBool>`state = 'DELIVERED'`)
        .where('created_at', '<', before)
        .orderBy('created_at')
        .limit(many),
    )
    .executeTakeFirst()
  return Number(done.numDeletedRows)
}

/**
 * Up to `many` pairs of job and enabled listener with pending deliveries but no task. No site:
 * upkeep over all sites.
 */
export function selectForgotten(
  db: Db,
  many: number,
): Promise<Pick<DeliveryRow, 'listener_id' | 'job_id' | 'site_id'>[]> {
  return db
    .selectFrom('deliveries')
    .innerJoin('listeners', 'listeners.listener_id', 'deliveries.listener_id')
    .select(['deliveries.listener_id', 'deliveries.job_id', 'deliveries.site_id'])
    .distinct()
    .where(isPending)
    .where('listeners.disabled', '=', 0)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('tasks')
            .select('task_id')
            .where(
              'tasks.key',
              '=',
              sql<string>`'deliver:' || deliveries.listener_id || ':' || deliveries.job_id`,
            ),
        ),
      ),
    )
    .limit(many)
    .execute()
}

/**
 * The number of pending and of parked deliveries. No site: a figure of the whole hub, for its
 * operator.
 */
export async function countWaiting(db: Db): Promise<{ pending: number; parked: number }> {
  const row = await db
    .selectFrom('deliveries')
    .select(({ fn }) => [
      fn.countAll<number>().filterWhere('state', '=', 'PENDING').as('pending'),
      fn.countAll<number>().filterWhere('state', '=', 'PARKED').as('parked'),
    ])
    .where(sql<SqlBool>`state <> 'DELIVERED'`)
    .executeTakeFirstOrThrow()
  return { pending: Number(row.pending), parked: Number(row.parked) }
}
