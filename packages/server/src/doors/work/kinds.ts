/** What a kind of task is to the runner: a function, a retry schedule, and for periodic ones when it is first due. */
import type { Duration } from '@dragoman/contract'
import type { Hub } from '../../hub.ts'
import type { Task } from '../../store/tasks/hold-tasks.ts'
import type { GroupLimit } from './group-limits.ts'

export type Outcome =
  /** The task wrote nothing that must commit with its end: the runner finishes it, together with others. */
  | 'done'
  /** `run` finished or rescheduled the task in its own transaction. */
  | 'settled'
  /** Periodic: when it is due again. */
  | { readonly again: number }
  /** `attempts` sets the count of tries. */
  | { readonly retryAt: number; readonly because: string; readonly attempts?: number | undefined }
  | { readonly park: string }

/** The slot that a running task holds in its lane. */
export type Slot = {
  /** The answer is there and only has to be written down: another task may begin. */
  release(): void
  /** Somebody is called once more. */
  acquire(): void
}

export type TaskKind = {
  readonly run: (hub: Hub, task: Task, slot: Slot) => Promise<Outcome>
  /** How long to wait after the first, second, … failed try. After the last the task is parked; a periodic task keeps the last wait. */
  readonly schedule: readonly Duration[]
  /** Told of each failed try that another will follow, and when: it is shown to whoever waits. */
  readonly tryFailed?: (hub: Hub, task: Task, error: unknown, nextTime: number) => Promise<void>
  /** Runs instead of parking when no try is left, so that whoever waits for the task is told. */
  readonly giveUp?: (hub: Hub, task: Task, error: unknown) => Promise<Outcome>
  /** In the lane of calls to others: how many tasks of one group run at once, if not the usual number. */
  readonly groupLimit?: GroupLimit
  /** There is always one task with this key. `first`, asked at each start, says when it is due at the latest. */
  readonly periodic?: { readonly key: string; readonly first: (hub: Hub) => number }
}

export type TaskKinds = Readonly<Record<string, TaskKind>>
