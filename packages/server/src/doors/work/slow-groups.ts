/**
 * The tasks of slow groups: postponed in the table so that claims need not skip them, and recalled
 * when the group turns quick. Writes run one after the other, in the background.
 */
import type { Hub } from '../../hub.ts'
import { deferTasks, recallTasks } from '../../store/tasks/reschedule-groups.ts'

export type SlowGroups = {
  postpone(groups: readonly string[]): void
  /** Recalls the postponed tasks of this group. */
  recall(group: string): void
  readonly isEmpty: boolean
}

/** Tasks for a slow party are due again after this. */
const deferMs = 15_000

export function openSlowGroups(hub: Hub, write: (work: () => Promise<void>) => void): SlowGroups {
  /** Until when each group is postponed. */
  const until = new Map<string, number>()
  const inBackground = (work: () => Promise<void>): void =>
    write(() =>
      work().catch((error: unknown) =>
        hub.log.warn({ err: error }, 'tasks of a slow group could not be rescheduled'),
      ),
    )
  return {
    get isEmpty() {
      return until.size === 0
    },
    postpone: (groups) => {
      const now = hub.clock.now()
      for (const [group, end] of until) if (end <= now) until.delete(group)
      if (groups.length === 0) return
      // No schedule produces this exact time: it identifies postponed tasks when they are recalled.
      const dueAt = now + deferMs
      for (const group of groups) until.set(group, dueAt)
      inBackground(() => deferTasks(hub.db, groups, now, dueAt))
    },
    recall: (group) => {
      const dueAt = until.get(group)
      if (dueAt === undefined) return
      until.delete(group)
      inBackground(() => recallTasks(hub.db, group, dueAt, hub.clock.now()))
    },
  }
}
