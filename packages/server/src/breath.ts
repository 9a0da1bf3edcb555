/** Pauses long work for others: awaited often, it yields when enough time has passed. */
import { setImmediate as turn } from 'node:timers/promises'

const workMs = 20

export function openBreath(): () => Promise<void> {
  let since = performance.now()
  return async () => {
    if (performance.now() - since < workMs) return
    await turn()
    since = performance.now()
  }
}
