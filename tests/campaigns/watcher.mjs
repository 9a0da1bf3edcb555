/**
 * The thread of `watchHub`: asks the hub for /healthz again and again, and keeps the largest values
 * in shared memory. A thread of its own, because the one that attacks may be busy for seconds and
 * would take its own delay for the hub's.
 */
import { readFileSync } from 'node:fs'
import { Agent, get } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'
import { parentPort, workerData } from 'node:worker_threads'

const { url, pid, shared } = workerData
/** The longest stall in ms, MB above idle, whether it was silent. */
const seen = new Float64Array(shared)
const everyMs = 25
/** Linux counts processor time in hundredths of a second. */
const tickMs = 10
const agent = new Agent({ keepAlive: true, maxSockets: 1 })
let going = true
parentPort.once('message', () => {
  going = false
})

const idle = residentMb()
while (going) {
  const begun = performance.now()
  const busy = mainThreadMs()
  if (!(await answers()) && going) seen[2] = 1
  const waited = performance.now() - begun
  seen[0] = Math.max(seen[0], Math.min(waited, mainThreadMs() - busy))
  seen[1] = Math.max(seen[1], residentMb() - idle)
  await delay(everyMs)
}
agent.destroy()

/** Processor time of the event loop's thread; without /proc every wait counts as busy. */
function mainThreadMs() {
  try {
    const stat = readFileSync(`/proc/${pid}/task/${pid}/stat`, 'utf8')
    // The name is in parentheses and may contain spaces; user and system time are the 12th and 13th
    // field after it.
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

function residentMb() {
  try {
    return (
      Number(/VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024
    )
  } catch {
    return 0
  }
}

/** Longer than any stall: after this the hub counts as dead. */
function answers() {
  return new Promise((resolve) => {
    const call = get(`${url}/healthz`, { agent, timeout: 60_000 }, (answer) => {
      answer.resume().once('end', () => resolve(answer.statusCode === 200))
    })
    call.once('timeout', () => call.destroy())
    call.once('error', () => resolve(false))
  })
}
