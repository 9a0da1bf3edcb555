/**
 * A person makes tasks due now. A running task is left alone: its holder decides what becomes of
 * it. Without a site, any task: for an operator.
 */

import { type SqlBool, sql } from 'kysely'
import type { Database, Db } from '../database.ts'
import { lock } from '../lock.ts'
import type { TaskRow } from '../tables.ts'
import { stateAt, type TaskState } from './task-states.ts'

type LockedTask = TaskRow & { readonly state: TaskState }

/** Locks the task. No site: an operator retries any. With one, of this site only. */
export function lockTask(
  tx: Db,
  siteId: string | undefined,
  taskId: number,
  now: number,
): Promise<LockedTask | undefined> {
  const query = tx
    .selectFrom('tasks')
    .selectAll()
    .select(stateAt(now).as('state'))
    .where('task_id', '=', taskId)
    .$if(siteId !== undefined, (one) => one.where('site_id', '=', siteId ?? ''))
  return lock(tx, query).executeTakeFirst()
}

export type Retried = Pick<TaskRow, 'task_id' | 'name' | 'payload' | 'site_id'>
export type RetryChoice = {
  readonly siteId: string | undefined
  readonly name?: string
  readonly state: 'parked' | 'later'
  /** Task ids after the first and up to the second. */
  readonly after: number
  readonly upTo: number
}

const isChosen = ({ siteId, name, state, after, upTo }: RetryChoice, now: number) => {
  const site = siteId === undefined ? sql`` : sql` and site_id = ${siteId}`
  const named = name === undefined ? sql`` : sql` and name = ${name}`
  const inState =
    state === 'parked'
      ? sql`parked = 1`
      : sql`parked = 0 and due_at > ${now} and lease_until is null`
  return sql<SqlBool>`${inState} and task_id > ${after} and task_id <= ${upTo}${site}${named}`
}

/** No site: an operator counts all. With one, of this site only. */
export async function countRetries(db: Db, choice: RetryChoice, now: number): Promise<number> {
  const row = await db
    .selectFrom('tasks')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where(isChosen(choice, now))
    .executeTakeFirstOrThrow()
  return Number(row.count)
}

/** The last task so far. No site: a number that counts over all sites. */
export async function selectLastTask(db: Db): Promise<number> {
  const row = await db
    .selectFrom('tasks')
    .select(({ fn }) => fn.max('task_id').as('last'))
    .executeTakeFirst()
  return row?.last ?? 0
}

/**
 * Makes up to `many` of them due now, with all their tries. No site: an operator retries any. With
 * one, of this site only.
 */
export async function retrySome(
  db: Database,
  tx: Db,
  choice: RetryChoice,
  { now, many }: { readonly now: number; readonly many: number },
): Promise<Retried[]> {
  const some = tx
    .selectFrom('tasks')
    .select('task_id')
    .where(isChosen(choice, now))
    .orderBy('task_id')
    .limit(many)
  const ids = (await lock(tx, some).execute()).map((row) => row.task_id)
  return ids.length === 0 ? [] : makeDue(db, tx, ids, now)
}

/** No site: by ids that this transaction has just locked. */
export async function makeDue(
  db: Database,
  tx: Db,
  taskIds: readonly number[],
  now: number,
): Promise<Retried[]> {
  const rows = await tx
    .updateTable('tasks')
    .set({ parked: 0, attempts: 0, ended_processes: 0, due_at: now })
    .where('task_id', 'in', [...taskIds])
    .returning(['task_id', 'name', 'payload', 'site_id'])
    .execute()
  await db.tasksAdded(tx)
  return rows.sort((a, b) => a.task_id - b.task_id)
}
