/**
 * The engines that the current test file runs on: the one in its row in suites.ts (in the slow part
 * perhaps the other), otherwise both. ENGINES=sqlite leaves out PostgreSQL. Chosen for each file by
 * each-file.ts, because a process may run several files.
 */
import { relative } from 'node:path'
import { expect, inject } from 'vitest'
import { isSlowPart } from './draws.ts'
import { type EngineName, engineOf, find } from './suites.ts'

export type { EngineName } from './suites.ts'

/**
 * For `describe.each(engines)`. Without PostgreSQL only SQLite; the run has already reported that.
 */
export const engines: EngineName[] = []

export function chooseEngines(): void {
  const path = relative(process.cwd(), expect.getState().testPath ?? '')
  const wanted = (process.env.ENGINES ?? 'sqlite,postgres').split(',')
  const there = (['sqlite', 'postgres'] as const).filter(
    (engine) => engine === 'sqlite' || inject('postgresUrl') !== '',
  )
  const row = find(engineOf, path)
  const only = there.filter(
    (engine) => row && (engine === row.engine) !== (isSlowPart && row.slow === 'other'),
  )
  const chosen = only.length > 0 ? only : there.filter((engine) => wanted.includes(engine))
  engines.splice(0, engines.length, ...chosen)
}
