/** A process that its heap ends says so to its next start; one that is killed says nothing. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeAll, beforeEach, expect, it } from 'vitest'
import { takeHeapReports } from '../packages/server/src/process/heap-report.ts'
import { buildProgram } from './build-program.ts'

beforeAll(buildProgram)
let data: string
beforeEach(() => {
  data = mkdtempSync(join(tmpdir(), 'full-heap-'))
})
afterEach(() => rmSync(data, { recursive: true }))

const built = new URL('../packages/server/dist/process/heap-report.js', import.meta.url).href
const fill = 'const all = []; for (;;) all.push(Array.from({ length: 1_000 }, () => ({})))'
const stay = "process.stdout.write('ready'); setInterval(() => {}, 60_000)"

/** A process with a small heap that watches it. */
const start = (nodeId: string, then: string) =>
  spawn(
    process.execPath,
    [
      ...['--max-old-space-size=24', '--input-type=module', '-e'],
      `const { watchHeap } = await import(${JSON.stringify(built)}); watchHeap(${JSON.stringify(data)}, '${nodeId}', []); ${then}`,
    ],
    { stdio: ['ignore', 'pipe', 'ignore'], env: { PATH: process.env.PATH } },
  )

it('a full heap is told by the node that it ended, and a kill from outside by nobody', async () => {
  const full = start('full', fill)
  const killed = start('killed', stay)
  const ended = [once(full, 'exit'), once(killed, 'exit')]
  await once(killed.stdout, 'data')
  killed.kill('SIGKILL')
  await Promise.all(ended)
  expect(takeHeapReports(data, () => false)).toEqual(['full'])
  expect(takeHeapReports(data, () => false)).toEqual([])
})
