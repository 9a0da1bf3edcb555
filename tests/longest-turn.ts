/**
 * The longest piece of work that the event loop of this thread does in one go, as processor time:
 * what other calls would wait for. A busy machine does not change it.
 */
import { readFileSync } from 'node:fs'
import { setImmediate as turn } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

/** `ms`: the longest turn; `result`: what `act` gave. */
export async function longestTurn<T>(act: () => Promise<T>): Promise<{ ms: number; result: T }> {
  let ended = false
  const watched = (async () => {
    let longest = 0
    for (let before = threadMs(); !ended; ) {
      await turn()
      const now = threadMs()
      longest = Math.max(longest, now - before)
      before = now
    }
    return longest
  })()
  try {
    const result = await act()
    ended = true
    return { ms: await watched, result }
  } finally {
    ended = true
  }
}

const never = new Int32Array(new SharedArrayBuffer(4))

/** Linux brings the number up to date when a thread sleeps; without /proc it is the time. */
export function threadMs(): number {
  try {
    Atomics.wait(never, 0, 0, 0.01)
    const [nanoseconds = ''] = readFileSync('/proc/thread-self/schedstat', 'utf8').split(' ')
    return Number(nanoseconds) / 1_000_000
  } catch {
    return performance.now()
  }
}

/** Megabytes of objects that are in use, after what is not has been collected. */
export function usedMb(): number {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  collect()
  return process.memoryUsage().heapUsed / 1024 ** 2
}
