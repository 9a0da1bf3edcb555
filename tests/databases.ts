/**
 * The databases that the current test file runs on: the one in its row in suites.ts, in the gate
 * SQLite alone for a file that postgres-files.ts does not list, otherwise both. DATABASES=sqlite
 * leaves out PostgreSQL. Chosen for each file by each-file.ts, because a process may run several.
 */
import { relative } from 'node:path'
import { expect, inject } from 'vitest'
import { drawsAll, isGate } from './draws.ts'
import { postgresFiles } from './postgres-files.ts'
import { both, type DatabaseKind, databaseOf, find } from './suites.ts'

export type { DatabaseKind } from './suites.ts'

/**
 * For `describe.each(databases)`. Without PostgreSQL only SQLite; the run has already reported that.
 */
export const databases: DatabaseKind[] = []

export function chooseDatabases(): void {
  const path = relative(process.cwd(), expect.getState().testPath ?? '')
  const wanted = wantedFor(path)
  const there = (['sqlite', 'postgres'] as const).filter(
    (database) => database === 'sqlite' || inject('postgresUrl') !== '',
  )
  const chosen = there.filter((database) => wanted.includes(database))
  databases.splice(0, databases.length, ...(chosen.length > 0 ? chosen : there.slice(0, 1)))
}

function wantedFor(path: string): readonly string[] {
  const row = find(databaseOf, path)
  if (row && !(drawsAll && row.all === 'both')) return [row.database]
  const isOnBoth = postgresFiles.includes(path) || find(both, path) !== undefined
  if (isGate && !isOnBoth) return ['sqlite']
  return (process.env.DATABASES ?? 'sqlite,postgres').split(',')
}
