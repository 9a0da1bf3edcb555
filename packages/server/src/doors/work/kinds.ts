/**
 * What the runner knows about a kind of task: its function, its retry schedule, its limits, and for
 * periodic ones when it is first due.
 */
import type { Duration } from '@dragoman/contract'
import type { Hub } from '../../hub.ts'
import type { Task } from '../../store/tasks/hold-tasks.ts'
import type { GroupLimit } from './group-limits.ts'

export type Outcome =
  /** The task wrote nothing that must commit with its end: the runner finishes it in a batch. */
  | 'done'
  /** `run` finished or rescheduled the task in its own transaction. */
  | 'settled'
  /** Periodic: when it is due next. */
  | { readonly again: number }
  /** `attempts` sets the number of tries. */
  | { readonly retryAt: number; readonly because: string; readonly attempts?: number | undefined }
  | { readonly park: string }

/** The slot that a running task holds in its lane. */
export type Slot = {
  /** The response has arrived and only has to be written: another task may begin. */
  release(): void
  /** The task calls out again. */
  acquire(): void
}

export type TaskKind = {
  readonly run: (hub: Hub, task: Task, slot: Slot) => Promise<Outcome>
  /**
   * How long to wait after the first, second, … failed try. After the last the task is parked; a
   * periodic task repeats the last wait.
   */
  readonly schedule: readonly Duration[]
  /**
   * Called after each failed try that will be repeated, with the next time, to show it to callers.
   */
  readonly tryFailed?: (hub: Hub, task: Task, error: unknown, nextTime: number) => Promise<void>
  /**
   * Runs instead of parking when no try is left, so that the job or provider learns of the failure.
   */
  readonly giveUp?: (hub: Hub, task: Task, error: unknown) => Promise<Outcome>
  /** In the lane of outgoing calls: how many tasks of one group run at once, if not the default. */
  readonly groupLimit?: GroupLimit
  /**
   * There is always one task with this key. `first`, called at each start, returns the latest time
   * it is due; undefined if this hub needs none.
   */
  readonly periodic?: { readonly key: string; readonly first: (hub: Hub) => number | undefined }
}

export type TaskKinds = Readonly<Record<string, TaskKind>>
