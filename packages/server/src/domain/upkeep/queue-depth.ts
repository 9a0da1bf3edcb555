/** How many tasks wait, run and are parked: what an operator watches. */
import type { Hub } from '../../hub.ts'
import { countTasks, type QueueDepth } from './upkeep-rows.ts'

export type { QueueDepth } from './upkeep-rows.ts'

export const queueDepth = (hub: Hub): Promise<QueueDepth> => countTasks(hub.engine.read, hub.clock.now())
