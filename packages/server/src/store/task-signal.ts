/**
 * Wakes this node's runner when tasks were added. A transaction that adds tasks is marked, and the signal goes out when it
 * commits. Only a hint: polling finds every task.
 */
import type { Db } from './engine.ts'
import { everyLane, type Lane } from './tasks/lanes.ts'

export type TaskSignal = {
  listen(told: (lanes: readonly Lane[]) => void): () => void
  /** Marks an open transaction; throws for anything else. */
  mark(tx: Db, lanes?: readonly Lane[]): void
  /** Registers an open transaction, so that it can be marked. */
  opened(tx: Db): void
  /** Returns the lanes that the transaction was marked with, and forgets it. */
  closed(tx: Db): readonly Lane[]
  send(lanes: readonly Lane[]): void
}

export function openTaskSignal(): TaskSignal {
  const listeners = new Set<(lanes: readonly Lane[]) => void>()
  const open = new Map<Db, Set<Lane>>()
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
    opened: (tx) => {
      open.set(tx, new Set())
    },
    closed: (tx) => {
      const marked = open.get(tx) ?? []
      open.delete(tx)
      return [...marked]
    },
    send: (lanes) => {
      if (lanes.length > 0) for (const told of listeners) told(lanes)
    },
  }
}
