/** Checks what moving large files costs the hub (moved-memory.ts) against its bounds. */
import { join } from 'node:path'
import type { Env } from '../hub.ts'
import { openConnector } from './connector.ts'
import { moveBoth, moveEight, rssOf } from './moved-memory.ts'
import { makeSourceFile } from './source-file.ts'
import { startSteadyHub } from './steady-hub.ts'
import type { Counter } from './tally.ts'

export type MemoryPlan = {
  /** Size of the file that is moved alone. */
  readonly bytes: number
  /** Size of each of the eight; 0 moves none. */
  readonly eightBytes: number
  /** In MB above the idle hub; 64 by default. */
  readonly maxAbove?: number
  /** Extra environment of the hub. */
  readonly env?: Env
}

const mib = 1024 ** 2
const maxInAll = 256
const maxSlower = 5

export async function measureMemory(plan: MemoryPlan, tally: Counter): Promise<void> {
  const { maxAbove = 64 } = plan
  const hub = await startSteadyHub(plan.env)
  const connector = openConnector(() => hub.url)
  const watched = {
    url: hub.url,
    pid: hub.pid,
    connector,
    mover: join(import.meta.dirname, 'mover.mjs'),
  }
  try {
    const jobId = await connector.createJob('Memory')
    const source = (bytes: number) => makeSourceFile(join(hub.folder, `source-${bytes}`), bytes)
    // Code loaded on first use counts as idle memory.
    await moveBoth(watched, jobId, await source(100_000), 1)
    const idle = await rssOf(hub.pid)
    const alone = await moveBoth(watched, jobId, await source(plan.bytes), 1)
    for (const [what, peak] of Object.entries(alone)) {
      const above = peak - idle
      tally.figure(
        `${what} of ${plan.bytes / mib} MiB ${above.toFixed(0)} MB above ${idle.toFixed(0)} MB idle`,
      )
      if (above > maxAbove)
        tally.leaked(`${what}: ${above.toFixed(0)} MB above idle, at most ${maxAbove}`)
    }
    tally.round()
    if (plan.eightBytes === 0) return
    const {
      peak,
      idle: before,
      meanwhile,
    } = await moveEight(watched, jobId, await source(plan.eightBytes))
    tally.figure(`eight of ${plan.eightBytes / mib} MiB ${peak.toFixed(0)} MB in all`)
    tally.figure(`GET /jobs p99 ${before.toFixed(1)} ms idle and ${meanwhile.toFixed(1)} ms then`)
    if (peak > maxInAll) tally.leaked(`eight at once: ${peak.toFixed(0)} MB, at most ${maxInAll}`)
    if (meanwhile > maxSlower * before)
      tally.leaked(
        `GET /jobs p99 ${(meanwhile / before).toFixed(1)} times idle, at most ${maxSlower}`,
      )
    tally.round()
  } finally {
    await hub.close()
  }
}
