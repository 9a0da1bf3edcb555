/**
 * SQL that reads the call log for people. No site: an operator sees all of them; an admin's is
 * always given.
 */
import type { StatusClass } from '@dragoman/contract'
import { type SqlBool, sql } from 'kysely'
import type { Db } from '../../../store/database.ts'
import { conditionsOf, type GivenFilters, type PageBounds } from '../../../store/filtered-page.ts'
import { pageAfter } from '../../../store/page.ts'
import type { CallRow } from '../../../store/tables.ts'
import { withoutIndex } from '../../../store/without-index.ts'

export type CallFilter = {
  readonly jobId?: string | undefined
  readonly code?: string | undefined
  readonly status?: number | undefined
  readonly statusClass?: StatusClass | undefined
  readonly clientId?: string | undefined
  readonly route?: string | undefined
  readonly without?: 'console' | undefined
  readonly since?: number | undefined
  readonly until?: number | undefined
}

export type ListedCall = Omit<CallRow, 'call_body' | 'answer_body' | 'bytes' | 'hash' | 'erased'>

const listed = [
  'call_id',
  'trace_id',
  'called_at',
  'method',
  'route',
  'ids',
  'job_id',
  'site_id',
  'client_id',
  'address',
  'status',
  'error_code',
  'duration_us',
  'bytes_in',
  'bytes_out',
  'count',
] as const

const newest = ['called_at', 'call_id'].map((column) => ({ column, descending: true }))
/**
 * Of most calls: the index on the status leaves it out, because a page of them is found by any
 * other.
 */
const usualStatus = 200
const twice = {
  error_code: sql<SqlBool>`error_code <> ''`,
  status: sql<SqlBool>`status >= 0`,
  route: sql<SqlBool>`route <> ''`,
}

/** The newest call comes first. */
export async function selectCalls(
  db: Db,
  siteId: string | undefined,
  filter: CallFilter,
  part: PageBounds,
): Promise<ListedCall[]> {
  const parts = await splitByStatus(db, siteId, filter)
  const found: ListedCall[] = []
  for (const one of parts)
    for (const row of await inOrder(db, siteId, one, part).select(listed).execute()) found.push(row)
  if (parts.length === 1) return found
  return found
    .sort((a, b) => b.called_at - a.called_at || b.call_id - a.call_id)
    .slice(0, part.limit)
}

/** The lowest status of the class, and the first one above it. */
const bounds: Readonly<Record<StatusClass, readonly [from: number, to: number]>> = {
  failed: [400, 600],
  '4xx': [400, 500],
  '5xx': [500, 600],
}

/** The statuses of the class that occur, each found by one step in the index. */
export async function selectStatuses(
  db: Db,
  siteId: string | undefined,
  statusClass: StatusClass,
): Promise<number[]> {
  const [from, to] = bounds[statusClass]
  const all = siteId === undefined ? sql`status >= 0` : sql`site_id = ${siteId}`
  const least = sql`select min(status) from calls where ${all} and status <> 200 and status < ${to} and status`
  const { rows } = await sql<{ status: number }>`with recursive found(status) as (
    ${least} >= ${from} union all select (${least} > found.status) from found where found.status is not null
  ) select status from found where status is not null`.execute(db)
  return rows.map((row) => row.status)
}

export type CountedCalls = {
  status: number
  error_code: string | null
  rows: number
  calls: number
}
type Counted = { readonly counted: CountedCalls[]; readonly isMore: boolean }

/**
 * The newest rows that match, up to the limit for each status that is looked for, by status and
 * code.
 */
export async function countNewest(
  db: Db,
  siteId: string | undefined,
  filter: CallFilter,
  limit: number,
): Promise<Counted> {
  const counted: CountedCalls[] = []
  let isMore = false
  for (const one of await splitByStatus(db, siteId, filter)) {
    const newest = inOrder(db, siteId, one, { limit }).select(['status', 'error_code', 'count'])
    const { rows } =
      await sql<CountedCalls>`select status, error_code, count(*) as rows, sum("count") as calls
      from (${newest}) as newest group by status, error_code`.execute(db)
    const numbers = rows.map((row) => ({
      ...row,
      rows: Number(row.rows),
      calls: Number(row.calls),
    }))
    for (const one of numbers) counted.push(one)
    isMore ||= numbers.reduce((sum, row) => sum + row.rows, 0) >= limit
  }
  return { counted, isMore }
}

/**
 * A job or a code has few calls; else each status of a class is read from its index, in its order.
 */
async function splitByStatus(
  db: Db,
  siteId: string | undefined,
  filter: CallFilter,
): Promise<CallFilter[]> {
  const { statusClass, status, jobId, code } = filter
  const isLed = status !== undefined || jobId !== undefined || code !== undefined
  if (statusClass === undefined || isLed) return [filter]
  const statuses = await selectStatuses(db, siteId, statusClass)
  return statuses.map((one) => ({ ...filter, statusClass: undefined, status: one }))
}

function inOrder(db: Db, siteId: string | undefined, filter: CallFilter, part: PageBounds) {
  const { since, until, statusClass } = filter
  const isUsual = filter.status === usualStatus
  const status = ['status', filter.status] as const
  const others: GivenFilters = [
    ['client_id', filter.clientId],
    ['route', filter.route],
  ]
  const given: GivenFilters = [
    ['job_id', filter.jobId],
    ['error_code', filter.code],
    ...(isUsual ? [...others, status] : [status, ...others]),
  ]
  const { lead, all } = conditionsOf(db, siteId, given, twice)
  let query = db.selectFrom('calls').where('method', '<>', '')
  for (const condition of all) query = query.where(condition)
  // Repeats the condition of the partial index, so that both planners use it.
  if (lead === 'status' && !isUsual) query = query.where(sql<SqlBool>`status <> 200`)
  if (statusClass !== undefined) {
    const [from, to] = bounds[statusClass]
    const status = withoutIndex<number>(db, 'status')
    query = query.where(status, '>=', from).where(status, '<', to)
  }
  if (since !== undefined) query = query.where('called_at', '>=', since)
  if (until !== undefined) query = query.where('called_at', '<=', until)
  if (filter.without === 'console') query = query.where(sql<SqlBool>`route not like '/console/%'`)
  return pageAfter(query, newest, part.after).limit(part.limit)
}

/** The newest call with this trace, with its bodies. */
export function selectCall(
  db: Db,
  siteId: string | undefined,
  traceId: string,
): Promise<CallRow | undefined> {
  return db
    .selectFrom('calls')
    .selectAll()
    .where('trace_id', '=', traceId)
    .$if(siteId !== undefined, (query) =>
      query.where(withoutIndex<string>(db, 'site_id'), '=', siteId ?? ''),
    )
    .orderBy('call_id', 'desc')
    .limit(1)
    .executeTakeFirst()
}
