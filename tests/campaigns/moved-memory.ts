/**
 * What moving large files costs a running hub: its resident memory during uploads and downloads,
 * and how long other callers wait meanwhile. Returns numbers; the campaign checks them against
 * bounds, the bench prints them.
 */
import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'
import type { Connector } from './connector.ts'
import { createUpload, tusHeaders } from './paced-patch.ts'
import type { SourceFile } from './source-file.ts'

/** A running hub, its connector, and the program that moves the bytes (mover.mjs). */
export type Watched = {
  readonly url: string
  readonly pid: number
  readonly connector: Connector
  readonly mover: string
}
/** The peak memory during each, in MB. */
export type Peaks = { readonly upload: number; readonly download: number }

type Move = {
  readonly url: string
  readonly headers?: Record<string, string>
  readonly from?: string
  /** PATCH if a file is sent. */
  readonly method?: 'POST'
}

/** This many uploads at once, then as many downloads. */
export async function moveBoth(
  hub: Watched,
  jobId: string,
  file: SourceFile,
  many: number,
): Promise<Peaks> {
  const { connector } = hub
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
  const links = await Promise.all(
    places.map(({ transfer }) => connector.link(jobId, transfer.fmsFileId)),
  )
  const download = await peakDuring(
    hub,
    links.map((url) => ({ url })),
  )
  return { upload, download }
}

export type Eight = {
  /** MB in all. */
  readonly peak: number
  /** p99 of `GET /jobs` in milliseconds. */
  readonly idle: number
  readonly meanwhile: number
}

export async function moveEight(hub: Watched, jobId: string, file: SourceFile): Promise<Eight> {
  const quiet = await timeLists(hub.connector, new AbortController().signal, 200)
  const done = new AbortController()
  const busy = timeLists(hub.connector, done.signal)
  const peaks = await moveBoth(hub, jobId, file, 8).finally(() => done.abort())
  return {
    peak: Math.max(peaks.upload, peaks.download),
    idle: p99(quiet),
    meanwhile: p99(await busy),
  }
}

/** The peak of its memory meanwhile, in MB. */
export async function peakDuring(
  hub: Pick<Watched, 'pid' | 'mover'>,
  moves: readonly Move[],
): Promise<number> {
  let peak = 0
  const mover = spawn(process.execPath, [hub.mover, JSON.stringify(moves)], {
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

/** In megabytes, once it is stable. */
export async function rssOf(pid: number): Promise<number> {
  for (let [before, now] = [Infinity, rssNow(pid)]; ; [before, now] = [now, rssNow(pid)]) {
    if (Math.abs(before - now) < 1) return now
    await delay(500)
  }
}

const rssNow = (pid: number): number =>
  Number(/^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024

/** One call after another, until stopped or until there are enough. */
async function timeLists(
  connector: Connector,
  over: AbortSignal,
  enough = Infinity,
): Promise<number[]> {
  const times: number[] = []
  while (!over.aborted && times.length < enough) {
    times.push(await connector.timeList())
    await delay(10)
  }
  return times
}

const p99 = (times: readonly number[]): number =>
  [...times].sort((a, b) => a - b)[Math.min(times.length - 1, Math.floor(times.length * 0.99))] ?? 0
