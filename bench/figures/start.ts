/**
 * From `node` to the first 200 on a fresh folder, and the memory of the idle process: the real
 * sandbox.
 */
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { setTimeout as delay } from 'node:timers/promises'
import { promisify } from 'node:util'
import type { Bench, Figure } from '../figure.ts'
import { inTurn, measuredOf, median } from '../pairs.ts'
import { startServer } from '../server.ts'

export const start: Figure = {
  name: 'start',
  says: 'from node to the first 200 on a fresh folder, and idle memory',
  run: async (bench) => {
    const memory: number[] = []
    const taken = await inTurn(bench, { ours: () => startOnce(bench, memory), node: bareNode })
    // The first start was the warm-up.
    memory.shift()
    return [
      {
        figure: 'From node to the first 200, fresh folder',
        ours: `${median(taken.ours).toFixed(2)} s`,
        anchor: `node alone ${median(taken.node).toFixed(2)} s`,
        measured: measuredOf(taken.ours),
        unit: 's',
        target: { atMost: 0.9 },
      },
      {
        figure: 'Memory when idle (RSS)',
        ours: `${median(memory).toFixed(0)} MB`,
        anchor: '',
        measured: measuredOf(memory),
        unit: 'MB',
        target: { atMost: 105 },
      },
    ]
  },
}

async function startOnce(bench: Bench, memory: number[]): Promise<number> {
  const env = {
    DRAGOMAN_PROFILE: 'sandbox',
    DRAGOMAN_PORT: '0',
    DRAGOMAN_DATA: await bench.folder(),
  }
  const begun = performance.now()
  const server = await startServer(bench, env, 'start')
  const answer = await fetch(`http://127.0.0.1:${server.port}/readyz`)
  const seconds = (performance.now() - begun) / 1_000
  if (answer.status !== 200) throw new Error(`/readyz answered ${answer.status}`)
  await delay(bench.options.quick ? 100 : 5_000)
  memory.push(await residentMegabytes(server.pid))
  await server.stop()
  return seconds
}

async function bareNode(): Promise<number> {
  const begun = performance.now()
  await once(spawn(process.execPath, ['-e', '0'], { stdio: 'ignore' }), 'exit')
  return (performance.now() - begun) / 1_000
}

async function residentMegabytes(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '')
  const here = /VmRSS:\s+(\d+) kB/.exec(status)?.[1]
  const kilobytes =
    here ?? (await promisify(execFile)('ps', ['-o', 'rss=', '-p', String(pid)])).stdout.trim()
  return Number(kilobytes) / 1_024
}
