/** Recorded calls are written one after the other, in the order in which they were answered, and no call waits for it. */
import type { Hub } from '../../hub.ts'
import { perHub } from '../../process/caches.ts'

type Queue = { last: Promise<void>; waiting: number }
const queueOf = perHub((): Queue => ({ last: Promise.resolve(), waiting: 0 }))

/** More than this are dropped: the database cannot keep up. */
const most = 1_000

export function recordLater(hub: Hub, work: () => Promise<void>): void {
  const queue = queueOf(hub)
  if (queue.waiting >= most) {
    hub.log.warn('a call was not recorded: too many are waiting')
    return
  }
  queue.waiting += 1
  queue.last = queue.last
    .then(work)
    .catch((error: unknown) => hub.log.warn({ err: error }, 'a call could not be recorded'))
    .finally(() => {
      queue.waiting -= 1
    })
}

/** Resolves when everything so far is written. */
export const allRecorded = (hub: Hub): Promise<void> => queueOf(hub).last
