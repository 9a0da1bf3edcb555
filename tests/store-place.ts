/**
 * Databases for the tests of the stores: a file in a temporary folder, or a database on the run's
 * PostgreSQL.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { describe, inject, it } from 'vitest'
import { openDatabase } from '../packages/server/src/store/open-database.ts'
import { cloneMigrated, copyMigrated } from './migrated.ts'
import { usePostgres } from './postgres.ts'
import { quickFolder } from './quick-folder.ts'
import type { MakePlace, Schema, StorePlace } from './store-fixtures.ts'

export async function sqlitePlace(
  schema: Schema = 'empty',
): Promise<StorePlace & { file: string }> {
  const folder = quickFolder('dragoman-store-')
  const file = join(folder, 'deep', 'hub.db')
  if (schema === 'migrated') copyMigrated(file)
  const url = `sqlite:${file}`
  return {
    url,
    file,
    open: () => openDatabase(url),
    clear: () => rm(folder, { recursive: true, force: true }),
  }
}

export async function postgresPlace(schema: Schema = 'empty'): Promise<StorePlace> {
  const postgres = usePostgres(inject('postgresUrl'))
  const url = schema === 'migrated' ? await cloneMigrated() : await postgres.createDatabase()
  return { url, open: () => openDatabase(url), clear: () => postgres.dropDatabase(url) }
}

/** A suite per database; without PostgreSQL, one skipped test says so. */
export function onEachDatabase(suite: string, tests: (makePlace: MakePlace) => void): void {
  describe(`${suite} on SQLite`, () => tests(sqlitePlace))
  onPostgres(`${suite} on PostgreSQL`, () => tests(postgresPlace))
}

export function onPostgres(suite: string, tests: () => void): void {
  if (inject('postgresUrl') !== '') describe(suite, tests)
  else it(suite, ({ skip }) => skip('no PostgreSQL was found on this machine'))
}

const script = fileURLToPath(new URL('./nodes/store-child.mjs', import.meta.url))

export type Child = {
  said: Promise<string>
  ended: Promise<{ code: number | null; error: string }>
  kill(): Promise<void>
}

/** Runs store-child.mjs; `said` is its first line of output. */
export function runChild(what: 'migrate' | 'halfway' | 'hold', url: string): Child {
  const child: ChildProcess = spawn(process.execPath, [script, what, url, '1'], {
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let error = ''
  child.stderr?.on('data', (text: Buffer) => {
    error += text.toString()
  })
  const ended = new Promise<{ code: number | null; error: string }>((resolve) =>
    child.once('close', (code) => resolve({ code, error })),
  )
  const line = new Promise<string>((resolve) => {
    if (child.stdout) createInterface(child.stdout).once('line', resolve)
  })
  const said = Promise.race([
    line,
    ended.then((end) => Promise.reject(new Error(`It ended with ${end.code}: ${end.error}`))),
  ])
  said.catch(() => {})
  return {
    said,
    ended,
    kill: async () => {
      child.kill('SIGKILL')
      await ended
    },
  }
}
