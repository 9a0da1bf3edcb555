/**
 * Writes the result of a try: the task is done, due again, retried by its schedule, or parked
 * (store/tasks/task-states.ts). Tasks that are simply done are finished in batches: while one
 * statement runs, the next batch fills.
 */
import { addDuration, type Duration } from '@dragoman/contract'
import type { Hub } from '../../hub.ts'
import {
  finishTasks,
  LeaseLost,
  parkTask,
  rescheduleTask,
  retryTask,
  type Task,
} from '../../store/tasks/hold-tasks.ts'
import type { Outcome, TaskKind } from './kinds.ts'
import type { Leases } from './leases.ts'

/** The metrics count tasks by these names. */
export type Ending = 'done' | 'again' | 'retried' | 'parked' | 'lost'
export type Observe = (name: string, ending: Ending, milliseconds: number) => void

const batch = 500
/** Above this, adding a task waits for the batch. */
const maxUnfinished = 2_000
const maxErrorLength = 2_000

export type Finisher = {
  finish(task: Task, outcome: Outcome | 'lost'): Promise<Ending>
  /** Resolves when every done task is finished. */
  flushed(): Promise<void>
}

export function openFinisher(hub: Hub, leases: Leases): Finisher {
  let done: Task[] = []
  let flushing: Promise<void> | undefined

  const flush = async (): Promise<void> => {
    // One turn of the event loop: tasks that end in it form one batch.
    await new Promise((next) => setImmediate(next))
    while (done.length > 0) {
      const now = done.slice(0, batch)
      done = done.slice(batch)
      try {
        const finished = await finishTasks(hub.db, now)
        if (finished < now.length)
          hub.log.warn({ lost: now.length - finished }, 'leases of done tasks were lost')
      } catch (error) {
        // They wrote nothing of their own: they run again when their leases end.
        hub.log.error({ err: error, tasks: now.length }, 'done tasks could not be finished')
      }
      for (const task of now) leases.forget(task)
    }
    flushing = undefined
  }

  const write = async (task: Task, outcome: Exclude<Outcome, string>): Promise<Ending> => {
    if ('again' in outcome) {
      await hub.db.transact((tx) => rescheduleTask(tx, task, outcome.again))
      return 'again'
    }
    if ('park' in outcome) {
      await parkTask(hub.db, task, outcome.park.slice(0, maxErrorLength))
      return 'parked'
    }
    const { retryAt, because, attempts } = outcome
    await retryTask(hub.db, task, {
      dueAt: retryAt,
      because: because.slice(0, maxErrorLength),
      attempts,
    })
    return 'retried'
  }

  return {
    finish: async (task, outcome) => {
      if (outcome === 'done') {
        done.push(task)
        flushing ??= flush()
        if (done.length > maxUnfinished) await flushing
        return 'done'
      }
      try {
        if (outcome === 'lost') return 'lost'
        return outcome === 'settled' ? 'done' : await write(task, outcome)
      } catch (error) {
        const says = { err: error, task: task.name, taskId: task.taskId, causeId: task.causeId }
        if (error instanceof LeaseLost) hub.log.warn(says, 'another node now has the task')
        else
          hub.log.error(
            says,
            'the end of an attempt could not be written; the task runs again when its lease ends',
          )
        return 'lost'
      } finally {
        leases.forget(task)
      }
    },
    flushed: async () => {
      while (flushing) await flushing
    },
  }
}

/**
 * What a failed try leads to. `attempts` counts the tries begun, this one included. A periodic task
 * repeats the last wait for ever, and its count stops at the end of the schedule.
 */
export function afterFailure(kind: TaskKind, task: Task, now: number, because: string): Outcome {
  const wait = kind.schedule[task.attempts - 1]
  if (wait) return { retryAt: addDuration(now, wait), because }
  return kind.periodic ? later(kind, now, because, kind.schedule.length) : { park: because }
}

/** A periodic task that crashed its node repeatedly gets one more try after the longest wait. */
export const afterCrashes = (kind: TaskKind, task: Task, now: number, because: string): Outcome =>
  later(kind, now, because, task.attempts - 2)

const longest: Duration = { count: 8, unit: 'h' }

const later = (kind: TaskKind, now: number, because: string, attempts: number): Outcome => ({
  retryAt: addDuration(now, kind.schedule.at(-1) ?? longest),
  because,
  attempts,
})
