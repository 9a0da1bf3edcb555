/**
 * SQL of the deliveries of whole sites, newest first. A filter becomes one or more ranges of an
 * index that has the order of the list; each range gives the first rows of the page, in one
 * statement, so that a page costs the same in a large table. Without a site, all sites: for an
 * operator.
 */
import { limits } from '@dragoman/contract'
import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Db } from '../../store/database.ts'
import type { AttemptRow, DeliveryRow, ListenerRow } from '../../store/tables.ts'

export type DeliveryFilter = {
  readonly siteId: string | undefined
  readonly states?: readonly DeliveryRow['state'][]
  readonly listenerId?: string
  readonly jobId?: string
  readonly responseCode?: number
  readonly error?: string
  readonly since?: number
  readonly until?: number
}
/** The last row of the page before: when it was created, and its position. */
export type Before = readonly [createdAt: number, position: number]
export type SeenDelivery = Omit<DeliveryRow, 'uri' | 'body' | 'first_attempt_at'>

const everyState = ['PENDING', 'DELIVERED', 'PARKED'] as const
const columns = sql.raw(
  `delivery_id, position, listener_id, site_id, event_type, job_id, request_ids, sequence, state, created_at, next_attempt_at, attempts,
  cause_id, last_code, last_error, last_attempt_at`,
)
type Condition = RawBuilder<SqlBool>
/** Ranges in one statement; SQLite allows 500. */
const rangesAtOnce = 150

/** No site: an operator sees all sites. With one, its rows only. */
export async function selectNewest(
  db: Db,
  filter: DeliveryFilter,
  page: { readonly before?: Before; readonly limit: number },
): Promise<SeenDelivery[]> {
  const { before, limit } = page
  const ranges = await rangesOf(db, filter)
  const rest = and([
    ...restOf(filter),
    ...(before ? [sql<SqlBool>`(created_at, position) < (${before[0]}, ${before[1]})`] : []),
  ])
  const found: SeenDelivery[] = []
  for (let from = 0; from < ranges.length; from += rangesAtOnce) {
    const parts = ranges.slice(from, from + rangesAtOnce).map(
      (
        range,
      ) => sql`select * from (select created_at, position from deliveries where ${range} and ${rest}
        order by created_at desc, position desc limit ${limit}) as part`,
    )
    // Only the keys of each range, which its index holds; whole rows of the page alone.
    const { rows } = await sql<SeenDelivery>`select ${columns} from deliveries where position in (
      select position from (${sql.join(parts, sql` union all `)}) as parts
      order by created_at desc, position desc limit ${limit})`.execute(db)
    for (const one of rows) found.push(one)
  }
  return found
    .sort((a, b) => b.created_at - a.created_at || b.position - a.position)
    .slice(0, limit)
}

const and = (conditions: readonly Condition[]): Condition =>
  conditions.length === 0
    ? sql<SqlBool>`1 = 1`
    : sql<SqlBool>`${sql.join([...conditions], sql` and `)}`

/** Everything but the order: what is in no range is compared with each row. */
export function restOf(filter: DeliveryFilter): Condition[] {
  const { siteId, states, listenerId, jobId, responseCode, error, since, until } = filter
  return [
    ...(siteId === undefined ? [] : [sql<SqlBool>`site_id = ${siteId}`]),
    ...(states ? [sql<SqlBool>`state in (${sql.join([...states])})`] : []),
    ...(listenerId === undefined ? [] : [sql<SqlBool>`listener_id = ${listenerId}`]),
    ...(jobId === undefined ? [] : [sql<SqlBool>`job_id = ${jobId}`]),
    ...(responseCode === undefined ? [] : [sql<SqlBool>`last_code = ${responseCode}`]),
    ...(error === undefined ? [] : [sql<SqlBool>`last_error = ${error}`]),
    ...(since === undefined ? [] : [sql<SqlBool>`created_at >= ${since}`]),
    ...(until === undefined ? [] : [sql<SqlBool>`created_at <= ${until}`]),
  ]
}

/**
 * Few rows have an unusual response or are not delivered, so those ranges come before the
 * listener's.
 */
async function rangesOf(db: Db, filter: DeliveryFilter): Promise<Condition[]> {
  const { jobId, listenerId, responseCode: code } = filter
  // What arrived has no error.
  const states = (filter.states ?? everyState).filter(
    (state) => filter.error === undefined || state !== 'DELIVERED',
  )
  if (jobId !== undefined) return [sql<SqlBool>`job_id = ${jobId}`]
  const isUsual = code !== undefined && code >= 200 && code < 300
  if (listenerId !== undefined && (isUsual || (code === undefined && states.includes('DELIVERED'))))
    return [sql<SqlBool>`listener_id = ${listenerId}`]
  const sites = filter.siteId === undefined ? await selectSites(db) : [filter.siteId]
  return code === undefined
    ? sites.flatMap((site) =>
        states.map((state) => sql<SqlBool>`site_id = ${site} and state = ${state}`),
      )
    : sites.map(
        (site) => sql<SqlBool>`site_id = ${site} and last_code = ${code} and last_code is not null`,
      )
}

export type CountRow = Pick<DeliveryRow, 'state'> & { tried: number; count: number }

