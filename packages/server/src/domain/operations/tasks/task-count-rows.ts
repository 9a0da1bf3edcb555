/** SQL that counts tasks. No site: figures of the whole hub, for its operator. */

import { type SqlBool, sql } from 'kysely'
import type { Db } from '../../../store/database.ts'
import { everyLane, lanes } from '../../../store/tasks/lanes.ts'
import { stateAt, type TaskState } from '../../../store/tasks/task-states.ts'

export type QueueDepth = {
  readonly due: number
  readonly later: number
  readonly running: number
  readonly parked: number
}

/** A lost task is due: any node may claim it. */
export async function countTasks(db: Db, now: number): Promise<QueueDepth> {
  const rows = await db
    .selectFrom('tasks')
    .select(({ fn }) => [stateAt(now).as('state'), fn.countAll<number>().as('many')])
    .groupBy('state')
    .execute()
  const many = (state: TaskState) => Number(rows.find((row) => row.state === state)?.many ?? 0)
  return {
    due: many('due') + many('lost'),
    later: many('later'),
    running: many('running'),
    parked: many('parked'),
  }
}

/** Tasks whose last try failed and that will be retried, by name. */
export async function countFailing(db: Db): Promise<Record<string, number>> {
  const rows = await db
    .selectFrom('tasks')
    .select(({ fn }) => ['name', fn.countAll<number>().as('many')])
    .where('parked', '=', 0)
    .where('last_error', 'is not', null)
    .groupBy('name')
    .execute()
  return Object.fromEntries(rows.map(({ name, many }) => [name, Number(many)]))
}

/** The earliest due tasks of a lane, among which are those that run. */
const maxLooked = 10_000

/** How many tasks each node runs, among the earliest due ones. */
export async function countRunning(db: Db, now: number): Promise<Map<string, number>> {
  const counts = new Map<string, number>()
  for (const lane of everyLane) {
    const due = db
      .selectFrom('tasks')
      .select(['leased_by', 'lease_until'])
      .where(sql<SqlBool>`parked = 0 and lane = ${sql.lit(lanes[lane])}`)
      .where('due_at', '<=', now)
      .orderBy('due_at')
      .limit(maxLooked)
    const rows = await db
      .selectFrom(due.as('due'))
      .select(({ fn }) => ['leased_by', fn.countAll<number>().as('many')])
      .where('lease_until', '>', now)
      .where('leased_by', 'is not', null)
      .$narrowType<{ leased_by: string }>()
      .groupBy('leased_by')
      .execute()
    for (const { leased_by, many } of rows)
      counts.set(leased_by, (counts.get(leased_by) ?? 0) + Number(many))
  }
  return counts
}

/**
 * A text that changes with the tasks that are parked and those that fail, up to the limit of each:
 * how many there are, and the sum of their numbers, so that one in place of another counts too. Of
 * the parked ones the last due. Literals, as in the conditions of the indexes.
 */
export async function troubledTasks(db: Db, limit: number): Promise<string> {
  const found = []
  const parked = db.selectFrom('tasks').where(sql<SqlBool>`parked = 1`).orderBy('due_at', 'desc')
  const failing = db
    .selectFrom('tasks')
    .where(sql<SqlBool>`parked = 0 and last_error is not null`)
    .orderBy('name')
  for (const which of [parked, failing]) {
    const some = which.select('task_id').limit(limit)
    const { many, sum } = await db
      .selectFrom(some.as('some'))
      .select(({ fn }) => [fn.countAll().as('many'), fn.sum('task_id').as('sum')])
      .executeTakeFirstOrThrow()
    found.push(many, sum)
  }
  return found.join(' ')
}
