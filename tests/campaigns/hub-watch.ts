/**
 * Watches a hub in another process during an attack: how long its event loop was blocked at most,
 * and its peak memory. A wait for /healthz counts only while the hub's main thread really used the
 * processor, so that a busy machine does not look like a stall; and it is measured in a thread of
 * its own (watcher.mjs), so that a busy attacker does not either.
 */
import { once } from 'node:events'
import { Worker } from 'node:worker_threads'

export type Seen = {
  /** The longest stall, in milliseconds. */
  readonly stallMs: number
  /** MB above the idle hub. */
  readonly aboveMb: number
  /** Whether /healthz stopped answering. */
  readonly silent: boolean
}
export type Watch = {
  /** What was measured since the last call. */
  look(): Seen
  stop(): Promise<void>
}

export function watchHub(hub: { readonly url: string; readonly pid: number }): Watch {
  const shared = new SharedArrayBuffer(3 * Float64Array.BYTES_PER_ELEMENT)
  const seen = new Float64Array(shared)
  const workerData = { url: hub.url, pid: hub.pid, shared }
  const watcher = new Worker(new URL('./watcher.mjs', import.meta.url), {
    workerData,
    execArgv: [],
  })
  return {
    look: () => {
      const [stallMs = 0, aboveMb = 0, silent = 0] = seen
      seen.fill(0)
      return { stallMs, aboveMb, silent: silent > 0 }
    },
    stop: async () => {
      const ended = once(watcher, 'exit')
      watcher.postMessage('stop')
      await ended
    },
  }
}
