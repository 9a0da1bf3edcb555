/**
 * The tasks this node holds, and the heartbeat that extends their leases. If a lease is lost (this
 * process stalled and another node took over), the task is forgotten here; the fence rejects
 * anything its function still writes.
 */
import type { Hub } from '../../hub.ts'
import { claimTasks } from '../../store/tasks/claim-tasks.ts'
import { extendLeases, type Task } from '../../store/tasks/hold-tasks.ts'
import type { Lane } from '../../store/tasks/lanes.ts'

export type Leases = {
  /**
   * Claims up to `many` due tasks, of one lane or of all, in due order; none whose key begins with
   * one of `skip`.
   */
  claim(many: number, lane?: Lane, skip?: readonly string[]): Promise<Task[]>
  /** Whether the task may still be begun. */
  holds(task: Task): boolean
  forget(task: Task): void
  /** Ends the heartbeat; other nodes take over the held tasks when their leases end. */
  abandon(): void
}

export function openLeases(
  hub: Hub,
  { leaseMs, heartbeatMs }: { leaseMs: number; heartbeatMs: number },
): Leases {
  const held = new Map<number, { task: Task; until: number }>()
  let timer: NodeJS.Timeout | undefined
  let beating: Promise<void> | undefined

  const beat = (): Promise<void> => {
    beating ??= extend().finally(() => {
      beating = undefined
    })
    return beating
  }

  const extend = async (): Promise<void> => {
    const before = [...held.values()]
    const until = hub.clock.now() + leaseMs
    try {
      const kept = await extendLeases(
        hub.db,
        before.map(({ task }) => task),
        until,
      )
      for (const lease of before) {
        if (kept.has(lease.task.taskId)) lease.until = until
        else if (held.get(lease.task.taskId) === lease) lose(lease.task)
      }
    } catch (error) {
      hub.log.warn({ err: error, tasks: before.length }, 'leases could not be extended')
    }
  }

  const lose = (task: Task): void => {
    held.delete(task.taskId)
    hub.log.warn(
      { task: task.name, taskId: task.taskId, causeId: task.causeId },
      'lease of a task lost',
    )
  }

  const keepBeating = (): void => {
    if (held.size > 0 && !timer) {
      timer = setInterval(beat, heartbeatMs)
      timer.unref()
    } else if (held.size === 0) {
      clearInterval(timer)
      timer = undefined
    }
  }

  return {
    claim: async (many, lane, skip = []) => {
      const now = hub.clock.now()
      // After a stall this node would otherwise claim what it still runs.
      if ([...held.values()].some(({ until }) => until <= now)) await beat()
      const until = now + leaseMs
      const claim = {
        nodeId: hub.nodeId,
        now,
        leaseUntil: until,
        many,
        skip,
        ...(lane && { lane }),
      }
      const tasks = await claimTasks(hub.db, claim)
      for (const task of tasks) held.set(task.taskId, { task, until })
      keepBeating()
      return tasks.sort((a, b) => a.dueAt - b.dueAt || a.taskId - b.taskId)
    },
    holds: (task) => {
      const lease = held.get(task.taskId)
      return lease?.task === task && lease.until > hub.clock.now()
    },
    forget: (task) => {
      if (held.get(task.taskId)?.task === task) held.delete(task.taskId)
      if (held.size === 0) keepBeating()
    },
    abandon: () => {
      held.clear()
      keepBeating()
    },
  }
}
