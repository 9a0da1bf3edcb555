/** Who is told that tasks were added, and which open transactions have added some: they tell when they commit. */
import type { Db } from './engine.ts'
import { everyLane, type Lane } from './lanes.ts'

export type Wake = {
  listen(wake: (lanes: readonly Lane[]) => void): () => void
  /** Marks an open transaction; throws for anything else. */
  mark(tx: Db, lanes?: readonly Lane[]): void
  /** From here on the transaction may be marked. */
  opened(tx: Db): void
  /** The lanes that the transaction was marked with; it is forgotten then. */
  closed(tx: Db): readonly Lane[]
  /** Nobody, where there are none. */
  tell(lanes: readonly Lane[]): void
}

export function openWake(): Wake {
  const listeners = new Set<(lanes: readonly Lane[]) => void>()
  const open = new Map<Db, Set<Lane>>()
  return {
    listen: (wake) => {
      const own: typeof wake = (lanes) => wake(lanes)
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
    tell: (lanes) => {
      if (lanes.length > 0) for (const wake of listeners) wake(lanes)
    },
  }
}
