/** Tasks that a process had when its memory ended it. */
import type { Database } from '../database.ts'

/** Counts one more end for each of their tasks. No site: a node works for all. */
export async function countEnded(db: Database, nodeIds: readonly string[]): Promise<number> {
  if (nodeIds.length === 0) return 0
  const counted = await db.transact((tx) =>
    tx
      .updateTable('tasks')
      .set((eb) => ({ ended_processes: eb('ended_processes', '+', 1) }))
      .where('leased_by', 'in', [...nodeIds])
      .executeTakeFirst(),
  )
  return Number(counted.numUpdatedRows)
}
