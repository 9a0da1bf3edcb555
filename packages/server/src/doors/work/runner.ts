/**
 * The background door: claims due tasks by lease, runs them in two lanes with bounded concurrency and settles what they
 * answer. It knows nothing of what a task means. Being told of new tasks only wakes it; polling is the truth. Real timers wake,
 * every time that is written or compared is the hub's.
 */
import type { Hub } from '../../hub.ts'
import { LeaseLost, type Task } from '../../store/tasks.ts'
import type { Outcome, Place, TaskKind, TaskKinds } from './kinds.ts'
import { openLane, release } from './lane.ts'
import { openLeases } from './leases.ts'
import { addPeriodic } from './periodic.ts'
import { afterCrashes, afterFailure, type Observe, openSettling } from './settle.ts'
import { openShares } from './shares.ts'

export type { Outcome, Place, TaskKind, TaskKinds } from './kinds.ts'

export type Runner = {
  /** Begins, or goes on after `pause`; makes sure that every periodic task exists. */
  start(): Promise<void>
  /** Runs what is due now, one after the other by due time and id, and what that makes due now. Gives back how many. */
  runDue(): Promise<number>
  /** The same for what one claim gives: who asks for the next due time anyway need not be told that nothing is left. */
  runSome(): Promise<number>
  /** Begins no more; resolves when nothing runs and what was not begun is given back. */
  pause(): Promise<void>
  /** `pause` for good, within a deadline. */
  stop(): Promise<void>
}

export type RunnerOptions = {
  concurrency?: number
  /** The same for tasks that wait for somebody outside. */
  outsideConcurrency?: number
  pollMs?: number
  /** With the heartbeat: how soon another node takes over a dead node's tasks. */
  leaseMs?: number
  heartbeatMs?: number
  drainMs?: number
  observe?: Observe
}

/** Tries beyond the schedule that a task gets when they all ended with their node: then it is what ends them. */
const triesOfTheDead = 10
/** For one party outside, where the kind of task says nothing else. */
const usualShare = { least: 1, most: 32, slowMs: 1_000 }
/** For what the schedule knows nothing of. */
const againMs = 60_000
const batchOfDue = 100
/** By hand, tasks stand in nobody's way. */
const noPlace: Place = { leave: () => {}, take: () => {} }

