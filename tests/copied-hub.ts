import { createHash, randomBytes } from 'node:crypto'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { readConfig, type Server, startServer } from '@dragoman/server'
import { sql } from 'kysely'
import { expect, inject } from 'vitest'
import { restore as restoreFrom } from '../packages/server/src/commands/commands.ts'
import type { Hub } from '../packages/server/src/hub.ts'
import { openLog } from '../packages/server/src/process/log.ts'
import type { Database } from '../packages/server/src/store/database.ts'
import { openDatabase } from '../packages/server/src/store/open-database.ts'
import { type FileClient, openFileClient } from './faults/file-client.ts'
import { type DatabaseKind, type Env, spawnProgram } from './hub.ts'
import { usePostgres } from './postgres.ts'

export type EmptyPlace = {
  readonly folder: string
  readonly env: Record<string, string>
  clear(): Promise<void>
}

/** With a master key, a folder, and on PostgreSQL a database. */
export async function emptyPlace(
  database: DatabaseKind,
  masterKey = randomBytes(32).toString('hex'),
  postgresUrl = inject('postgresUrl'),
): Promise<EmptyPlace> {
  const folder = mkdtempSync(join(tmpdir(), 'dragoman-copy-'))
  const postgres = usePostgres(postgresUrl)
  const databaseUrl = database === 'postgres' ? await postgres.createDatabase() : undefined
  const env = {
    DRAGOMAN_PROFILE: 'sandbox',
    DRAGOMAN_PORT: '0',
    DRAGOMAN_DATA: join(folder, 'data'),
    DRAGOMAN_MASTER_KEY: masterKey,
    ...(databaseUrl && { DRAGOMAN_DATABASE_URL: databaseUrl }),
  }
  return {
    folder,
    env,
    clear: async () => {
      if (databaseUrl) await postgres.dropDatabase(databaseUrl)
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

export const startAt = (env: Env): Promise<Server> =>
  startServer(readConfig(env), { log: openLog('silent') })

export type KeptFile = { readonly jobId: string; readonly fileId: string; readonly sha256: string }

const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex')

export async function sendFile(
  client: FileClient,
  jobId: string,
  bytes = randomBytes(2_000),
): Promise<KeptFile> {
  const transfer = await client.begin(jobId)
  const { status } = await client.post(transfer, bytes)
  if (status !== 201) throw new Error(`The file was not accepted: ${status}`)
  return { jobId, fileId: transfer.fmsFileId, sha256: sha256(bytes) }
}

export type Load = {
  /** Files that the hub has acknowledged and nobody will delete. */
  readonly kept: KeptFile[]
  /** How many jobs were created. */
  count(): number
  stop(): Promise<void>
}

/** Creates jobs with files, one after the other; every third is deleted again, with its file. */
export function startLoad(url: () => string): Load {
  const client = openFileClient(url)
  const kept: KeptFile[] = []
  let isRunning = true
  let made = 0
  const work = (async () => {
    for (; isRunning; made += 1) {
      const jobId = String(
        (await client.createJob(`load ${made}`, { labels: ['load', `n${made}`] })).body.jobId,
      )
      const file = await sendFile(client, jobId)
      if (made % 3 === 2) await client.ask('DELETE', `/v2/jobs/${jobId}`)
      else kept.push(file)
      // A small load: the machine has other work, too.
      await delay(20)
    }
  })()
  work.catch(() => {})
  return {
    kept,
    count: () => made,
    stop: async () => {
      isRunning = false
      await work
    },
  }
}

/** The files that the hub does not return as they were sent. */
export async function lostFiles(url: string, files: readonly KeptFile[]): Promise<string[]> {
  const client = openFileClient(() => url)
  const lost: string[] = []
  for (const { jobId, fileId, sha256: wanted } of files) {
    const found = await client.link(jobId, fileId).then(client.read, () => undefined)
    if (!found?.whole || sha256(found.bytes) !== wanted) lost.push(`${jobId} ${fileId}`)
  }
  return lost
}

/**
 * The same, checked in the rows of a stopped hub; `dragoman check` has compared the bytes with
 * them.
 */
export async function lostRows(url: string, files: readonly KeptFile[]): Promise<string[]> {
  const db = await openDatabase(url)
  const rows = await db.read.selectFrom('files').select(['file_id', 'state', 'sha256']).execute()
  await db.close()
  const isThere = ({ fileId, sha256: wanted }: KeptFile) =>
    rows.some(
      ({ file_id, state, sha256 }) => file_id === fileId && state === 'stored' && sha256 === wanted,
    )
  return files.filter((file) => !isThere(file)).map(({ fileId }) => fileId)
}

export const runProgram = async (args: readonly string[], env: Env) => {
  const program = spawnProgram(args, env)
  const { code } = await program.exited
  return { code, out: program.stdout(), err: program.stderr() }
}

/** All rows of all tables except those named, as sorted texts. */
export async function allRows(
  { name, read }: Database,
  without: readonly string[] = [],
): Promise<Record<string, string[]>> {
  const { rows: tables } = await (name === 'sqlite'
    ? sql<{
        name: string
      }>`select name from sqlite_schema where type = 'table' and name not like 'sqlite%'`
    : sql<{
        name: string
      }>`select tablename as name from pg_tables where schemaname = current_schema()`
  ).execute(read)
  const found: Record<string, string[]> = {}
  for (const table of tables
    .filter((one) => !without.includes(one.name))
    .sort((a, b) => (a.name < b.name ? -1 : 1))) {
    const { rows } = await sql<object>`select * from ${sql.table(table.name)}`.execute(read)
    found[table.name] = rows
      .map((row) => JSON.stringify(Object.entries(row).sort(([a], [b]) => (a < b ? -1 : 1))))
      .sort()
  }
  return found
}

/** Every file in a folder, by its path, with the SHA-256 of its bytes. */
export function allFiles(folder: string): Record<string, string> {
  const found = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) =>
    entry.isFile(),
  )
  return Object.fromEntries(
    found
      .map((entry) => join(entry.parentPath, entry.name))
      .sort()
      .map((path) => [path.slice(folder.length + 1), sha256(readFileSync(path))]),
  )
}

/** The master key of a hub, wherever it is stored. */
export const keyOf = ({ config }: Hub): string =>
  config.masterKey?.toString('hex') ?? readFileSync(join(config.data, 'master.key'), 'utf8').trim()

/** Restores into a new place, passes its hub to the test, and removes everything. */
export async function withRestored(
  hub: Hub,
  from: string,
  work: (server: Awaited<ReturnType<typeof startAt>>, place: EmptyPlace) => Promise<void>,
  more: Record<string, string> = {},
): Promise<void> {
  const place = await emptyPlace(hub.db.name, keyOf(hub))
  const env = { ...place.env, ...more }
  try {
    const { check, leftOut } = await restoreFrom(env, { from })
    expect({ findings: check.findings, leftOut }).toEqual({ findings: [], leftOut: [] })
    const server = await startAt(env)
    await work(server, place).finally(() => server.close())
  } finally {
    await place.clear()
  }
}
