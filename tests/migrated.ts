/**
 * Migrated databases for test hubs: copies of the two that global-setup.ts creates once per run
 * with the real migrations of the code under test. Tests of the migrations themselves begin with an
 * empty database (store-place.ts).
 */
import { copyFileSync, mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import { inject } from 'vitest'
import { usePostgres } from './postgres.ts'

/** Copies a migrated SQLite database to this path. */
export function copyMigrated(file: string): void {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
  copyFileSync(inject('migrated').sqlite, file)
}

/** The URL of a migrated database on the run's PostgreSQL. */
export function cloneMigrated(): Promise<string> {
  return usePostgres(inject('postgresUrl')).createDatabase({
    template: inject('migrated').postgres,
  })
}
