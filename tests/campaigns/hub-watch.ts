/**
 * Watches a hub in another process during an attack: how long its event loop was blocked at most, and its peak memory. A wait
 * for /healthz counts only while the hub's main thread really used the processor, so that a busy machine does not look like a
 * stall.
 */
import { readFileSync } from 'node:fs'
import { Agent, get } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'

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

const everyMs = 25
/** Linux counts processor time in hundredths of a second. */
const tickMs = 10

export function watchHub(hub: { readonly url: string; readonly pid: number }): Watch {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  const idle = residentMb(hub.pid)
  let seen = { stallMs: 0, aboveMb: 0, silent: false }
  let going = true
  const watching = (async () => {
    while (going) {
      const begun = performance.now()
      const busy = mainThreadMs(hub.pid)
      if (!(await answers(hub.url, agent)) && going) seen.silent = true
      const waited = performance.now() - begun
      seen.stallMs = Math.max(seen.stallMs, Math.min(waited, mainThreadMs(hub.pid) - busy))
      seen.aboveMb = Math.max(seen.aboveMb, residentMb(hub.pid) - idle)
      await delay(everyMs)
    }
  })()
  return {
    look: () => {
      const found = seen
      seen = { stallMs: 0, aboveMb: 0, silent: false }
      return found
    },
    stop: async () => {
      going = false
      await watching
      agent.destroy()
    },
  }
}

/** Processor time of the event loop's thread; without /proc every wait counts as busy. */
function mainThreadMs(pid: number): number {
  try {
    const stat = readFileSync(`/proc/${pid}/task/${pid}/stat`, 'utf8')
    // The name is in parentheses and may contain spaces; user and system time are the 12th and 13th field after it.
    const [user = 0, system = 0] = stat
      .slice(stat.lastIndexOf(')') + 2)
      .split(' ')
      .slice(11, 13)
      .map(Number)
    return (user + system) * tickMs
  } catch {
    return performance.now()
  }
}

function residentMb(pid: number): number {
  try {
    return Number(/VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024
  } catch {
    return 0
  }
}

/** Longer than any stall: after this the hub counts as dead. */
const answers = (url: string, agent: Agent): Promise<boolean> =>
  new Promise((resolve) => {
    const call = get(`${url}/healthz`, { agent, timeout: 60_000 }, (answer) => {
      answer.resume().once('end', () => resolve(answer.statusCode === 200))
    })
    call.once('timeout', () => call.destroy())
    call.once('error', () => resolve(false))
  })
