/**
 * The next delivery of a queue. Questions of one turn of the event loop, and those that arrive while others are being
 * answered, share one statement.
 */
import { perHub } from '../../caches.ts'
import type { Hub } from '../../hub.ts'
import { type DeliveryQueue, type NextDelivery, nameOf, selectNext } from './attempt-rows.ts'

type Asked = {
  readonly queue: DeliveryQueue
  resolve(next: NextDelivery | undefined): void
  reject(error: unknown): void
}
type Asking = { waiting: Asked[]; isDueSoon: boolean; underWay: number }

/** Of this node only: each asks for its own tasks. */
const askingOf = perHub((): Asking => ({ waiting: [], isDueSoon: false, underWay: 0 }))
const mostAtOnce = 256
/** While one statement is answered the next gathers; a second one keeps nobody waiting for a slow answer. */
const mostStatements = 2

export function findNext(hub: Hub, queue: DeliveryQueue): Promise<NextDelivery | undefined> {
  return new Promise((resolve, reject) => {
    const mine = askingOf(hub)
    mine.waiting.push({ queue, resolve, reject })
    askSoon(hub, mine)
  })
}

function askSoon(hub: Hub, mine: Asking): void {
  if (mine.isDueSoon || mine.waiting.length === 0 || mine.underWay >= mostStatements) return
  mine.isDueSoon = true
  setImmediate(async () => {
    mine.isDueSoon = false
    mine.underWay += 1
    await answer(hub, mine.waiting.splice(0, mostAtOnce))
    mine.underWay -= 1
    askSoon(hub, mine)
  })
}

async function answer(hub: Hub, some: readonly Asked[]): Promise<void> {
  try {
    const queues = some.map(({ queue }) => queue)
    const found = await selectNext(hub.engine, queues)
    for (const { queue, resolve } of some) resolve(found.get(nameOf(queue)))
  } catch (error) {
    for (const { reject } of some) reject(error)
  }
}
