/**
 * The background door. It claims due tasks, runs them in two lanes (lane.ts) with bounded
 * concurrency and writes the result of each (finish-tasks.ts). It does not know what a task means.
 * Signals of new tasks only wake it; polling finds every task. Timers are real; every time that is
 * written or compared is on the hub's clock.
 */
import type { Hub } from '../../hub.ts'
import { LeaseLost, type Task } from '../../store/tasks/hold-tasks.ts'
import { openTurn } from '../../turns/in-turn.ts'
import { TimedOut, withTimeout } from '../../turns/timeout.ts'
import {
  afterCrashes,
  afterFailure,
  type Ending,
  type Observe,
  openFinisher,
} from './finish-tasks.ts'
import { openGroupLimits } from './group-limits.ts'
import type { Outcome, Slot, TaskKind, TaskKinds } from './kinds.ts'
import { openLane, release } from './lane.ts'
import { openLeases } from './leases.ts'
import { addPeriodic } from './periodic.ts'

export type { Ending } from './finish-tasks.ts'
export type { Outcome, Slot, TaskKind, TaskKinds } from './kinds.ts'

/** OnTaskEnd of each task that ran, and how it ended. */
export type OnTaskEnd = (task: Task, ending: Ending) => void

export type Runner = {
  /** Begins, or resumes after `pause`; ensures that every periodic task exists. */
  start(): Promise<void>
  /**
   * Runs the tasks that are due now, one after the other by due time and id, including those they
   * add. Returns how many.
   */
  runDue(told?: OnTaskEnd): Promise<number>
  /** The same for one claim, for a caller that asks for the next due time anyway. */
  runSome(told?: OnTaskEnd): Promise<number>
  /** Begins no more tasks; resolves when none runs and the unstarted ones are returned. */
  pause(): Promise<void>
  /** `pause` for good, with a deadline. */
  stop(): Promise<void>
}

export type RunnerOptions = {
  concurrency?: number
  /** Tasks that wait for an outside party have places of their own. */
  outsideConcurrency?: number
  pollMs?: number
  /** With the heartbeat, decides how soon another node takes over a dead node's tasks. */
  leaseMs?: number
  heartbeatMs?: number
  drainMs?: number
  observe?: Observe
}

/**
 * Extra tries for a task whose tries all ended with a crash of their node: after these, the task is
 * the likely cause.
 */
const crashRetries = 10
/**
 * A task that was under way so often when the memory of its process was used up is parked. Until
 * then only one of them runs at a time, so that those beside it are found innocent.
 */
const mostEnded = 3
const suspectMs = 2_000
const waits = 'It waits for another task that may have used up the memory.'
/** For one group of outgoing calls, unless its kind has its own. */
const usualLimit = { min: 1, max: 32, slowMs: 1_000 }
/** Retry delay if the schedule gives none. */
const againMs = 60_000
const dueBatch = 100
/** `runDue` runs tasks outside the lanes, without slots. */
const noSlot: Slot = { release: () => {}, acquire: () => {} }