/**
 * Counts the newest deliveries of the filter, by state and by whether they were tried. No site: an
 * operator sees all.
 */
export async function countNewest(
  db: Db,
  filter: DeliveryFilter,
  limit: number,
): Promise<CountRow[]> {
  const ranges = await rangesOf(db, filter)
  const rest = and(restOf(filter))
  const parts = ranges.slice(0, rangesAtOnce).map(
    (
      range,
    ) => sql`select * from (select state, case when attempts > 0 then 1 else 0 end as tried from deliveries
      where ${range} and ${rest} order by created_at desc, position desc limit ${limit}) as part`,
  )
  if (parts.length === 0) return []
  const { rows } = await sql<CountRow>`select state, tried, count(*) as count from (
    select * from (${sql.join(parts, sql` union all `)}) as parts limit ${limit}) as counted
    group by state, tried`.execute(db)
  return rows.map((row) => ({ ...row, count: Number(row.count) }))
}

/**
 * The sites that have deliveries, each found by one step in the index. No site: an operator sees
 * all of them.
 */
async function selectSites(db: Db): Promise<string[]> {
  const { rows } = await sql<{ site_id: string }>`with recursive found(site_id) as (
    select min(site_id) from deliveries union all
    select (select min(d.site_id) from deliveries d where d.site_id > found.site_id) from found
      where found.site_id is not null
  ) select site_id from found where site_id is not null`.execute(db)
  return rows.map((row) => row.site_id)
}

/** No site: an operator reads any. With one, only of this site. */
export function selectDelivery(
  db: Db,
  siteId: string | undefined,
  deliveryId: string,
): Promise<DeliveryRow | undefined> {
  return db
    .selectFrom('deliveries')
    .selectAll()
    .where('delivery_id', '=', deliveryId)
    .$if(siteId !== undefined, (query) => query.where('site_id', '=', siteId ?? ''))
    .executeTakeFirst()
}

/** The last attempts of a delivery that the caller may see, newest first. */
export function selectLastAttempts(db: Db, position: number): Promise<AttemptRow[]> {
  return db
    .selectFrom('attempts')
    .selectAll()
    .where('position', '=', position)
    .orderBy('number', 'desc')
    .limit(limits.deliveryAttemptsShown)
    .execute()
}

/**
 * What fails now: parked, or pending after a failed attempt. Written like the condition of the
 * partial index.
 */
export const isFailing = sql<SqlBool>`deliveries.state <> 'DELIVERED' and (deliveries.state = 'PARKED' or deliveries.attempts > 0)
  and deliveries.listener_id not in (select listener_id from listeners where deleted_at is not null)`

export type CauseRow = Pick<DeliveryRow, 'site_id' | 'listener_id' | 'last_code' | 'last_error'> & {
  count: number
  first_at: number
  last_at: number | null
  example: number
}

/** The most frequent causes first. No site: an operator sees all sites. With one, its rows only. */
export async function selectCauses(
  db: Db,
  siteId: string | undefined,
  limit: number,
): Promise<CauseRow[]> {
  const rows = await db
    .selectFrom('deliveries')
    .select(({ fn }) => [
      'site_id',
      'listener_id',
      'last_code',
      'last_error',
      fn.countAll<number>().as('count'),
      fn.min('created_at').as('first_at'),
      fn.max('last_attempt_at').as('last_at'),
      fn.max('position').as('example'),
    ])
    .where(isFailing)
    .$if(siteId !== undefined, (query) => query.where('site_id', '=', siteId ?? ''))
    .groupBy(['site_id', 'listener_id', 'last_code', 'last_error'])
    .orderBy('count', 'desc')
    .orderBy('listener_id')
    .limit(limit)
    .execute()
  return rows.map((row) => ({ ...row, count: Number(row.count) }))
}

export type Example = Pick<DeliveryRow, 'position' | 'delivery_id' | 'event_type' | 'uri'> &
  Pick<ListenerRow, 'job_uri' | 'request_uri' | 'disabled'>

/** No site: by positions that the caller has just been shown. */
export function selectExamples(db: Db, positions: readonly number[]): Promise<Example[]> {
  return db
    .selectFrom('deliveries')
    .innerJoin('listeners', 'listeners.listener_id', 'deliveries.listener_id')
    .select([
      'deliveries.position',
      'deliveries.delivery_id',
      'deliveries.event_type',
      'deliveries.uri',
    ])
    .select(['listeners.job_uri', 'listeners.request_uri', 'listeners.disabled'])
    .where('deliveries.position', 'in', positions.length > 0 ? [...positions] : [0])
    .execute()
}

/**
 * How many fail now, counted up to the limit. No site: an operator sees all sites. With one, its
 * rows only.
 */
export async function countFailingDeliveries(
  db: Db,
  siteId: string | undefined,
  limit: number,
): Promise<number> {
  const failing = db
    .selectFrom('deliveries')
    .select(sql.lit(1).as('one'))
    .where(isFailing)
    .$if(siteId !== undefined, (query) => query.where('site_id', '=', siteId ?? ''))
    .limit(limit)
  const { many } = await db
    .selectFrom(failing.as('failing'))
    .select(({ fn }) => fn.countAll<number>().as('many'))
    .executeTakeFirstOrThrow()
  return Number(many)
}
