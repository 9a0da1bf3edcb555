/**
 * Tasks that always exist, one per key. Adding one again never delays it, and unparks a parked one.
 * No site: periodic tasks are the hub's own.
 */

import { sql } from 'kysely'
import type { Database, Db } from '../database.ts'
import { lanes } from './lanes.ts'

export type PeriodicTask = { readonly name: string; readonly key: string; readonly dueAt: number }

export async function addPeriodicTasks(
  db: Database,
  tx: Db,
  tasks: readonly PeriodicTask[],
  added: { readonly now: number; readonly causeId: string },
): Promise<void> {
  if (tasks.length === 0) return
  const rows = tasks.map(({ name, key, dueAt }) => ({
    name,
    payload: '{}',
    key,
    due_at: dueAt,
    attempts: 0,
    parked: 0,
    lane: lanes.own,
    fence: 0,
    cause_id: added.causeId,
    created_at: added.now,
  }))
  await tx
    .insertInto('tasks')
    .values(rows.sort((a, b) => (a.key < b.key ? -1 : 1)))
    .onConflict((conflict) =>
      conflict
        .column('key')
        .doUpdateSet({
          due_at: sql<number>`case when excluded.due_at < tasks.due_at then excluded.due_at else tasks.due_at end`,
          attempts: sql<number>`case when tasks.parked = 1 then 0 else tasks.attempts end`,
          parked: 0,
        })
        .where((eb) =>
          eb.or([eb('tasks.parked', '=', 1), eb('excluded.due_at', '<', eb.ref('tasks.due_at'))]),
        ),
    )
    .execute()
  await db.tasksAdded(tx)
}
