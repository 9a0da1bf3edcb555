/**
 * Places for the long answers of other services: each may take some times its bytes while it is
 * read and parsed, and hundreds of calls are under way at once. One site has one place, so that
 * another one is never without. Whoever waits longer than a call may take gives up.
 */
import type { Hub } from '../hub.ts'
import { perHub } from '../process/caches.ts'
import { openGate } from '../turns/gate.ts'

const placesOf = perHub(() => openGate(2, 1))
const mostWaitMs = 30_000

/** Returns what to call when the answer is read. */
export async function enterLong(hub: Hub, siteId: string): Promise<() => void> {
  const entered = placesOf(hub).enter(siteId, 1)
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise<never>((_, refuse) => {
    timer = setTimeout(() => {
      void entered.then((leave) => leave())
      refuse(new Error('Other long answers are read first.'))
    }, mostWaitMs)
    timer.unref()
  })
  return Promise.race([entered, late]).finally(() => clearTimeout(timer))
}
