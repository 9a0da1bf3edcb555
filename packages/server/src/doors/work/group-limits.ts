/**
 * Limits how many tasks of one group run at once, so that tasks waiting for one slow party leave
 * slots for the others. The group of a task is its key up to the last colon
 * (`deliver:<listener>:`). A group starts with its minimum; each quick end doubles its limit, a
 * slow one resets it. Limits apply per node, which is enough: they protect this node's slots.
 */
import type { Task } from '../../store/tasks/hold-tasks.ts'

export type GroupLimits = {
  /** Undefined for a task without a group. */
  groupOf(task: Task): string | undefined
  mayBegin(task: Task): boolean
  begun(task: Task): void
  /** Returns whether its group was full at the last claim, so that more of it may be due. */
  ended(task: Task): boolean
  /** Whether the last task of the group ended quickly. */
  isQuick(group: string): boolean
  /** The waiting tasks that exceed what their group may queue. */
  surplus(waiting: readonly Task[]): Task[]
  /** The groups for which no more tasks need to be claimed. */
  full(waiting: readonly Task[]): string[]
  /**
   * The groups that have kept a task running for a while; each is reported again only after some
   * time.
   */
  slow(): string[]
}

/** A slow group is not reported again before this. */
const slowAgainMs = 10_000
/** A group that was idle for this long starts again with its minimum. */
const forgetMs = 10_000

/** A group starts with `min` and returns to it when a run takes `slowMs` or longer. */
export type GroupLimit = { readonly min: number; readonly max: number; readonly slowMs: number }
type Group = GroupLimit & {
  allowed: number
  running: Map<Task, number>
  namedSlowAt: number
  endedAt: number
}

const openGroup = (limit: GroupLimit): Group => ({
  ...limit,
  allowed: limit.min,
  running: new Map(),
  namedSlowAt: Number.NEGATIVE_INFINITY,
  endedAt: Number.NEGATIVE_INFINITY,
})

export function openGroupLimits(limitOf: (task: Task) => GroupLimit): GroupLimits {
  const groups = new Map<string, Group>()
  const passedOver = new Set<string>()
  const known = new WeakMap<Task, string>()
  const groupOf = (task: Task): string | undefined => {
    if (task.key === undefined) return undefined
    const name = known.get(task) ?? task.key.slice(0, task.key.lastIndexOf(':') + 1)
    known.set(task, name)
    return name === '' ? undefined : name
  }
  const count = (waiting: readonly Task[]): Map<string, number> => {
    const counts = new Map<string, number>()
    for (const task of waiting) {
      const name = groupOf(task)
      if (name !== undefined) counts.set(name, (counts.get(name) ?? 0) + 1)
    }
    return counts
  }
  const mayRun = (name: string): number => groups.get(name)?.allowed ?? 1
  const runs = (name: string): number => groups.get(name)?.running.size ?? 0
  /** A group that has been quick may queue more tasks here. */
  const mayWait = (name: string): number => mayRun(name) ** 2

  return {
    groupOf,
    isQuick: (name) => (groups.get(name)?.allowed ?? 0) > (groups.get(name)?.min ?? 0),
    mayBegin: (task) => {
      const name = groupOf(task)
      return name === undefined || runs(name) < mayRun(name)
    },
    begun: (task) => {
      const name = groupOf(task)
      if (name === undefined) return
      const group = groups.get(name) ?? openGroup(limitOf(task))
      groups.set(name, group)
      group.running.set(task, performance.now())
    },
    ended: (task) => {
      const name = groupOf(task)
      const group = name === undefined ? undefined : groups.get(name)
      if (name === undefined || !group) return false
      group.endedAt = performance.now()
      const took = group.endedAt - (group.running.get(task) ?? 0)
      group.running.delete(task)
      group.allowed = took < group.slowMs ? Math.min(group.max, group.allowed * 2) : group.min
      return passedOver.delete(name)
    },
    surplus: (waiting) => {
      const kept = new Map<string, number>()
      return waiting.filter((task) => {
        const name = groupOf(task)
        if (name === undefined) return false
        const before = kept.get(name) ?? 0
        kept.set(name, before + 1)
        return before >= mayWait(name)
      })
    },
    full: (waiting) => {
      const waits = count(waiting)
      const names = new Set([...groups.keys(), ...waits.keys()])
      const full = [...names].filter(
        (name) => runs(name) + (waits.get(name) ?? 0) > mayRun(name) + mayWait(name) / 2,
      )
      for (const name of full) passedOver.add(name)
      return full
    },
    slow: () => {
      const now = performance.now()
      const found: string[] = []
      for (const [name, group] of groups) {
        const [oldest] = group.running.values()
        if (group.running.size === 0) {
          if (now - group.endedAt >= forgetMs) groups.delete(name)
        } else if (oldest !== undefined && now - oldest >= group.slowMs) {
          group.allowed = group.min
          if (now - group.namedSlowAt < slowAgainMs) continue
          group.namedSlowAt = now
          found.push(name)
        }
      }
      return found
    },
  }
}
