/** The number of due, later, running and parked tasks, for operators. */
import type { Hub } from '../../../hub.ts'
import { countFailing, countTasks, type QueueDepth, troubledTasks } from './task-count-rows.ts'

export type { QueueDepth } from './task-count-rows.ts'

export const queueDepth = (hub: Hub): Promise<QueueDepth> =>
  countTasks(hub.db.read, hub.clock.now())

/** Tasks whose last try failed and that wait for the next one, by name. */
export const failingTasks = (hub: Hub): Promise<Record<string, number>> => countFailing(hub.db.read)

/** Changes when tasks are parked or begin to fail, or no longer are. */
export const taskTrouble = (hub: Hub): Promise<string> => troubledTasks(hub.db.read, 1_000)
