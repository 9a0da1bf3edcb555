/**
 * A parked task, as a failed one leaves it. When it is retried, it finds nothing to do and ends.
 */
import type { Insertable } from 'kysely'
import type { Tables } from '../packages/server/src/store/tables.ts'
import type { TestHub } from './hub.ts'

type NewTask = Insertable<Tables['tasks']>

/** Returns the id of its row. */
export async function parkTask({ inner }: TestHub, more: Partial<NewTask> = {}): Promise<string> {
  const now = inner.clock.now()
  const row: NewTask = {
    name: 'deliver',
    payload: JSON.stringify({ listenerId: 'none', jobId: 'none' }),
    site_id: null,
    key: null,
    due_at: now,
    attempts: 8,
    parked: 1,
    lane: 1,
    leased_by: null,
    lease_until: null,
    fence: 8,
    cause_id: 'a-cause',
    created_at: now,
    last_error: 'It did not work.',
    ...more,
  }
  const { task_id } = await inner.db.transact((tx) =>
    tx.insertInto('tasks').values(row).returning('task_id').executeTakeFirstOrThrow(),
  )
  return String(task_id)
}
