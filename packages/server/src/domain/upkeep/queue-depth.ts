/** How many tasks wait, run and are parked: what an operator watches. */
import type { Hub } from '../../hub.ts'
import { countFailing, countTasks, type QueueDepth } from './upkeep-rows.ts'

export type { QueueDepth } from './upkeep-rows.ts'

export const queueDepth = (hub: Hub): Promise<QueueDepth> => countTasks(hub.engine.read, hub.clock.now())

/** How many tasks of each name failed at their last try and wait for the next one. */
export const failingTasks = (hub: Hub): Promise<Record<string, number>> => countFailing(hub.engine.read)