export function openRunner(hub: Hub, kinds: TaskKinds, options: RunnerOptions = {}): Runner {
  const { concurrency = 10, outsideConcurrency = 200, pollMs = 1_000 } = options
  const { leaseMs = 20_000, heartbeatMs = 5_000, drainMs = 25_000 } = options
  const leases = openLeases(hub, { leaseMs, heartbeatMs })
  const finisher = openFinisher(hub, leases)
  /** The one task that runs of those that were under way when a process ran out of memory. */
  let suspect: Task | undefined
  let stopped = false
  let poll: NodeJS.Timeout | undefined
  let unlisten: (() => Promise<void>) | undefined
  /** runDue, start, pause and stop wait for each other. */
  const inTurn = openTurn()

  const kindOf = (task: Task) => (Object.hasOwn(kinds, task.name) ? kinds[task.name] : undefined)

  const attempt = async (task: Task, slot: Slot): Promise<Outcome | 'lost'> => {
    const kind = kindOf(task)
    if (!kind)
      return {
        retryAt: hub.clock.now() + againMs,
        because: `This node does not know the task ${task.name}.`,
      }
    if (task.attempts > kind.schedule.length + 1 + crashRetries) {
      const because = `${task.attempts - 1} attempts ended with the node that ran them, or after the schedule.`
      if (kind.periodic) return afterCrashes(kind, task, hub.clock.now(), because)
      return giveUp(kind, task, { park: because }, new Error(because))
    }
    const ended = task.endedProcesses ?? 0
    if (ended >= mostEnded && !kind.periodic) {
      const because = `It was under way when the memory of a process was used up, ${ended} times.`
      return giveUp(kind, task, { park: because }, new Error(because))
    }
    if (ended > 0 && suspect !== undefined)
      return { retryAt: hub.clock.now() + suspectMs, because: waits, attempts: task.attempts - 1 }
    if (ended > 0) suspect = task
    const run = () => kind.run(hub, task, slot)
    try {
      return await (hub.faults?.task(task, run) ?? run())
    } catch (error) {
      const says = {
        err: error,
        task: task.name,
        taskId: task.taskId,
        causeId: task.causeId,
        attempts: task.attempts,
      }
      if (kind.periodic && task.attempts > kind.schedule.length)
        hub.log.error(says, 'a periodic task keeps failing')
      else hub.log.warn(says, 'a task attempt failed')
      // Its transaction is rolled back; another node has the task.
      if (error instanceof LeaseLost) return 'lost'
      const because = error instanceof Error ? error.message : String(error)
      const outcome = afterFailure(kind, task, hub.clock.now(), because)
      if (typeof outcome === 'string') return outcome
      if ('park' in outcome) return giveUp(kind, task, outcome, error)
      if ('retryAt' in outcome) await tell(kind, task, error, outcome.retryAt)
      return outcome
    } finally {
      if (suspect === task) suspect = undefined
    }
  }

  const tell = async (
    kind: TaskKind,
    task: Task,
    error: unknown,
    nextTime: number,
  ): Promise<void> => {
    await kind
      .tryFailed?.(hub, task, error, nextTime)
      .catch((failed: unknown) =>
        hub.log.warn(
          { err: failed, task: task.name, taskId: task.taskId },
          'a failed attempt could not be recorded',
        ),
      )
  }

  /** No try is left: the kind decides, or the task is parked. */
  const giveUp = async (
    kind: TaskKind,
    task: Task,
    parked: Outcome,
    error: unknown,
  ): Promise<Outcome | 'lost'> => {
    if (!kind.giveUp) return parked
    try {
      return await kind.giveUp(hub, task, error)
    } catch (failed) {
      hub.log.warn(
        { err: failed, task: task.name, taskId: task.taskId },
        'a task could not be given up',
      )
      if (failed instanceof LeaseLost) return 'lost'
      const isLast = task.attempts > kind.schedule.length + 1 + crashRetries
      return isLast ? parked : { retryAt: hub.clock.now() + againMs, because: String(failed) }
    }
  }

  const runOne = async (task: Task, slot: Slot, told?: OnTaskEnd): Promise<void> => {
    const begun = performance.now()
    // After a stall another node may hold it.
    if (!leases.holds(task)) {
      leases.forget(task)
      return
    }
    const ending = await finisher.finish(task, await attempt(task, slot))
    options.observe?.(task.name, ending, performance.now() - begun)
    told?.(task, ending)
  }

  const own = openLane(hub, leases, { lane: 'own', concurrency, run: runOne })
  const outside = openLane(hub, leases, {
    lane: 'outside',
    concurrency: outsideConcurrency,
    limits: openGroupLimits((task) => kindOf(task)?.groupLimit ?? usualLimit),
    run: runOne,
  })
  const both = [own, outside]

  const drain = async (): Promise<void> => {
    clearInterval(poll)
    poll = undefined
    await Promise.all(both.map((lane) => lane.drain()))
    await finisher.flushed()
  }

  const resume = async (): Promise<void> => {
    if (poll || stopped) return
    unlisten ??= await hub.db.onTasksAdded((lanes) => {
      if (lanes.includes('own')) own.wake()
      if (lanes.includes('outside')) outside.wake()
    })
    poll = setInterval(() => {
      for (const lane of both) lane.poll()
    }, pollMs)
    poll.unref()
    for (const lane of both) lane.start()
  }

  const runClaim = async (told?: OnTaskEnd): Promise<number> => {
    const tasks = stopped ? [] : await leases.claim(dueBatch)
    const calls: Promise<unknown>[] = []
    let ran = 0
    while (!stopped) {
      const task = tasks.shift()
      if (!task) break
      const run = runOne(task, noSlot, told)
      // A slow receiver delays no others here either.
      if (task.outside) calls.push(run)
      else await run
      ran += 1
    }
    await Promise.all(calls)
    await release(hub, leases, tasks)
    await finisher.flushed()
    return ran
  }

  const runAllDue = async (told?: OnTaskEnd): Promise<number> => {
    let ran = 0
    for (;;) {
      const more = await runClaim(told)
      if (more === 0) return ran
      ran += more
    }
  }

  /** Drains the lanes first, and restarts them afterwards if they were started. */
  const byHand = (run: () => Promise<number>): Promise<number> =>
    inTurn(async () => {
      const goesOn = poll !== undefined
      await drain()
      try {
        return await run()
      } finally {
        if (goesOn) await resume()
      }
    })

  return {
    start: () =>
      inTurn(async () => {
        await addPeriodic(hub, kinds)
        await resume()
      }),
    runDue: (told) => byHand(() => runAllDue(told)),
    runSome: (told) => byHand(() => runClaim(told)),
    pause: () => inTurn(drain),
    stop: async () => {
      stopped = true
      for (const lane of both) lane.stop()
      await unlisten?.()
      unlisten = undefined
      try {
        await withTimeout(drainMs, inTurn(drain))
      } catch (error) {
        if (!(error instanceof TimedOut)) throw error
        const left = both
          .flatMap((lane) => lane.running())
          .map(({ name, taskId }) => ({ name, taskId }))
        hub.log.warn(
          { left },
          'tasks are still running at the end of the drain; other nodes will take them over',
        )
      }
      leases.abandon()
    },
  }
}
