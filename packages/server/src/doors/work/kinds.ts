/** What a kind of task is to the runner: a function, a retry schedule, and for periodic ones when it is first due. */
import type { Duration } from '@dragoman/contract'
import type { Hub } from '../../hub.ts'
import type { Task } from '../../store/tasks.ts'
import type { Share } from './shares.ts'

export type Outcome =
  /** Nothing was written that must go with the end of the task: the runner finishes it, with others in one statement. */
  | 'done'
  /** `run` called finishTask or rescheduleTask in its own transaction. */
  | 'settled'
  /** Periodic: when it is due again. */
  | { readonly again: number }
  /** `attempts` where the count of tries is to be another from now on. */
  | { readonly retryAt: number; readonly because: string; readonly attempts?: number | undefined }
  | { readonly park: string }

/** The place that a running task holds among those that wait for somebody outside. */
export type Place = {
  /** The answer is there: what is left to do is the hub's own, and another may begin. */
  leave(): void
  /** Somebody is called once more. */
  take(): void
}

export type TaskKind = {
  readonly run: (hub: Hub, task: Task, place: Place) => Promise<Outcome>
  /** Waits after the first, second, … failed try. After its end the task is parked; a periodic one keeps the last wait. */
  readonly schedule: readonly Duration[]
  /** Done in place of parking when no try is left, so that who waits for the task is told. */
  readonly giveUp?: (hub: Hub, task: Task, error: unknown) => Promise<Outcome>
  /** In the lane of calls to others: how many for one party run at once, where it is not as usual. */
  readonly share?: Share
  /** There is always one task of this key; `first` says when it is due at the latest, asked at each start. */
  readonly periodic?: { readonly key: string; readonly first: (hub: Hub) => number }
}

export type TaskKinds = Readonly<Record<string, TaskKind>>
