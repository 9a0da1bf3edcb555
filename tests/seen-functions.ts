/**
 * With DRAGOMAN_SEEN_FUNCTIONS, each test file adds a line to that file: which functions of the
 * store and of `*-rows.ts` it ran, by V8's own count, and its processor time.
 * scripts/choose-postgres-files.mjs makes the list in postgres-files.ts from it.
 */
import { appendFileSync } from 'node:fs'
import { Session } from 'node:inspector/promises'
import { relative } from 'node:path'
import { afterAll, expect } from 'vitest'
import { databases } from './databases.ts'
import { processorMs } from './processor-time.ts'

const isSeen = /packages\/server\/(?:src|dist)\/(?:store\/(?!sqlite|migrations)|domain\/.*-rows)/
const into = process.env.DRAGOMAN_SEEN_FUNCTIONS
const counting = globalThis as { dragomanCoverage?: Session; dragomanSeenMs?: number }

export async function seeFunctions(): Promise<void> {
  if (!into) return
  if (!counting.dragomanCoverage) {
    const session = new Session()
    session.connect()
    await session.post('Profiler.enable')
    await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false })
    counting.dragomanCoverage = session
  }
  afterAll(async () => {
    const { result } = (await counting.dragomanCoverage?.post('Profiler.takePreciseCoverage')) ?? {
      result: [],
    }
    const functions = result
      .filter(({ url }) => isSeen.test(url))
      .flatMap(({ url, functions: found }) => {
        const file = url.replace(/^.*\/server\/(?:src|dist)\//, '').replace(/\.[jt]s.*$/, '')
        return found
          .filter(({ functionName, ranges }) => functionName && (ranges[0]?.count ?? 0) > 0)
          .map(({ functionName }) => `${file} ${functionName}`)
      })
    const now = processorMs(process.pid)
    const ms = now - (counting.dragomanSeenMs ?? 0)
    counting.dragomanSeenMs = now
    const path = relative(process.cwd(), expect.getState().testPath ?? '')
    const line = { path, ms, databases, functions: [...new Set(functions)] }
    appendFileSync(into, `${JSON.stringify(line)}\n`)
  })
}
