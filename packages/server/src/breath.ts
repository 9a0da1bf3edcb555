/** Lets others have their turn in the middle of long work: awaited often, it pauses when enough time has gone by. */
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
