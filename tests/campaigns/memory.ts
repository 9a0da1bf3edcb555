/**
 * What moving large files costs the hub beside: its resident memory during one upload and one download, and during eight of
 * each at once, and how long others wait for an answer meanwhile.
 */
import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { type Connector, openConnector } from './connector.ts'
import { createUpload, tusHeaders } from './paced-patch.ts'
import { makeSourceFile, type SourceFile } from './source-file.ts'
import { type SteadyHub, startSteadyHub } from './steady-hub.ts'
import type { Counter } from './tally.ts'

export type MemoryPlan = {
  /** Of the file that is moved alone. */
  readonly bytes: number
  /** Of each of the eight; none are moved when it is 0. */
  readonly eightBytes: number
}

const mib = 1024 ** 2
const mostAbove = 64
const mostInAll = 256
const mostSlower = 5

type Move = { readonly url: string; readonly headers?: Record<string, string>; readonly from?: string }

export async function measureMemory(plan: MemoryPlan, tally: Counter): Promise<void> {
  const hub = await startSteadyHub()
  const connector = openConnector(() => hub.url)
  try {
    const jobId = await connector.createJob('Memory')
    const source = (bytes: number) => makeSourceFile(join(hub.folder, `source-${bytes}`), bytes)
    // Whatever is loaded at the first use counts as idle.
    await moveBoth(hub, connector, jobId, await source(100_000), 1)
    const idle = await rssOf(hub.pid)
    const alone = await moveBoth(hub, connector, jobId, await source(plan.bytes), 1)
    for (const [what, peak] of Object.entries(alone)) {
      const above = peak - idle
      tally.figure(`${what} of ${plan.bytes / mib} MiB ${above.toFixed(0)} MB above ${idle.toFixed(0)} MB idle`)
      if (above > mostAbove) tally.leaked(`${what}: ${above.toFixed(0)} MB above idle, at most ${mostAbove}`)
    }
    tally.round()
    if (plan.eightBytes > 0) await measureEight(hub, connector, jobId, await source(plan.eightBytes), tally)
  } finally {
    await hub.close()
  }
}

async function measureEight(hub: SteadyHub, connector: Connector, jobId: string, file: SourceFile, tally: Counter) {
  const quiet = await timeLists(connector, new AbortController().signal, 200)
  const done = new AbortController()
  const busy = timeLists(connector, done.signal)
  const peaks = await moveBoth(hub, connector, jobId, file, 8).finally(() => done.abort())
  const peak = Math.max(...Object.values(peaks))
  const [before, meanwhile] = [p99(quiet), p99(await busy)]
  tally.figure(`eight of ${file.size / mib} MiB ${peak.toFixed(0)} MB in all`)
  tally.figure(`GET /jobs p99 ${before.toFixed(1)} ms idle and ${meanwhile.toFixed(1)} ms then`)
  if (peak > mostInAll) tally.leaked(`eight at once: ${peak.toFixed(0)} MB, at most ${mostInAll}`)
  if (meanwhile > mostSlower * before)
    tally.leaked(`GET /jobs p99 ${(meanwhile / before).toFixed(1)} times idle, at most ${mostSlower}`)
  tally.round()
}

/** So many uploads at once, then so many downloads; the highest memory during each. */
async function moveBoth(hub: SteadyHub, connector: Connector, jobId: string, file: SourceFile, many: number) {
  const places = await Promise.all(
    Array.from({ length: many }, async () => {
      const transfer = await connector.beginTransfer(jobId, 'large.bin')
      return { transfer, path: await createUpload(hub.url, transfer, file.size) }
    }),
  )
  const upload = await peakDuring(
    hub,
    places.map(({ transfer, path }) => ({
      url: new URL(path, hub.url).href,
      from: file.path,
      headers: {
        ...tusHeaders(transfer),
        'upload-offset': '0',
        'content-type': 'application/offset+octet-stream',
      },
    })),
  )
  const links = await Promise.all(places.map(({ transfer }) => connector.link(jobId, transfer.fmsFileId)))
  const download = await peakDuring(
    hub,
    links.map((url) => ({ url })),
  )
  return { upload, download }
}

async function peakDuring(hub: SteadyHub, moves: readonly Move[]): Promise<number> {
  let peak = 0
  const mover = spawn(process.execPath, [join(import.meta.dirname, 'mover.mjs'), JSON.stringify(moves)], {
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const watch = setInterval(() => {
    peak = Math.max(peak, rssNow(hub.pid))
  }, 20)
  try {
    const code = await new Promise((resolve) => mover.once('exit', resolve))
    if (code !== 0) throw new Error(`the files were not moved (${code})`)
    return peak
  } finally {
    clearInterval(watch)
  }
}

/** In megabytes, when it has come to rest. */
async function rssOf(pid: number): Promise<number> {
  for (let [before, now] = [Infinity, rssNow(pid)]; ; [before, now] = [now, rssNow(pid)]) {
    if (Math.abs(before - now) < 1) return now
    await delay(500)
  }
}

const rssNow = (pid: number): number =>
  Number(/^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024

/** One call after another, until told or until there are enough. */
async function timeLists(connector: Connector, over: AbortSignal, enough = Infinity): Promise<number[]> {
  const times: number[] = []
  while (!over.aborted && times.length < enough) {
    times.push(await connector.timeList())
    await delay(10)
  }
  return times
}

const p99 = (times: readonly number[]): number =>
  [...times].sort((a, b) => a - b)[Math.min(times.length - 1, Math.floor(times.length * 0.99))] ?? 0