export function openRunner(hub: Hub, kinds: TaskKinds, options: RunnerOptions = {}): Runner {
  const { concurrency = 10, outsideConcurrency = 200, pollMs = 1_000 } = options
  const { leaseMs = 20_000, heartbeatMs = 5_000, drainMs = 25_000 } = options
  const leases = openLeases(hub, { leaseMs, heartbeatMs })
  const settling = openSettling(hub, leases)
  let stopped = false
  let poll: NodeJS.Timeout | undefined
  let unlisten: (() => Promise<void>) | undefined
  /** runDue, start, pause and stop wait for each other. */
  let turn: Promise<unknown> = Promise.resolve()

  const kindOf = (task: Task) => (Object.hasOwn(kinds, task.name) ? kinds[task.name] : undefined)

  const attempt = async (task: Task, place: Place): Promise<Outcome | 'lost'> => {
    const kind = kindOf(task)
    if (!kind) return { retryAt: hub.clock.now() + againMs, because: `This node knows no task ${task.name}.` }
    if (task.attempts > kind.schedule.length + 1 + triesOfTheDead) {
      const because = `${task.attempts - 1} tries ended with the node that ran them, or beyond the schedule.`
      if (kind.periodic) return afterCrashes(kind, task, hub.clock.now(), because)
      return giveUp(kind, task, { park: because }, new Error(because))
    }
    const run = () => kind.run(hub, task, place)
    try {
      return await (hub.faults?.task(task, run) ?? run())
    } catch (error) {
      const says = { err: error, task: task.name, taskId: task.taskId, causeId: task.causeId, attempts: task.attempts }
      if (kind.periodic && task.attempts > kind.schedule.length) hub.log.error(says, 'a periodic task keeps failing')
      else hub.log.warn(says, 'a try of a task failed')
      // Its transaction is undone, and the task is another node's.
      if (error instanceof LeaseLost) return 'lost'
      const because = error instanceof Error ? error.message : String(error)
      const outcome = afterFailure(kind, task, hub.clock.now(), because)
      return typeof outcome === 'object' && 'park' in outcome ? giveUp(kind, task, outcome, error) : outcome
    }
  }

  /** No try is left: what the kind of task does then, or the task is parked. */
  const giveUp = async (kind: TaskKind, task: Task, parked: Outcome, error: unknown): Promise<Outcome | 'lost'> => {
    if (!kind.giveUp) return parked
    try {
      return await kind.giveUp(hub, task, error)
    } catch (failed) {
      hub.log.warn({ err: failed, task: task.name, taskId: task.taskId }, 'a task could not be given up')
      if (failed instanceof LeaseLost) return 'lost'
      const isLast = task.attempts > kind.schedule.length + 1 + triesOfTheDead
      return isLast ? parked : { retryAt: hub.clock.now() + againMs, because: String(failed) }
    }
  }

  const runOne = async (task: Task, place: Place): Promise<void> => {
    const begun = performance.now()
    // After a standstill: another node may have it already.
    if (!leases.holds(task)) {
      leases.forget(task)
      return
    }
    const ending = await settling.settle(task, await attempt(task, place))
    options.observe?.(task.name, ending, performance.now() - begun)
  }

  const own = openLane(hub, leases, { lane: 'own', concurrency, run: runOne })
  const outside = openLane(hub, leases, {
    lane: 'outside',
    concurrency: outsideConcurrency,
    shares: openShares((task) => kindOf(task)?.share ?? usualShare),
    run: runOne,
  })
  const both = [own, outside]

  const rest = async (): Promise<void> => {
    clearInterval(poll)
    poll = undefined
    await Promise.all(both.map((lane) => lane.rest()))
    await settling.finished()
  }

  const resume = async (): Promise<void> => {
    if (poll || stopped) return
    unlisten ??= await hub.engine.onTasksAdded((lanes) => {
      if (lanes.includes('own')) own.wake()
      if (lanes.includes('outside')) outside.wake()
    })
    poll = setInterval(() => {
      for (const lane of both) lane.look()
    }, pollMs)
    poll.unref()
    for (const lane of both) lane.go()
  }

  const runClaim = async (): Promise<number> => {
    const tasks = stopped ? [] : await leases.claim(batchOfDue)
    const calls: Promise<unknown>[] = []
    let ran = 0
    while (!stopped) {
      const task = tasks.shift()
      if (!task) break
      const run = runOne(task, noPlace)
      // Whoever is slow to answer keeps nobody else waiting here either.
      if (task.outside) calls.push(run)
      else await run
      ran += 1
    }
    await Promise.all(calls)
    await release(hub, leases, tasks)
    await settling.finished()
    return ran
  }

  const runAllDue = async (): Promise<number> => {
    let ran = 0
    for (;;) {
      const more = await runClaim()
      if (more === 0) return ran
      ran += more
    }
  }

  /** While the loop rests, and it goes on afterwards if it went before. */
  const byHand = (run: () => Promise<number>): Promise<number> =>
    inTurn(async () => {
      const goesOn = poll !== undefined
      await rest()
      try {
        return await run()
      } finally {
        if (goesOn) await resume()
      }
    })

  const inTurn = <T>(act: () => Promise<T>): Promise<T> => {
    const next = turn.then(act)
    turn = next.catch(() => {})
    return next
  }

  return {
    start: () =>
      inTurn(async () => {
        await addPeriodic(hub, kinds)
        await resume()
      }),
    runDue: () => byHand(runAllDue),
    runSome: () => byHand(runClaim),
    pause: () => inTurn(rest),
    stop: async () => {
      stopped = true
      for (const lane of both) lane.hold()
      await unlisten?.()
      unlisten = undefined
      if (!(await within(drainMs, inTurn(rest)))) {
        const left = both.flatMap((lane) => lane.running()).map(({ name, taskId }) => ({ name, taskId }))
        hub.log.warn({ left }, 'tasks still run at the end of the drain; other nodes will take them over')
      }
      leases.abandon()
    },
  }
}

async function within(milliseconds: number, work: Promise<void>): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<boolean>((resolve) => {
    timer = setTimeout(() => resolve(false), milliseconds)
  })
  try {
    return await Promise.race([work.then(() => true), late])
  } finally {
    clearTimeout(timer)
  }
}
