/**
 * Background work as rows, added in the transaction of its cause. Adding a key again while its task
 * runs is not lost: `attempts` is set to 0, and the end of the run leaves the row to be claimed
 * once more. No site: the runner serves all sites, and the key of a task holds random ids.
 */

import { type SqlBool, sql } from 'kysely'
import type { Database, Db } from '../database.ts'
import { type Lane, lanes } from './lanes.ts'

export type NewTask = {
  readonly name: string
  readonly payload: object
  readonly siteId?: string
  /** At most one task with the same key at a time. */
  readonly key?: string
  readonly dueAt: number
  readonly causeId: string
  /** `own` by default. */
  readonly lane?: Lane
}

/** Rows per statement. */
const rowsAtOnce = 500

/**
 * A task whose key exists stays, but an earlier time wins, and a running one runs again. Tasks due
 * at the same time run in the order they are written: by key, so that two writers of the same keys
 * never deadlock.
 */
export function addTasks(
  db: Database,
  tx: Db,
  now: number,
  tasks: readonly NewTask[],
): Promise<void> {
  return addInOrder(db, tx, now, [...tasks].sort(byKey))
}

const byKey = ({ key: a = '' }: NewTask, { key: b = '' }: NewTask): number =>
  a < b ? -1 : a > b ? 1 : 0

/** The same in the order given, for a writer that is certainly alone with these keys. */
export async function addInOrder(
  db: Database,
  tx: Db,
  now: number,
  tasks: readonly NewTask[],
): Promise<void> {
  const rows = onePerKey(tasks).map((task) => ({
    name: task.name,
    payload: JSON.stringify(task.payload),
    site_id: task.siteId ?? null,
    job_id: 'jobId' in task.payload ? String(task.payload.jobId) : null,
    key: task.key ?? null,
    due_at: task.dueAt,
    attempts: 0,
    parked: 0,
    lane: lanes[task.lane ?? 'own'],
    fence: 0,
    cause_id: task.causeId,
    created_at: now,
  }))
  for (let from = 0; from < rows.length; from += rowsAtOnce) {
    await tx
      .insertInto('tasks')
      .values(rows.slice(from, from + rowsAtOnce))
      .onConflict((conflict) =>
        conflict
          .column('key')
          .doUpdateSet(() => ({
            // A lost task (its lease ended) is overdue and stays so.
            due_at: sql<number>`case when tasks.lease_until > ${now} or excluded.due_at < tasks.due_at
              then excluded.due_at else tasks.due_at end`,
            attempts: sql<number>`case when tasks.lease_until is null then tasks.attempts else 0 end`,
          }))
          .where(sql<SqlBool>`tasks.lease_until is not null or excluded.due_at < tasks.due_at`),
      )
      .execute()
  }
  if (rows.length > 0) await db.tasksAdded(tx, [...new Set(tasks.map(({ lane = 'own' }) => lane))])
}

/** One statement cannot change a row twice. */
function onePerKey(tasks: readonly NewTask[]): NewTask[] {
  const keyed = new Map<string, NewTask>()
  const others: NewTask[] = []
  for (const task of tasks) {
    if (task.key === undefined) others.push(task)
    else if (task.dueAt < (keyed.get(task.key)?.dueAt ?? Number.POSITIVE_INFINITY))
      keyed.set(task.key, task)
  }
  return [...others, ...keyed.values()]
}
