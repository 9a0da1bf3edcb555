/**
 * A hub for tests below the doors: real SQLite in a temporary folder, or its own database on the
 * run's real PostgreSQL. A second `open` is another node on the same database (PostgreSQL only).
 */
import { randomBytes } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { inject } from 'vitest'
import { type Env, readConfig } from '../packages/server/src/config/config.ts'
import { closeHub, type Hub, type HubOptions, openHub } from '../packages/server/src/hub.ts'
import type { DatabaseKind } from './hub.ts'
import { cloneMigrated, copyMigrated } from './migrated.ts'
import { usePostgres } from './postgres.ts'
import { quickFolder } from './quick-folder.ts'

export { databases } from './hub.ts'

const postgresUrl = inject('postgresUrl')
export const hasPostgres = postgresUrl !== ''

export type HubPlace = {
  /** The environment that makes a process a node of it. */
  readonly env: Env
  open(env?: Env, options?: HubOptions): Promise<Hub>
  close(hub: Hub): Promise<void>
  /** Closes everything and removes all data. */
  clear(): Promise<void>
}

export async function makePlace(database: DatabaseKind): Promise<HubPlace> {
  const folder = quickFolder('dragoman-test-')
  const postgres = usePostgres(postgresUrl)
  const databaseUrl = database === 'postgres' ? await cloneMigrated() : undefined
  if (!databaseUrl) copyMigrated(join(folder, 'hub.db'))
  const env: Env = {
    DRAGOMAN_PROFILE: 'sandbox',
    DRAGOMAN_PORT: '0',
    DRAGOMAN_DATA: folder,
    DRAGOMAN_LOG_LEVEL: 'silent',
    ...(databaseUrl && { DRAGOMAN_DATABASE_URL: databaseUrl }),
    ...(databaseUrl && { DRAGOMAN_MASTER_KEY: randomBytes(32).toString('hex') }),
  }
  const hubs = new Set<Hub>()
  const close = async (hub: Hub): Promise<void> => {
    hubs.delete(hub)
    await closeHub(hub)
  }
  return {
    env,
    open: async (more = {}, options = {}) => {
      const hub = await openHub(readConfig({ ...env, ...more }), options)
      hubs.add(hub)
      return hub
    },
    close,
    clear: async () => {
      for (const hub of hubs) await close(hub)
      if (databaseUrl) await postgres.dropDatabase(databaseUrl)
      await rm(folder, { recursive: true, force: true })
    },
  }
}

/**
 * Waits until the result is truthy. It polls less and less often, so that polling does not keep the
 * hub busy. The limit only ends what hangs; a busy machine never reaches it.
 */
export async function until<T>(
  what: string,
  ask: () => Promise<T | undefined | false> | T | undefined | false,
  ms = 600_000,
): Promise<T> {
  const end = Date.now() + ms
  for (let pause = 10; ; pause = Math.min(pause * 1.2, 100)) {
    const found = await ask()
    if (found) return found
    if (Date.now() > end) throw new Error(`Waited ${ms} ms in vain: ${what}`)
    await delay(pause)
  }
}
