/**
 * Recorded calls are written one after the other, in the order in which they were answered, and no
 * call waits for it.
 */
import type { Hub } from '../../hub.ts'
import { perHub } from '../../process/caches.ts'

type Queue = { last: Promise<void>; bytes: number }
const queueOf = perHub((): Queue => ({ last: Promise.resolve(), bytes: 0 }))

/**
 * What waits beyond this is dropped: the database cannot keep up, and bodies would fill the memory.
 */
const mostBytes = 32 * 1024 ** 2
/** A call without its bodies. */
const callBytes = 2 * 1024

/** `bodyBytes`: of the bodies that the work holds. */
export function recordLater(hub: Hub, bodyBytes: number, work: () => Promise<void>): void {
  const queue = queueOf(hub)
  const bytes = bodyBytes + callBytes
  if (queue.bytes + bytes > mostBytes) {
    hub.log.warn('a call was not recorded: too many are waiting')
    return
  }
  queue.bytes += bytes
  queue.last = queue.last
    .then(work)
    .catch((error: unknown) => hub.log.warn({ err: error }, 'a call could not be recorded'))
    .finally(() => {
      queue.bytes -= bytes
    })
}

/** Resolves when everything so far is written. */
export const allRecorded = (hub: Hub): Promise<void> => queueOf(hub).last
