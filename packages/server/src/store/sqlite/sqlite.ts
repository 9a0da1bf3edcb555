/**
 * The embedded database: one file, a writer (WAL, synchronous FULL, one transaction at a time) and a
 * read-only connection. A process that holds the file exclusively is the only hub on it; tools (the
 * command line) work beside it.
 */
import { closeSync, fsyncSync, mkdirSync, openSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { Kysely, sql } from 'kysely'
import type { Database } from '../database.ts'
import type { Tables } from '../tables.ts'
import { openTaskSignal } from '../task-signal.ts'
import { sharedCommits } from './sqlite-commits.ts'
import { withSqliteCopy } from './sqlite-copy.ts'
import { sqliteDialect } from './sqlite-dialect.ts'
import {
  isUniqueCode,
  loadSqlite,
  type SqliteDatabase,
  sqliteCode,
  sqliteCodes,
} from './sqlite-module.ts'
import { openStatements, type Statements } from './sqlite-statements.ts'
import { explained } from './sqlite-trouble.ts'

/** How long SQLite itself may block, and with it the whole event loop, for another process. */
const blockingMs = 15
/** After that it waits without blocking: 5 s in all. */
const waits = [5, 10, 20, 40, ...Array.from({ length: 49 }, () => 100)]

export class FileInUse extends Error {
  override name = 'FileInUse'
}

export async function openSqlite(
  file: string,
  options: { exclusive?: boolean } = {},
): Promise<Database> {
  const path = resolve(file)
  const load = await loadSqlite()
  const open = (name: string) => explained(path, () => load(name))
  explained(path, () => makeFile(path))
  const lock = options.exclusive ? takeLock(open(`${path}.lock`), path) : undefined
  const opened: SqliteDatabase[] = lock ? [lock] : []
  try {
    const writer = open(path)
    opened.unshift(writer)
    await untilFree(() => explained(path, () => prepareFile(writer)))
    const reader = open(path)
    opened.unshift(reader)
    reader.exec(`pragma busy_timeout = 1000; pragma query_only = on; pragma cache_size = -32000`)
    return databaseOf(writer, reader, { path, lock, load })
  } catch (error) {
    for (const db of opened) db.close()
    throw error
  }
}

type DatabaseFile = {
  readonly path: string
  readonly lock: SqliteDatabase | undefined
  readonly load: (file: string) => SqliteDatabase
}

function databaseOf(
  writer: SqliteDatabase,
  reader: SqliteDatabase,
  { path, lock, load }: DatabaseFile,
): Database {
  const writing = openStatements(writer)
  const reading = openStatements(reader)
  const signal = openTaskSignal()
  const commits = sharedCommits(writer, untilFree)
  const write = new Kysely<Tables>({ dialect: sqliteDialect(writing, commits) })
  const read = new Kysely<Tables>({ dialect: sqliteDialect(readOn(reading, writing, commits)) })
  return {
    name: 'sqlite',
    hasManyWriters: false,
    isAlone: lock !== undefined,
    read,
    transact: (work) => signal.transact(write, work),
    tasksAdded: async (tx, lanes) => signal.mark(tx, lanes),
    onTasksAdded: async (told) => {
      const stop = signal.listen(told)
      return async () => stop()
    },
    isConflict: (error) => isUniqueCode(sqliteCode(error)),
    isBusy: (error) => busyCodes.has((sqliteCode(error) ?? 0) & 0xff),
    withCopy: (work) => withSqliteCopy(path, load, work),
    ready: async () => {
      await sql`select count(*) from sqlite_schema`.execute(read)
    },
    close: async () => {
      // Waits for the last transaction.
      await write.connection().execute(async () => {})
      commits.flush()
      for (const statements of [writing, reading]) statements.forget()
      closeWhole(writer)
      reader.close()
      writer.close()
      lock?.close()
    },
  }
}

/**
 * Reads on the writer while it has no transaction: what it wrote is in its cache, and every commit
 * empties the cache of the reader. Only the reader refuses to write, so it gets everything else.
 */
const readOn = (
  reader: Statements,
  writer: Statements,
  { isOpen }: { isOpen(): boolean },
): Statements => ({
  run: (sql, parameters) =>
    (isOpen() || !sql.startsWith('select ') ? reader : writer).run(sql, parameters),
  forget: reader.forget,
})

/**
 * Checkpoints everything into the main file. Pages that another process still reads stay in the
 * WAL, where the next opener finds them.
 */
function closeWhole(writer: SqliteDatabase): void {
  try {
    writer.exec('pragma wal_checkpoint(truncate)')
  } catch (error) {
    if (sqliteCode(error) === undefined) throw error
  }
}

const { busy, locked, ioError, full, cannotOpen, protocol } = sqliteCodes
const busyCodes = new Set([busy, locked, ioError, full, cannotOpen, protocol])

function prepareFile(writer: SqliteDatabase): void {
  // Two processes that open a new file at once can collide here: the switch to WAL needs the file
  // exclusively.
  writer.exec(
    `pragma busy_timeout = ${blockingMs}; pragma journal_mode = wal; pragma synchronous = full`,
  )
  writer.exec(`pragma foreign_keys = on; pragma cache_size = -16000; pragma temp_store = memory`)
  writer.exec(`pragma journal_size_limit = 67108864`)
  const mode = writer.prepare('pragma journal_mode').get() as { journal_mode: string }
  if (mode.journal_mode !== 'wal')
    throw new Error('The file system of the database does not allow a write-ahead log.')
}

/** Retries while another process holds the write lock. */
async function untilFree(act: () => void): Promise<void> {
  for (const wait of waits) {
    try {
      return act()
    } catch (error) {
      if (((sqliteCode(error) ?? 0) & 0xff) !== busy) throw error
    }
    await delay(wait)
  }
  act()
}

/** An operating system lock on a side file, which ends with the process however it ends. */
function takeLock(side: SqliteDatabase, path: string): SqliteDatabase {
  try {
    side.exec('pragma busy_timeout = 0; pragma journal_mode = memory; begin exclusive')
    return side
  } catch (error) {
    side.close()
    if (((sqliteCode(error) ?? 0) & 0xff) !== busy) throw error
    throw new FileInUse(
      `Another hub is running on ${path}. SQLite serves one hub at a time: stop the other one, or use PostgreSQL for several nodes.`,
    )
  }
}

/** Creates the folder and the file, readable by the owner only, and makes both durable. */
function makeFile(path: string): void {
  const made = mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
  if (made && process.platform !== 'win32') {
    const above = openSync(dirname(made), 'r')
    fsyncSync(above)
    closeSync(above)
  }
  try {
    closeSync(openSync(path, 'wx', 0o600))
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error
  }
}
