/**
 * The engines that the current test file runs on: the one in its row in suites.ts, in the gate
 * SQLite alone for a file that postgres-files.ts does not list, otherwise both. ENGINES=sqlite
 * leaves out PostgreSQL. Chosen for each file by each-file.ts, because a process may run several.
 */
import { relative } from 'node:path'
import { expect, inject } from 'vitest'
import { drawsAll, isGate } from './draws.ts'
import { postgresFiles } from './postgres-files.ts'
import { type EngineName, engineOf, find } from './suites.ts'

export type { EngineName } from './suites.ts'

/**
 * For `describe.each(engines)`. Without PostgreSQL only SQLite; the run has already reported that.
 */
export const engines: EngineName[] = []

export function chooseEngines(): void {
  const path = relative(process.cwd(), expect.getState().testPath ?? '')
  const wanted = wantedFor(path)
  const there = (['sqlite', 'postgres'] as const).filter(
    (engine) => engine === 'sqlite' || inject('postgresUrl') !== '',
  )
  const chosen = there.filter((engine) => wanted.includes(engine))
  engines.splice(0, engines.length, ...(chosen.length > 0 ? chosen : there.slice(0, 1)))
}

function wantedFor(path: string): readonly string[] {
  const row = find(engineOf, path)
  if (row && !(drawsAll && row.all === 'both')) return [row.engine]
  if (isGate && !postgresFiles.includes(path)) return ['sqlite']
  return (process.env.ENGINES ?? 'sqlite,postgres').split(',')
}
