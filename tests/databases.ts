/**
 * The databases that the current test file runs on: the one in its row in suites.ts (in the slow part
 * perhaps the other), otherwise both. DATABASES=sqlite leaves out PostgreSQL. Chosen for each file by
 * each-file.ts, because a process may run several files.
 */
import { relative } from 'node:path'
import { expect, inject } from 'vitest'
import { isSlowPart } from './draws.ts'
import { type DatabaseKind, databaseOf, find } from './suites.ts'

export type { DatabaseKind } from './suites.ts'

/**
 * For `describe.each(databases)`. Without PostgreSQL only SQLite; the run has already reported that.
 */
export const databases: DatabaseKind[] = []

export function chooseDatabases(): void {
  const path = relative(process.cwd(), expect.getState().testPath ?? '')
  const wanted = (process.env.DATABASES ?? 'sqlite,postgres').split(',')
  const there = (['sqlite', 'postgres'] as const).filter(
    (database) => database === 'sqlite' || inject('postgresUrl') !== '',
  )
  const row = find(databaseOf, path)
  const only = there.filter(
    (database) => row && (database === row.database) !== (isSlowPart && row.slow === 'other'),
  )
  const chosen = only.length > 0 ? only : there.filter((database) => wanted.includes(database))
  databases.splice(0, databases.length, ...chosen)
}
