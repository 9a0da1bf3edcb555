/**
 * The hub's memory while large files pass through it, and how long others wait meanwhile; the
 * campaign measures the same.
 */
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { openConnector } from '../../tests/campaigns/connector.ts'
import {
  type Eight,
  moveBoth,
  moveEight,
  type Peaks,
  rssOf,
} from '../../tests/campaigns/moved-memory.ts'
import { makeSourceFile } from '../../tests/campaigns/source-file.ts'
import { repository } from '../built.ts'
import type { Bench, Figure, FigureRow } from '../figure.ts'
import { measuredOf } from '../pairs.ts'
import { startServer } from '../server.ts'
import { mib } from '../source-file.ts'

export const memory: Figure = {
  name: 'memory',
  says: 'memory during 1 GB up and down, and during eight at once, and GET /jobs meanwhile',
  run: async (bench) => {
    const { idle, alone, eight } = await measure(bench)
    const above = (what: keyof Peaks): FigureRow => ({
      figure: `Memory (RSS) above idle during ${what} of 1 GB`,
      ours: `${alone[what].toFixed(0)} MB`,
      anchor: `idle ${idle.toFixed(0)} MB`,
      measured: measuredOf([alone[what] - idle]),
      unit: 'MB',
      target: { atMost: 64 },
    })
    return [
      above('upload'),
      above('download'),
      {
        figure: 'Memory (RSS) in all during eight of 512 MB at once, up and down',
        ours: `${eight.peak.toFixed(0)} MB`,
        anchor: '',
        measured: measuredOf([eight.peak]),
        unit: 'MB',
        target: { atMost: 256 },
      },
      {
        figure: 'GET /jobs p99 meanwhile, against idle',
        ours: `${eight.meanwhile.toFixed(1)} ms`,
        anchor: `${eight.idle.toFixed(1)} ms`,
        measured: measuredOf([eight.meanwhile / eight.idle]),
        unit: 'x',
        target: { atMost: 5 },
      },
    ]
  },
}

/** Once: a peak has no median. In the sandbox profile, as in the campaign. */
async function measure(bench: Bench): Promise<{ idle: number; alone: Peaks; eight: Eight }> {
  const { quick } = bench.options
  const folder = await bench.folder()
  const data = join(folder, 'data')
  const env = {
    DRAGOMAN_PROFILE: 'sandbox',
    DRAGOMAN_PORT: '0',
    DRAGOMAN_DATA: data,
    DRAGOMAN_LOG_LEVEL: 'warn',
  }
  const server = await startServer(bench, env, 'memory')
  const url = `http://127.0.0.1:${server.port}`
  const connector = openConnector(() => url)
  const mover = fileURLToPath(new URL('tests/campaigns/mover.mjs', repository))
  const watched = { url, pid: server.pid, connector, mover }
  const source = (bytes: number) => makeSourceFile(join(folder, `source-${bytes}`), bytes)
  const jobId = await connector.createJob('Memory')
  // Code loaded on first use counts as idle memory.
  await moveBoth(watched, jobId, await source(100_000), 1)
  const idle = await rssOf(server.pid)
  const alone = await moveBoth(watched, jobId, await source(quick ? 4 * mib : 1024 * mib), 1)
  const eight = await moveEight(watched, jobId, await source(quick ? 2 * mib : 512 * mib))
  await server.stop()
  await rm(folder, { recursive: true, force: true })
  return { idle, alone, eight }
}
