/**
 * One lane of the runner. It claims due tasks slightly ahead, begins as many as it has slots, and
 * returns unstarted ones when tasks turn slow. In the lane of outgoing calls each group has its
 * limit, and tasks of a slow group are postponed, so that claims do not have to skip them.
 *
 *              start              stop or drain
 * stopped ---------> started -----------------> stopped drain also waits for running tasks and
 * returns the rest
 *
 * A task of the lane is queued, then running with a slot, then running without one (it writes its
 * result), then gone. Only a started lane claims and begins tasks. It claims when it is woken,
 * polled, or when a task ends and more may be due: the last claim was full, or a full group has
 * room again (`mayBeMore`).
 */
import type { Hub } from '../../hub.ts'
import { releaseTasks, type Task } from '../../store/tasks/hold-tasks.ts'
import type { Lane } from '../../store/tasks/lanes.ts'
import type { GroupLimits } from './group-limits.ts'
import type { Slot } from './kinds.ts'
import type { Leases } from './leases.ts'
import { openSlots } from './slots.ts'
import { openSlowGroups } from './slow-groups.ts'
import { openTaskQueue } from './task-queue.ts'

export type LaneRun = {
  start(): void
  /** More tasks may be due. */
  wake(): void
  /** The regular poll: also detects slow tasks and slow groups. */
  poll(): void
  /** Begins no more tasks; resolves when none runs and the unstarted ones are returned. */
  drain(): Promise<void>
  /** Begins no more tasks, at once. */
  stop(): void
  running(): Task[]
}

export type LaneOptions = {
  readonly lane: Lane
  readonly concurrency: number
  readonly limits?: GroupLimits
  /** Runs and finishes a task. */
  readonly run: (task: Task, slot: Slot) => Promise<void>
}

/**
 * Claims ahead what runs in this time, judged by the recent average: slow tasks are left to other
 * nodes.
 */
const aheadMs = 100
const maxRounds = 50
const maxRoundsOutside = 5
/** How many tasks may still write their results while others hold the slots. */
const maxWriting = 512

export function openLane(
  hub: Hub,
  leases: Leases,
  { lane, concurrency, limits, run }: LaneOptions,
): LaneRun {
  let state: 'stopped' | 'started' = 'stopped'
  let mayBeMore = false
  let claiming: Promise<void> | undefined
  /** Background writes, one after the other; only `drain` waits for them. */
  let writes: Promise<void> = Promise.resolve()
  /** The first task of the queue at the last poll. */
  let headBefore: Task | undefined

  const running = new Map<Task, Promise<void>>()
  const queue = openTaskQueue((task) => limits?.groupOf(task))
  const inBackground = (work: () => Promise<void>): void => {
    writes = writes.then(work)
  }
  const slowGroups = openSlowGroups(hub, inBackground)
  const slots = openSlots(
    { acquired: (task) => limits?.begun(task), released: (task) => released(task) },
    aheadMs,
  )

  const released = (task: Task): void => {
    if (limits?.ended(task)) mayBeMore = true
    const group = limits?.groupOf(task)
    if (group !== undefined && !slowGroups.isEmpty && limits?.isQuick(group))
      slowGroups.recall(group)
    advance()
  }

  const begin = (task: Task): void => {
    const slot = slots.of(task)
    slot.acquire()
    const ran = run(task, slot)
      .catch((error: unknown) =>
        hub.log.error({ err: error, task: task.name }, 'the runner failed on a task'),
      )
      .finally(() => {
        running.delete(task)
        slot.release()
        advance()
      })
    running.set(task, ran)
  }

  const hasRoom = (): boolean => slots.held < concurrency && running.size - slots.held < maxWriting
  const mayBegin = (task: Task): boolean => limits?.mayBegin(task) ?? true
  const fill = (): void => {
    if (state === 'started') queue.take(hasRoom, mayBegin, begin)
  }

  /** Fills free slots from the queue, and claims more if more may be due. */
  const advance = (): void => {
    if (state === 'stopped') return
    fill()
    const rounds = Math.max(1, Math.floor(aheadMs / slots.averageMs))
    const capacity = concurrency * Math.min(limits ? maxRoundsOutside : maxRounds, rounds)
    const many = Math.min(capacity - queue.size - slots.held, maxClaim())
    if (mayBeMore && !claiming && many > 0 && queue.size <= capacity / 2) claiming = claim(many)
  }

  /** An idle lane of outgoing calls begins with a few tasks, which run while it claims more. */
  const maxClaim = (): number => {
    if (!limits) return Number.POSITIVE_INFINITY
    return running.size + queue.size === 0 ? concurrency : 2 * concurrency
  }

  const claim = async (many: number): Promise<void> => {
    mayBeMore = false
    try {
      const tasks = await leases.claim(many, lane, limits?.full(queue.all()))
      if (tasks.length === many) mayBeMore = true
      queue.add(tasks)
    } catch (error) {
      hub.log.error({ err: error }, 'tasks could not be claimed')
    } finally {
      claiming = undefined
    }
    fill()
    if (limits) giveBack(limits.surplus(queue.all()))
    advance()
  }

  const giveBack = (tasks: readonly Task[]): void => {
    if (tasks.length === 0) return
    queue.remove(tasks)
    inBackground(() => release(hub, leases, tasks))
  }

  const wake = (): void => {
    mayBeMore = true
    advance()
  }

  return {
    start: () => {
      state = 'started'
      wake()
    },
    wake,
    poll: () => {
      if (limits) {
        const slow = limits.slow()
        giveBack(slow.flatMap((group) => queue.inGroup(group)))
        slowGroups.postpone(slow)
      } else {
        const [head] = queue.inGroup('')
        // The tasks claimed ahead have not advanced since the last poll: tasks turned slow.
        if (head && head === headBefore) {
          slots.raiseAverage(aheadMs)
          giveBack(queue.all())
        }
        headBefore = queue.inGroup('')[0]
      }
      wake()
    },
    stop: () => {
      state = 'stopped'
    },
    drain: async () => {
      state = 'stopped'
      await claiming
      giveBack(queue.all())
      await writes
      while (running.size > 0) await Promise.all(running.values())
    },
    running: () => [...running.keys()],
  }
}

/** Returns tasks that were claimed and not begun. */
export async function release(hub: Hub, leases: Leases, tasks: readonly Task[]): Promise<void> {
  if (tasks.length === 0) return
  await releaseTasks(hub.db, tasks).catch((error: unknown) =>
    hub.log.warn(
      { err: error, tasks: tasks.length },
      'tasks could not be released; their leases will end',
    ),
  )
  for (const task of tasks) leases.forget(task)
}
