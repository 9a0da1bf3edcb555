/**
 * The slots of a lane. A task holds one while it works or waits for an outside party. Once it only
 * has to write its result, it releases the slot and another task may begin.
 */
import type { Task } from '../../store/tasks/hold-tasks.ts'
import type { Slot } from './kinds.ts'

export type Slots = {
  /** Number of tasks that hold a slot. */
  readonly held: number
  /** How long tasks hold their slots, as a moving average. */
  readonly averageMs: number
  of(task: Task): Slot
  /** Called when tasks turn slow: the average is at least this. */
  raiseAverage(milliseconds: number): void
}

export function openSlots(
  on: { acquired(task: Task): void; released(task: Task): void },
  startMs: number,
): Slots {
  const since = new Map<Task, number>()
  let averageMs = startMs
  return {
    get held() {
      return since.size
    },
    get averageMs() {
      return averageMs
    },
    of: (task) => ({
      acquire: () => {
        if (since.has(task)) return
        since.set(task, performance.now())
        on.acquired(task)
      },
      release: () => {
        const acquired = since.get(task)
        if (acquired === undefined) return
        since.delete(task)
        averageMs = averageMs * 0.9 + (performance.now() - acquired) * 0.1
        on.released(task)
      },
    }),
    raiseAverage: (milliseconds) => {
      averageMs = Math.max(averageMs, milliseconds)
    },
  }
}
