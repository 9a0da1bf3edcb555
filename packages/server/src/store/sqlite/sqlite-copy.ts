/**
 * Copies an SQLite database while others write to it. The copy is made from one snapshot, which in
 * WAL mode blocks no writer, and stands beside the database while it is used.
 */
import { closeSync, createReadStream, openSync, rmSync } from 'node:fs'
import { Kysely } from 'kysely'
import type { DatabaseCopy } from '../database.ts'
import type { Tables } from '../tables.ts'
import { sqliteDialect } from './sqlite-dialect.ts'
import type { SqliteDatabase } from './sqlite-module.ts'
import { openStatements } from './sqlite-statements.ts'

export async function withSqliteCopy<T>(
  path: string,
  load: (file: string) => SqliteDatabase,
  work: (copy: DatabaseCopy) => Promise<T>,
): Promise<T> {
  const file = `${path}.copy`
  // A killed process may have left one.
  removeDatabase(file)
  try {
    // Readable by its owner only; SQLite accepts an empty file.
    closeSync(openSync(file, 'wx', 0o600))
    const source = load(path)
    try {
      source.exec('pragma busy_timeout = 5000')
      source.prepare('vacuum into ?').run(file)
    } finally {
      source.close()
    }
    return await readCopy(file, load(file), work)
  } finally {
    removeDatabase(file)
  }
}

async function readCopy<T>(
  file: string,
  copy: SqliteDatabase,
  work: (copy: DatabaseCopy) => Promise<T>,
): Promise<T> {
  const statements = openStatements(copy)
  try {
    copy.exec('pragma query_only = on; pragma cache_size = -32000')
    const rows = new Kysely<Tables>({ dialect: sqliteDialect(statements) })
    return await work({ format: 'SQLite', rows, bytes: () => createReadStream(file) })
  } finally {
    statements.forget()
    copy.close()
  }
}

/** With everything that SQLite keeps beside it. */
export const removeDatabase = (file: string): void => {
  for (const suffix of ['', '-journal', '-wal', '-shm']) rmSync(file + suffix, { force: true })
}
