/**
 * The `node:sqlite` API: the built-in module where Node has it unflagged (22.13 and up), else the
 * package that provides the same API on Node 20. Both throw errors with SQLite's own result code in
 * `errcode`.
 */
import type { DatabaseSyncInstance, StatementSyncInstance } from '@photostructure/sqlite'

export type SqliteDatabase = DatabaseSyncInstance
export type SqliteStatement = StatementSyncInstance
type OpenDatabase = (file: string) => SqliteDatabase

let opener: Promise<OpenDatabase> | undefined

export function loadSqlite(): Promise<OpenDatabase> {
  opener ??= load()
  return opener
}

async function load(): Promise<OpenDatabase> {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
  const builtIn = major > 22 || (major === 22 && minor >= 13)
  const { DatabaseSync } = builtIn
    ? (process.getBuiltinModule(
        'node:sqlite',
      ) as unknown as typeof import('@photostructure/sqlite'))
    : await import('@photostructure/sqlite')
  return (file) => new DatabaseSync(file)
}

/** The primary result codes of SQLite that the hub distinguishes. */
export const sqliteCodes = {
  busy: 5,
  locked: 6,
  ioError: 10,
  full: 13,
  cannotOpen: 14,
  protocol: 15,
  constraint: 19,
  notDatabase: 26,
}

/** SQLITE_CONSTRAINT_PRIMARYKEY and SQLITE_CONSTRAINT_UNIQUE. */
const uniqueCodes = new Set([1555, 2067])

/** The extended result code of an SQLite error; undefined for any other error. */
export function sqliteCode(error: unknown): number | undefined {
  if (!(error instanceof Error) || !('code' in error) || error.code !== 'ERR_SQLITE_ERROR')
    return undefined
  if ('errcode' in error && typeof error.errcode === 'number') return error.errcode
  return codeOfText(error.message)
}

export const isUniqueCode = (code: number | undefined): boolean =>
  code !== undefined && uniqueCodes.has(code)

/**
 * The package for Node 20 (1.2.1) omits the code from errors of `all()`: only SQLite's fixed text
 * is left.
 */
function codeOfText(text: string): number {
  if (text.startsWith('UNIQUE constraint failed')) return 2067
  if (text.endsWith('constraint failed') || text.includes(' constraint failed: '))
    return sqliteCodes.constraint
  return fixedTexts[text] ?? 1
}

const fixedTexts: Record<string, number> = {
  'database is locked': sqliteCodes.busy,
  'database table is locked': sqliteCodes.locked,
  'disk I/O error': sqliteCodes.ioError,
  'database or disk is full': sqliteCodes.full,
  'unable to open database file': sqliteCodes.cannotOpen,
  'file is not a database': sqliteCodes.notDatabase,
  'locking protocol': sqliteCodes.protocol,
}
