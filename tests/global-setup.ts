/**
 * Once per run: starts one PostgreSQL, and makes a migrated database on each database for tests to
 * copy. Without PostgreSQL its tests are skipped with a note; under CI that is a failure. The hub's
 * pages and the bundle that hubs run from are built again if one of their sources is newer.
 */
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import type { ProvidedContext } from 'vitest'
import type { TestProject } from 'vitest/node'
import { migrate } from '../packages/server/src/store/migrate.ts'
import { openDatabase } from '../packages/server/src/store/open-database.ts'
import { type Postgres, startPostgres } from './postgres.ts'
import { quickFolder } from './quick-folder.ts'

declare module 'vitest' {
  export interface ProvidedContext {
    /** URL of the server's own database `postgres`; empty if there is no server. */
    postgresUrl: string
    /** What migrated.ts copies: a file, and the name of a database. */
    migrated: { readonly sqlite: string; readonly postgres: string }
  }
}

type SetUp = { readonly provides: ProvidedContext; readonly end: () => Promise<void> }
/** Vitest loads this file for each project with files to run. */
const once = globalThis as { dragomanSetUp?: Promise<SetUp> }

export default async function setup(
  project: TestProject,
): Promise<(() => Promise<void>) | undefined> {
  const isFirst = once.dragomanSetUp === undefined
  once.dragomanSetUp ??= start()
  const { provides, end } = await once.dragomanSetUp
  project.provide('postgresUrl', provides.postgresUrl)
  project.provide('migrated', provides.migrated)
  return isFirst ? end : undefined
}

async function start(): Promise<SetUp> {
  await renderDocs()
  if (!process.env.DRAGOMAN_TEST_BUILT) await bundleServer()
  const postgres = await startPostgres({ durable: false })
  if (!postgres && process.env.CI === 'true')
    throw new Error('No PostgreSQL was found, and under CI its tests must run.')
  if (!postgres)
    console.warn(
      'SKIPPED: the tests on PostgreSQL, because no PostgreSQL was found on this machine.',
    )
  const folder = quickFolder('dragoman-migrated-')
  const template = postgres && (await migratedPostgres(postgres))
  const provides: ProvidedContext = {
    postgresUrl: postgres?.url('postgres') ?? '',
    migrated: {
      sqlite: await migratedSqlite(join(folder, 'hub.db')),
      postgres: template ? new URL(template).pathname.slice(1) : '',
    },
  }
  const end = async () => {
    if (template) await postgres?.dropDatabase(template)
    await postgres?.stop()
    rmSync(folder, { recursive: true })
  }
  return { provides, end }
}

async function migratedSqlite(file: string): Promise<string> {
  await migrateAt(`sqlite:${file}`)
  return file
}

/** Without the leftovers of the migrations, a copy takes a fifth less time. */
async function migratedPostgres(postgres: Postgres): Promise<string> {
  const url = await postgres.createDatabase()
  await migrateAt(url)
  const client = new pg.Client(url)
  await client.connect()
  await client.query('vacuum full')
  await client.end()
  return url
}

async function migrateAt(url: string): Promise<void> {
  const db = await openDatabase(url)
  await migrate(db, Date.now())
  await db.close()
}

async function bundleServer(): Promise<void> {
  const script = new URL('../scripts/build-server.mjs', import.meta.url)
  await ((await import(String(script))) as { buildServer(): Promise<void> }).buildServer()
}

type Build = { areDocsOld(): boolean; docsFolder: string; versionOf(): string }

async function renderDocs(): Promise<void> {
  const { areDocsOld, docsFolder, versionOf } = (await import(
    String(new URL('../scripts/build-docs.mjs', import.meta.url))
  )) as Build
  if (!areDocsOld()) return
  const { writeSite } = await import('../packages/docs/src/write-site.ts')
  const { configKeys } = await import('../packages/server/src/config/config-keys.ts')
  writeSite(docsFolder, { settings: configKeys, version: versionOf() })
}
