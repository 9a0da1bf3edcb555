/**
 * One lane of the runner: claims what is due, begins it with bounded concurrency, and gives back what it claimed ahead where
 * tasks turn slow. In the lane of calls to others each party has its share of the places (shares.ts), and what waits for a
 * slow one is put off, so that nobody else has to look past it. A place is held while somebody is waited for: a task that
 * has its answer and only writes it down has left it.
 */
import type { Hub } from '../../hub.ts'
import { deferTasks, type Lane, recallTasks, releaseTasks, type Task } from '../../store/tasks.ts'
import type { Place } from './kinds.ts'
import type { Leases } from './leases.ts'
import type { Shares } from './shares.ts'

export type LaneRun = {
  /** From here on tasks are begun. */
  go(): void
  /** More may be due. */
  wake(): void
  /** The poll. */
  look(): void
  /** Begins no more; resolves when nothing runs and what was not begun is given back. */
  rest(): Promise<void>
  hold(): void
  running(): Task[]
}

export type LaneOptions = {
  readonly lane: Lane
  readonly concurrency: number
  readonly shares?: Shares
  /** Runs and settles a task. */
  readonly run: (task: Task, place: Place) => Promise<void>
}

/** As much is claimed ahead as runs in this time, by how long the last held their places: slow ones are left for other nodes. */
const aheadMs = 100
const mostRounds = 50
const mostRoundsOutside = 5
/** So many may still write down what they were answered while others take their places. */
const mostWriting = 512
/** What waits for a slow party is due again after this. */
const deferMs = 15_000

