/**
 * Finds the next delivery of a queue. Calls in one turn of the event loop, and calls that arrive
 * during a query, share one statement.
 */

import type { Hub } from '../../hub.ts'
import { perHub } from '../../process/caches.ts'
import { type DeliveryQueue, type NextDelivery, nameOf, selectNext } from './attempt-rows.ts'

type Lookup = {
  readonly queue: DeliveryQueue
  resolve(next: NextDelivery | undefined): void
  reject(error: unknown): void
}
type Pending = { waiting: Lookup[]; isDueSoon: boolean; running: number }

/** Per node: each node queries only its own tasks. */
const pendingOf = perHub((): Pending => ({ waiting: [], isDueSoon: false, running: 0 }))
const batchSize = 256
/**
 * While one statement runs, the next batch gathers. A second statement may run in parallel, so that
 * a slow one delays nobody.
 */
const maxStatements = 2

export function findNext(hub: Hub, queue: DeliveryQueue): Promise<NextDelivery | undefined> {
  return new Promise((resolve, reject) => {
    const mine = pendingOf(hub)
    mine.waiting.push({ queue, resolve, reject })
    schedule(hub, mine)
  })
}

function schedule(hub: Hub, mine: Pending): void {
  if (mine.isDueSoon || mine.waiting.length === 0 || mine.running >= maxStatements) return
  mine.isDueSoon = true
  setImmediate(async () => {
    mine.isDueSoon = false
    mine.running += 1
    await answer(hub, mine.waiting.splice(0, batchSize))
    mine.running -= 1
    schedule(hub, mine)
  })
}

async function answer(hub: Hub, some: readonly Lookup[]): Promise<void> {
  try {
    const queues = some.map(({ queue }) => queue)
    const found = await selectNext(hub.db, queues)
    for (const { queue, resolve } of some) resolve(found.get(nameOf(queue)))
  } catch (error) {
    for (const { reject } of some) reject(error)
  }
}
