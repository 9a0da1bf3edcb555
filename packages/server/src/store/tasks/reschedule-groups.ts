/**
 * Reschedules whole groups of tasks: all whose keys share a prefix, or all of one name. No node
 * holds them, so no fence is needed. No site: the runner serves all sites, and the key of a task
 * holds random ids.
 */

import { sql } from 'kysely'
import type { Database, Db } from '../database.ts'
import { prepared } from '../prepared.ts'

/** Postpones the due tasks of these groups. */
export async function deferTasks(
  db: Database,
  prefixes: readonly string[],
  now: number,
  dueAt: number,
): Promise<void> {
  await db.transact(async (tx) => {
    for (const prefix of prefixes)
      await deferGroup(tx, { from: prefix, below: endOf(prefix), now, dueAt })
  })
}

type Deferring = { from: string; below: string; now: number; dueAt: number }

const deferGroup = prepared((tx: Db, at: Deferring) =>
  tx
    .updateTable('tasks')
    .set({ due_at: at.dueAt })
    .where('key', '>=', at.from)
    .where('key', '<', at.below)
    .where('parked', '=', 0)
    .where('due_at', '<=', at.now)
    .where('lease_until', 'is', null),
)

/**
 * Sorts after all keys of the group. The last character of a prefix is a colon; a semicolon comes
 * after it.
 */
const endOf = (prefix: string): string => `${prefix.slice(0, -1)};`

/** Makes tasks due again that `deferTasks` postponed to exactly this time. */
export async function recallTasks(
  db: Database,
  prefix: string,
  until: number,
  now: number,
): Promise<void> {
  await db.transact(async (tx) => {
    const done = await tx
      .updateTable('tasks')
      .set({ due_at: now })
      .where('key', '>=', prefix)
      .where('key', '<', endOf(prefix))
      .where('due_at', '=', until)
      .executeTakeFirst()
    if (done.numUpdatedRows > 0n) await db.tasksAdded(tx)
  })
}

/** Makes the tasks of the group due now; one that is running runs once more. */
export async function hastenTasks(
  db: Database,
  tx: Db,
  prefix: string,
  now: number,
): Promise<void> {
  const done = await tx
    .updateTable('tasks')
    .set({
      due_at: now,
      attempts: sql<number>`case when tasks.lease_until is null then tasks.attempts else 0 end`,
    })
    .where('key', '>=', prefix)
    .where('key', '<', endOf(prefix))
    .where('parked', '=', 0)
    .executeTakeFirst()
  if (done.numUpdatedRows > 0n) await db.tasksAdded(tx)
}

/** Unparks the task with this key, if it is parked. */
export async function unparkKey(db: Database, tx: Db, key: string, now: number): Promise<void> {
  const done = await tx
    .updateTable('tasks')
    .set({ parked: 0, attempts: 0, ended_processes: 0, due_at: now })
    .where('key', '=', key)
    .where('parked', '=', 1)
    .executeTakeFirst()
  if (done.numUpdatedRows > 0n) await db.tasksAdded(tx)
}

/** Unparks the parked tasks of one name. */
export async function unparkTasks(db: Database, name: string, now: number): Promise<void> {
  await db.transact(async (tx) => {
    const done = await tx
      .updateTable('tasks')
      .set({ parked: 0, attempts: 0, ended_processes: 0, due_at: now })
      .where('name', '=', name)
      .where('parked', '=', 1)
      .executeTakeFirst()
    if (done.numUpdatedRows > 0n) await db.tasksAdded(tx)
  })
}

/** Makes every task due earlier by this much: the sandbox has put its clock back. */
export async function bringForward(tx: Db, milliseconds: number): Promise<void> {
  await tx
    .updateTable('tasks')
    .set((eb) => ({ due_at: eb('due_at', '-', milliseconds) }))
    .execute()
}
