/**
 * The statements of one SQLite connection; recently used ones stay prepared. Rows are read as
 * arrays and turned into objects here, wide rows as one JSON text each and pages as one JSON text:
 * crossing out of SQLite costs more than parsing.
 */
import type { QueryResult } from 'kysely'
import { LRUCache } from 'lru-cache'
import { mustBind } from '../bindable.ts'
import type { SqliteDatabase, SqliteStatement } from './sqlite-module.ts'

export type Statements = {
  run(sql: string, parameters: readonly unknown[]): QueryResult<unknown>
  forget(): void
}

type SqliteRow = Record<string, unknown>
/** Undefined for a statement without rows. */
type Prepared = {
  statement: SqliteStatement
  read?: (parameters: readonly unknown[]) => SqliteRow[]
}

const mostCached = 256
const wide = 12

export function openStatements(db: SqliteDatabase): Statements {
  const known = new LRUCache<string, Prepared>({ max: mostCached })
  const prepare = (sql: string): Prepared => {
    const found = known.get(sql) ?? prepareOne(db, sql)
    known.set(sql, found)
    return found
  }
  return {
    run: (sql, parameters) => {
      mustBind(parameters, sql)
      const { statement, read } = prepare(sql)
      if (read) return { rows: read(parameters) }
      const { changes } = statement.run(...parameters)
      return { rows: [], numAffectedRows: BigInt(changes) }
    },
    forget: () => known.clear(),
  }
}

function prepareOne(db: SqliteDatabase, sql: string): Prepared {
  const statement = db.prepare(sql)
  const names = statement.columns().map((column) => column.name)
  if (names.length === 0) return { statement }
  // Available since Node 22.16.
  if (typeof statement.setReturnArrays !== 'function')
    return { statement, read: (values) => statement.all(...values) }
  const build = rowBuilder(names)
  if (sql.startsWith('select') && new Set(names).size === names.length) {
    const row = `json_array(${names.map((name) => `"${name.replaceAll('"', '""')}"`).join(', ')})`
    // The limit keeps the inner order, so the page can come as one text.
    if (sql.endsWith(' limit ?')) {
      const page = db.prepare(`select json_group_array(${row}) from (${sql})`)
      page.setReturnArrays(true)
      return {
        statement,
        read: (values) => page.all(...values).flatMap(([json]) => JSON.parse(json).map(build)),
      }
    }
    if (names.length >= wide) {
      const rows = db.prepare(`select ${row} from (${sql})`)
      rows.setReturnArrays(true)
      return {
        statement,
        read: (values) => rows.all(...values).map(([json]) => build(JSON.parse(json))),
      }
    }
  }
  statement.setReturnArrays(true)
  return { statement, read: (values) => statement.all(...values).map(build) }
}

/**
 * A function made for these columns, so that V8 knows the shape of its rows: a loop over
 * the names took 15 % more processor time. The text consists of column names of our own statements, quoted by JSON.
 */
function rowBuilder(names: readonly string[]): (values: unknown[]) => SqliteRow {
  const members = names.map((name, index) => `${JSON.stringify(name)}: values[${index}]`)
  return new Function('values', `return { ${members.join(', ')} }`) as (
    values: unknown[],
  ) => SqliteRow
}
