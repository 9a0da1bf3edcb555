/** The tasks that are always there. Every node adds them at its start; the key makes sure that there is one of each. */
import type { Hub } from '../../hub.ts'
import { newTraceId } from '../../store/ids.ts'
import { addTasks } from '../../store/tasks.ts'
import type { TaskKind, TaskKinds } from './kinds.ts'

export async function addPeriodic(hub: Hub, kinds: TaskKinds): Promise<void> {
  const now = hub.clock.now()
  const tasks = Object.entries(kinds).flatMap(([name, { periodic }]: [string, TaskKind]) =>
    periodic ? [{ name, payload: {}, key: periodic.key, dueAt: periodic.first(hub), causeId: newTraceId() }] : [],
  )
  if (tasks.length > 0) await hub.engine.transact((tx) => addTasks(hub.engine, tx, now, tasks))
}