export function openLane(hub: Hub, leases: Leases, { lane, concurrency, shares, run }: LaneOptions): LaneRun {
  /** By group, in the order in which they are due; where there are no shares, all are one group. */
  const waiting = new Map<string, Task[]>()
  let waits = 0
  const running = new Map<Task, Promise<void>>()
  /** Those of the running tasks that hold a place, and since when. */
  const placed = new Map<Task, number>()
  /** Until when the tasks of slow groups are put off. */
  const deferred = new Map<string, number>()
  let going = false
  let claiming: Promise<void> | undefined
  let releasing: Promise<void> | undefined
  let moreMayBeDue = false
  let averageMs = aheadMs
  let headBefore: Task | undefined

  const begin = (task: Task): void => {
    const place = placeFor(task)
    place.take()
    const ran = run(task, place)
      .catch((error: unknown) => hub.log.error({ err: error, task: task.name }, 'the runner failed on a task'))
      .finally(() => {
        running.delete(task)
        place.leave()
        pump()
      })
    running.set(task, ran)
  }

  const placeFor = (task: Task): Place => ({
    take: () => {
      if (placed.has(task)) return
      placed.set(task, performance.now())
      shares?.begun(task)
    },
    leave: () => {
      const since = placed.get(task)
      if (since === undefined) return
      placed.delete(task)
      averageMs = averageMs * 0.9 + (performance.now() - since) * 0.1
      if (shares) end(shares, task)
      pump()
    },
  })

  const hasRoom = (): boolean => placed.size < concurrency && running.size - placed.size < mostWriting

  const end = (within: Shares, task: Task): void => {
    const group = within.groupOf(task)
    if (within.ended(task)) moreMayBeDue = true
    if (group !== undefined && deferred.size > 0 && within.isQuick(group)) takeBack(group)
  }

  const claim = async (many: number): Promise<void> => {
    moreMayBeDue = false
    try {
      const tasks = await leases.claim(many, lane, shares?.full(allWaiting()))
      if (tasks.length === many) moreMayBeDue = true
      keep(tasks)
    } catch (error) {
      hub.log.error({ err: error }, 'tasks could not be claimed')
    } finally {
      claiming = undefined
    }
    fill()
    if (shares) giveBack(shares.surplus(allWaiting()))
    pump()
  }

  const allWaiting = (): Task[] => [...waiting.values()].flat()
  const keep = (tasks: readonly Task[]): void => {
    for (const task of tasks) {
      const group = shares?.groupOf(task) ?? ''
      const line = waiting.get(group)
      if (line) line.push(task)
      else waiting.set(group, [task])
    }
    waits += tasks.length
  }

  /** Fills free places from what is claimed. */
  const fill = (): void => {
    if (!going) return
    for (const [group, line] of waiting) {
      for (let [task] = line; task && hasRoom(); [task] = line) {
        if (shares && !shares.mayBegin(task)) break
        line.shift()
        waits -= 1
        begin(task)
      }
      if (line.length === 0) waiting.delete(group)
      if (!hasRoom()) break
    }
  }

  /** The same, and claims more where more may be due. */
  const pump = (): void => {
    if (!going) return
    fill()
    const rounds = Math.min(shares ? mostRoundsOutside : mostRounds, Math.max(1, Math.floor(aheadMs / averageMs)))
    const places = concurrency * rounds
    const many = Math.min(places - waits - placed.size, mostAtOnce())
    if (moreMayBeDue && !claiming && many > 0 && waits <= places / 2) claiming = claim(many)
  }

  /** Outside, a rest is ended with few, who are then under way while more are claimed. */
  const mostAtOnce = (): number => {
    if (!shares) return Number.POSITIVE_INFINITY
    return running.size + waits === 0 ? concurrency : 2 * concurrency
  }

  const wake = (): void => {
    moreMayBeDue = true
    pump()
  }

  /** Takes the tasks from those that wait here, and lets them go; one after the other, so that `rest` can wait for it. */
  const giveBack = (tasks: readonly Task[]): void => {
    if (tasks.length === 0) return
    const gone = new Set(tasks)
    const left = allWaiting().filter((task) => !gone.has(task))
    waiting.clear()
    waits = 0
    keep(left)
    releasing = (releasing ?? Promise.resolve()).then(() => release(hub, leases, tasks))
  }

  const putOff = (groups: readonly string[]): void => {
    if (groups.length === 0) return
    giveBack(groups.flatMap((group) => waiting.get(group) ?? []))
    const now = hub.clock.now()
    // A time that no schedule has: by it they are found again when the party turns out to be quick.
    const until = now + deferMs
    for (const group of groups) deferred.set(group, until)
    afterwards(() => deferTasks(hub.engine, groups, now, until))
  }

  const takeBack = (group: string): void => {
    const until = deferred.get(group)
    if (until === undefined) return
    deferred.delete(group)
    afterwards(() => recallTasks(hub.engine, group, until, hub.clock.now()))
  }

  const afterwards = (work: () => Promise<void>): void => {
    releasing = (releasing ?? Promise.resolve())
      .then(work)
      .catch((error: unknown) =>
        hub.log.warn({ err: error }, 'tasks for a slow party could not be put off or taken back'),
      )
  }

  /** What was claimed ahead and has not come nearer since the last poll is given back: tasks got slow. */
  const look = (): void => {
    const head = waiting.get('')?.[0]
    for (const [group, until] of deferred) if (until <= hub.clock.now()) deferred.delete(group)
    if (shares) putOff(shares.slow())
    else if (head && head === headBefore) {
      averageMs = Math.max(averageMs, aheadMs)
      giveBack(allWaiting())
    }
    headBefore = waiting.get('')?.[0]
    wake()
  }

  return {
    go: () => {
      going = true
      wake()
    },
    wake,
    look,
    hold: () => {
      going = false
    },
    rest: async () => {
      going = false
      await claiming
      giveBack(allWaiting())
      await releasing
      while (running.size > 0) await Promise.all(running.values())
    },
    running: () => [...running.keys()],
  }
}

/** Gives back what was claimed and not begun. */
export async function release(hub: Hub, leases: Leases, tasks: readonly Task[]): Promise<void> {
  if (tasks.length === 0) return
  await releaseTasks(hub.engine, tasks).catch((error: unknown) =>
    hub.log.warn({ err: error, tasks: tasks.length }, 'tasks could not be given back; their leases will end'),
  )
  for (const task of tasks) leases.forget(task)
}
