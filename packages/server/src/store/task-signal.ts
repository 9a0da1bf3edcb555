/**
 * Wakes this node's runner when tasks were added. A transaction that adds tasks is marked, and the
 * signal goes out when it commits. Only a hint: polling finds every task.
 */
import type { Db } from './database.ts'
import { straight } from './prepared.ts'
import { everyLane, type Lane } from './tasks/lanes.ts'

export type TaskSignal = {
  listen(told: (lanes: readonly Lane[]) => void): () => void
  /** Marks an open transaction; throws for anything else. */
  mark(tx: Db, lanes?: readonly Lane[]): void
  /** One transaction, which can be marked. */
  transact<T>(db: Db, work: (tx: Db) => Promise<T>): Promise<T>
  send(lanes: readonly Lane[]): void
}

/** `committed` is called after a marked transaction, to wake other nodes. */
export function openTaskSignal(committed = (): void => {}): TaskSignal {
  const listeners = new Set<(lanes: readonly Lane[]) => void>()
  const open = new Map<Db, Set<Lane>>()
  const send = (lanes: readonly Lane[]): void => {
    for (const told of listeners) told(lanes)
  }
  return {
    listen: (told) => {
      const own: typeof told = (lanes) => told(lanes)
      listeners.add(own)
      return () => listeners.delete(own)
    },
    mark: (tx, lanes = everyLane) => {
      const marked = open.get(tx)
      if (!marked) throw new Error('tasksAdded belongs inside the transaction that adds the tasks.')
      for (const lane of lanes) marked.add(lane)
    },
    transact: async (db, work) => {
      const marked = new Set<Lane>()
      const result = await db.transaction().execute(async (tx) => {
        open.set(tx, marked)
        try {
          return await straight(tx, work)
        } finally {
          open.delete(tx)
        }
      })
      if (marked.size > 0) {
        send([...marked])
        committed()
      }
      return result
    },
    send,
  }
}
