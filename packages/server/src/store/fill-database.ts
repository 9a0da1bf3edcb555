/**
 * Puts a copy of a database (`Database.withCopy`) into an empty place, which is marked as unfinished
 * from the first step on.
 */
import { createWriteStream, existsSync } from 'node:fs'
import { open, rename, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { sql } from 'kysely'
import type { CopyFormat, Database } from './database.ts'
import { openDatabase, placeOf } from './open-database.ts'
import { Refusal } from './refusal.ts'
import { markUnfinished, readUnfinished, type Unfinished } from './unfinished.ts'

/** The file of an SQLite database that does not exist: opening it would create it. */
export function missingDatabase(url: string): string | undefined {
  const place = placeOf(url)
  return place.kind === 'sqlite' && !existsSync(place.path) ? place.path : undefined
}

/** Throws unless there is a database. */
export function mustHaveDatabase(url: string): void {
  const path = missingDatabase(url)
  if (path !== undefined)
    throw new Refusal(
      `There is no database at ${path}. Set DRAGOMAN_DATA or DRAGOMAN_DATABASE_URL.`,
    )
}

/** Throws unless there is an SQLite database to move to PostgreSQL. */
export function mustBeMovable(url: string): void {
  if (placeOf(url).kind !== 'sqlite')
    throw new Refusal('This hub already uses PostgreSQL; only a hub on SQLite can be moved.')
  mustHaveDatabase(url)
}

/** Throws if a copy of this format belongs on the other db. */
export function mustAccept(url: string, format: CopyFormat): void {
  const here = placeOf(url).kind === 'sqlite' ? 'SQLite' : 'PostgreSQL'
  if (here !== format)
    throw new Refusal(
      `The backup is of a hub on ${format}, but DRAGOMAN_DATABASE_URL names ${here}. Restore it to ${format}${format === 'SQLite' ? ', then use dragoman move' : ''}.`,
    )
}

/** Throws unless nothing is there. Changes nothing. */
export async function mustBeUnused(url: string): Promise<void> {
  const place = placeOf(url)
  if (place.kind === 'sqlite') {
    const used = [place.path, `${place.path}-wal`, arriving(place.path)].find((file) =>
      existsSync(file),
    )
    if (used !== undefined)
      throw new Refusal(`There is already a database at ${used}; give an empty place.`)
    return
  }
  const { mustHaveProgram } = await import('./postgres/postgres-copy.ts')
  await mustHaveProgram('pg_restore')
  const db = await openDatabase(url)
  try {
    await mustHaveNoTables(db)
  } finally {
    await db.close()
  }
}

/** Only PostgreSQL needs this check. */
export async function mustHaveNoTables(db: Database): Promise<void> {
  const [table] = await postgresTables(db)
  if (table === undefined) return
  const unfinished = await readUnfinished(db)
  throw new Refusal(
    unfinished
      ? `A ${unfinished.what} into this database was interrupted. Drop the database, create an empty one and start again.`
      : `The database is not empty: it has the table ${table}. Give an empty one.`,
  )
}

async function postgresTables({ read }: Database): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`select tablename as name from pg_tables
    where schemaname = current_schema() order by tablename`.execute(read)
  return rows.map(({ name }) => name)
}

export async function fillDatabase(
  url: string,
  bytes: AsyncIterable<Uint8Array>,
  mark: Unfinished,
): Promise<void> {
  const place = placeOf(url)
  const db = await openDatabase(url)
  await db.transact((tx) => markUnfinished(tx, mark)).finally(() => db.close())
  if (place.kind === 'sqlite') return fillFile(place.path, bytes, mark)
  const { fillPostgres } = await import('./postgres/postgres-copy.ts')
  await fillPostgres(place.url, bytes)
}

const arriving = (path: string): string => `${path}.arriving`

/** The marked database is replaced by the copy, which then has the mark already. */
async function fillFile(
  path: string,
  bytes: AsyncIterable<Uint8Array>,
  mark: Unfinished,
): Promise<void> {
  const file = arriving(path)
  await pipeline(bytes, createWriteStream(file, { flags: 'wx', mode: 0o600 }))
  const db = await openDatabase(`sqlite:${file}`)
  await db.transact((tx) => markUnfinished(tx, mark)).finally(() => db.close())
  await flush(file)
  // The marked database was closed, so nothing of it is left in its log.
  for (const suffix of ['-wal', '-shm']) await rm(path + suffix, { force: true })
  await rename(file, path)
  await flush(dirname(path))
}

async function flush(path: string): Promise<void> {
  const file = await open(path, 'r')
  await file.sync().finally(() => file.close())
}
