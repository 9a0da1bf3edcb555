/**
 * Lists tasks for a person, the latest due time first. Like the deliveries of a site, a filter
 * becomes ranges of an index that has the order of the list. Without a site, all tasks: for an
 * operator.
 */

import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Db } from '../database.ts'
import type { TaskRow } from '../tables.ts'
import { lanes } from './lanes.ts'
import { stateAt, type TaskState } from './task-states.ts'

export type SeenState = Exclude<TaskState, 'lost'>
export type TaskFilter = {
  readonly siteId: string | undefined
  readonly name?: string
  readonly state?: SeenState
  readonly jobId?: string
  /** The earliest due time. */
  readonly since?: number
}
export type SeenTask = Omit<
  TaskRow,
  'payload' | 'key' | 'lane' | 'parked' | 'lease_until' | 'fence'
> & {
  readonly state: TaskState
}
type Condition = RawBuilder<SqlBool>

/** Ranges in one statement; SQLite allows 500. */
const rangesAtOnce = 150
/** Running tasks are looked for among the first that are due: a runner claims those first. */
const maxClaimedAhead = 2_000
const columns = sql.raw(
  'task_id, name, site_id, job_id, due_at, attempts, leased_by, cause_id, created_at, last_error',
)

/** No site: an operator sees all tasks. With one, those of the site only. */
export async function selectTasks(
  db: Db,
  filter: TaskFilter,
  page: {
    readonly now: number
    readonly before?: readonly [dueAt: number, taskId: number]
    readonly limit: number
  },
): Promise<SeenTask[]> {
  const { now, before, limit } = page
  const ranges = await rangesOf(db, filter, now)
  const rest = restOf(filter, now)
  if (before) rest.push(sql<SqlBool>`(due_at, task_id) < (${before[0]}, ${before[1]})`)
  const found: SeenTask[] = []
  for (let from = 0; from < ranges.length; from += rangesAtOnce) {
    const parts = ranges.slice(from, from + rangesAtOnce).map(
      (range) => sql`select * from (select due_at, task_id from ${tableOf(filter, range)}
        where ${sql.join([range, ...rest], sql` and `)} order by due_at desc, task_id desc limit ${limit}) as part`,
    )
    // Only the keys of each range, which its index holds; whole rows of the page alone.
    const { rows } =
      await sql<SeenTask>`select ${columns}, ${stateAt(now)} as state from tasks where task_id in (
      select task_id from (${sql.join(parts, sql` union all `)}) as parts
      order by due_at desc, task_id desc limit ${limit})`.execute(db)
    for (const one of rows) found.push(one)
  }
  return found.sort((a, b) => b.due_at - a.due_at || b.task_id - a.task_id).slice(0, limit)
}

const tableOf = ({ state, jobId }: TaskFilter, range: Condition): RawBuilder<unknown> =>
  state === 'running' && jobId === undefined
    ? sql`(select * from tasks where ${range} order by due_at, task_id limit ${sql.lit(maxClaimedAhead)}) as tasks`
    : sql`tasks`

const isDue = (now: number) => sql<SqlBool>`due_at <= ${now}`
/** A task whose lease ended counts as due: any node may claim it. */
const isIn: Readonly<Record<SeenState, (now: number) => Condition>> = {
  due: (now) =>
    sql<SqlBool>`parked = 0 and due_at <= ${now} and (lease_until is null or lease_until <= ${now})`,
  later: (now) =>
    sql<SqlBool>`parked = 0 and due_at > ${now} and (lease_until is null or lease_until <= ${now})`,
  running: (now) => sql<SqlBool>`parked = 0 and lease_until > ${now}`,
  parked: () => sql<SqlBool>`parked = 1`,
}

function restOf({ siteId, name, state, jobId, since }: TaskFilter, now: number): Condition[] {
  return [
    ...(siteId === undefined ? [] : [sql<SqlBool>`site_id = ${siteId}`]),
    ...(name === undefined ? [] : [sql<SqlBool>`name = ${name}`]),
    ...(jobId === undefined ? [] : [sql<SqlBool>`job_id = ${jobId}`]),
    ...(since === undefined ? [] : [sql<SqlBool>`due_at >= ${since}`]),
    ...(state === undefined ? [] : [isIn[state](now)]),
  ]
}

async function rangesOf(
  db: Db,
  { siteId, name, state, jobId }: TaskFilter,
  now: number,
): Promise<Condition[]> {
  if (jobId !== undefined) return [sql<SqlBool>`job_id = ${jobId} and job_id is not null`]
  const open =
    state === 'due' || state === 'running' ? sql`parked = 0 and ${isDue(now)}` : sql`parked = 0`
  const halves = [
    ...(state === 'parked' ? [] : [open]),
    ...(state === undefined || state === 'parked' ? [sql`parked = 1`] : []),
  ]
  if (siteId === undefined && name === undefined)
    return halves.flatMap((half) =>
      half === open
        ? Object.values(lanes).map((lane) => sql<SqlBool>`${half} and lane = ${sql.lit(lane)}`)
        : [sql<SqlBool>`${half}`],
    )
  const sites = siteId === undefined ? [...(await selectSites(db)), null] : [siteId]
  const ranges: Condition[] = []
  for (const site of sites) {
    const isOfSite = site === null ? sql`site_id is null` : sql`site_id = ${site}`
    for (const one of name === undefined ? await selectNames(db, site ?? '') : [name])
      for (const half of halves)
        ranges.push(sql<SqlBool>`${isOfSite} and name = ${one} and ${half}`)
  }
  return ranges
}

/**
 * The sites that have tasks, each found by one step in the index. No site: an operator sees all of
 * them.
 */
async function selectSites(db: Db): Promise<string[]> {
  const { rows } = await sql<{ site_id: string }>`with recursive found(site_id) as (
    select min(site_id) from tasks union all
    select (select min(t.site_id) from tasks t where t.site_id > found.site_id) from found where found.site_id is not null
  ) select site_id from found where site_id is not null`.execute(db)
  return rows.map((row) => row.site_id)
}

/** The names of a site's tasks, in the same way. */
async function selectNames(db: Db, siteId: string): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`with recursive found(name) as (
    select min(name) from tasks where site_id = ${siteId} union all
    select (select min(t.name) from tasks t where t.site_id = ${siteId} and t.name > found.name) from found
      where found.name is not null
  ) select name from found where name is not null`.execute(db)
  return rows.map((row) => row.name)
}
