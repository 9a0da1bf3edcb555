/**
 * SQL of the figures of listeners: of each, the newest deliveries since a time, up to a limit, read
 * from one range of an index, and their attempts by position.
 */

import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../store/database.ts'
import type { AttemptRow, DeliveryRow, ListenerRow } from '../../store/tables.ts'

/** Which listeners, since when, and how many deliveries of each. */
export type Sample = {
  readonly listenerIds: readonly string[]
  readonly since: number
  readonly limit: number
}

/** Whoever owns them, on either side. */
export const selectSomeOfSite = (
  db: Db,
  siteId: string,
  listenerIds: readonly string[],
): Promise<ListenerRow[]> =>
  db
    .selectFrom('listeners')
    .selectAll()
    .where('site_id', '=', siteId)
    .where('listener_id', 'in', listenerIds.length > 0 ? [...listenerIds] : [''])
    .where('deleted_at', 'is', null)
    .execute()

function sampled(siteId: string, { listenerIds, since, limit }: Sample): RawBuilder<unknown> {
  const parts = listenerIds.map(
    (
      listenerId,
    ) => sql`select * from (select listener_id, position, created_at, state, attempts from deliveries
      where listener_id = ${listenerId} and site_id = ${siteId} and created_at >= ${since}
      order by created_at desc, position desc limit ${limit}) as part`,
  )
  return sql`(${sql.join(parts, sql` union all `)}) as d`
}

const hasFailed = sql`(a.response_code is null or a.response_code >= 300)`

export type HourRow = Pick<DeliveryRow, 'listener_id' | 'state'> & {
  hour: number
  tried: number
  count: number
}

/** By hour since the time, by state and by whether they were tried. */
export async function countByHour(
  db: Db,
  siteId: string,
  sample: Sample,
  hourMs: number,
): Promise<HourRow[]> {
  // A number may be bound as a fraction, so the hour is cut off.
  const hour = sql`cast((d.created_at - ${sample.since}) / ${sql.raw(String(hourMs))} as bigint)`
  const { rows } = await sql<HourRow>`select d.listener_id, d.state, ${hour} as hour,
      case when d.attempts > 0 then 1 else 0 end as tried, count(*) as count
    from ${sampled(siteId, sample)} group by 1, 2, 3, 4`.execute(db)
  return rows.map((row) => ({ ...row, hour: Number(row.hour), count: Number(row.count) }))
}

export type DurationRow = Pick<DeliveryRow, 'listener_id'> & { ms: number; count: number }

/** How often each duration occurs; an attempt ends within 10 s, so there are few. */
export async function countDurations(
  db: Db,
  siteId: string,
  sample: Sample,
): Promise<DurationRow[]> {
  const { rows } =
    await sql<DurationRow>`select d.listener_id, a.duration_ms as ms, count(*) as count
    from ${sampled(siteId, sample)} join attempts a on a.position = d.position
    group by d.listener_id, a.duration_ms order by d.listener_id, a.duration_ms`.execute(db)
  return rows.map((row) => ({ ...row, ms: Number(row.ms), count: Number(row.count) }))
}

export type RetriedRow = Pick<DeliveryRow, 'listener_id'> & { count: number }

/** How many arrived although an attempt had failed. */
export async function countRetried(db: Db, siteId: string, sample: Sample): Promise<RetriedRow[]> {
  const { rows } = await sql<RetriedRow>`select d.listener_id, count(distinct d.position) as count
    from ${sampled(siteId, sample)} join attempts a on a.position = d.position
    where d.state = 'DELIVERED' and ${hasFailed} group by d.listener_id`.execute(db)
  return rows.map((row) => ({ ...row, count: Number(row.count) }))
}

export type FailureRow = Pick<DeliveryRow, 'listener_id'> &
  Pick<AttemptRow, 'attempted_at' | 'response_code' | 'error'>

/** The last failed attempt of each listener. */
export async function selectLastFailures(
  db: Db,
  siteId: string,
  sample: Sample,
): Promise<FailureRow[]> {
  const { rows } =
    await sql<FailureRow>`select listener_id, attempted_at, response_code, error from (
    select d.listener_id, a.attempted_at, a.response_code, a.error,
      row_number() over (partition by d.listener_id order by a.attempted_at desc) as place
    from ${sampled(siteId, sample)} join attempts a on a.position = d.position
    where ${hasFailed}) as failed
    where place = 1`.execute(db)
  return rows
}
