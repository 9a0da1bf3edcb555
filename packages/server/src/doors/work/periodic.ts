/**
 * Periodic tasks. Every node adds them when it starts; their keys ensure that there is one of each.
 */
import type { Hub } from '../../hub.ts'
import { newTraceId } from '../../store/ids.ts'
import { addPeriodicTasks } from '../../store/tasks/periodic-tasks.ts'
import type { TaskKind, TaskKinds } from './kinds.ts'

export async function addPeriodic(hub: Hub, kinds: TaskKinds): Promise<void> {
  const added = { now: hub.clock.now(), causeId: `schedule:${newTraceId()}` }
  const tasks = Object.entries(kinds).flatMap(([name, { periodic }]: [string, TaskKind]) => {
    const dueAt = periodic?.first(hub)
    return periodic && dueAt !== undefined ? [{ name, key: periodic.key, dueAt }] : []
  })
  await hub.db.transact((tx) => addPeriodicTasks(hub.db, tx, tasks, added))
}
