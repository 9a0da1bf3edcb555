/** Who is told that tasks were added, and which open transactions have added some: they tell when they commit. */
import type { Db } from './engine.ts'

export type Wake = {
  listen(wake: () => void): () => void
  /** Marks an open transaction; throws for anything else. */
  mark(tx: Db): void
  /** From here on the transaction may be marked. */
  opened(tx: Db): void
  /** Whether the transaction was marked; it is forgotten then. */
  closed(tx: Db): boolean
  tell(): void
}

export function openWake(): Wake {
  const listeners = new Set<() => void>()
  const open = new Map<Db, boolean>()
  return {
    listen: (wake) => {
      const own = () => wake()
      listeners.add(own)
      return () => listeners.delete(own)
    },
    mark: (tx) => {
      if (!open.has(tx)) throw new Error('tasksAdded belongs inside the transaction that adds the tasks.')
      open.set(tx, true)
    },
    opened: (tx) => {
      open.set(tx, false)
    },
    closed: (tx) => {
      const marked = open.get(tx) ?? false
      open.delete(tx)
      return marked
    },
    tell: () => {
      for (const wake of listeners) wake()
    },
  }
}
