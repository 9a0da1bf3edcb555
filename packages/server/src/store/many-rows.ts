/**
 * Statements on many rows given by value. The text of a statement is built once and then only
 * filled: PostgreSQL gets each column as one array, so one text serves any number of rows; SQLite
 * gets `values (?, ?), …` in a few sizes. Only the dialect knows the difference.
 */

import { CompiledQuery, type Insertable } from 'kysely'
import { openPauses } from '../turns/pauses.ts'
import { mustBind } from './bindable.ts'
import type { Db } from './database.ts'
import { isPostgres } from './lock.ts'
import { perForm } from './prepared.ts'
import { exact, inChunks, lengthOf, maxCharacters, padded, type Size } from './row-chunks.ts'
import type { Tables } from './tables.ts'

export type ColumnType = 'text' | 'bigint'
export type Columns = Readonly<Record<string, ColumnType>>
type Value = string | number | null
type RowOf<C extends Columns> = { readonly [N in keyof C]: Value }

/** What a statement may write differently on each database. */
export type Dialect = {
  /** The n-th further value of the statement. Use each once, in order. */
  readonly value: (type: ColumnType, at: number) => string
  /**
   * Joins a table to `given`: `from given ${join} jobs on …`. SQLite would otherwise scan the table
   * instead of looking up 200 rows.
   */
  readonly join: 'join' | 'cross join'
  /** Follows the where clause of an `update … from given`, for the same reason. */
  readonly among: (column: string, key: string) => string
  /**
   * Joins the first row of a table, by its key, to each row of `given`. PostgreSQL would otherwise
   * scan a small table.
   */
  readonly joinFirst: (first: FirstRow) => string
  /** Locks the rows of this table that a select reads. */
  readonly lock: (table: string) => string
}

/** `where` refers to the table as `d`; the joined row is called `as`. */
export type FirstRow = {
  readonly table: string
  readonly key: string
  readonly as: string
  readonly where: string
}

const maxInArrays = 2_000

/**
 * Runs `write` on the rows of the common table expression `given`. On SQLite the last row may be
 * repeated, which does not matter to a statement that only looks rows up.
 */
export function onRows<C extends Columns, R>(
  columns: C,
  write: (dialect: Dialect) => string,
): (db: Db, rows: readonly RowOf<C>[], ...further: readonly Value[]) => Promise<R[]> {
  const statements = carry(columns, { sizes: padded, row: castRow }, (rows, dialect) => {
    return `with given(${Object.keys(columns).join(', ')}) as (${rows}) ${write(dialect)}`
  })
  return async (db, rows, ...further) => {
    const found: R[] = []
    for (const query of statements(db, rows, further))
      for (const row of (await db.executeQuery<R>(query)).rows) found.push(row)
    return found
  }
}

type Name<T extends keyof Tables> = keyof Insertable<Tables[T]> & string
type TableRow<T extends keyof Tables> = Required<Insertable<Tables[T]>>
export type ColumnsOf<T extends keyof Tables> = {
  readonly [N in Name<T>]: NonNullable<TableRow<T>[N]> extends number ? 'bigint' : 'text'
}
export type InsertMany<T extends keyof Tables> = (
  db: Db,
  rows: readonly TableRow<T>[],
) => Promise<void>

export type InsertOptions<T extends keyof Tables> = {
  /** Columns that may have the same value in all rows of a call: then it is sent once. */
  readonly alike?: readonly Name<T>[]
  /** Rows whose key is taken are left out. */
  readonly known?: 'stay'
}

/** Columns that are null in every row are left out, because each bound value costs time. */
export function insertMany<T extends keyof Tables>(
  table: T,
  columns: ColumnsOf<T>,
  { alike = [], known }: InsertOptions<T> = {},
): InsertMany<T> {
  const types: Columns = columns
  const statementsFor = perForm(
    ({ own, once }: { own: readonly string[]; once: readonly string[] }) =>
      carry(pick(types, own), { sizes: exact, row: plainRow }, (rows, { value }) => {
        const head = `insert into ${table} (${[...own, ...once].join(', ')})`
        const end = known === 'stay' ? ' on conflict do nothing' : ''
        if (once.length === 0) return `${head} ${rows}${end}`
        const values = once.map((name, at) => value(types[name] ?? 'text', at))
        // The rows come first, as their values do.
        // Without a condition, SQLite takes "on" for that of a join.
        const where = end === '' ? '' : ` where true${end}`
        return `${head} with given as (${rows}) select given.*, ${values.join(', ')} from given${where}`
      }),
  )
  return async (db, rows) => {
    const given: readonly RowOf<Columns>[] = rows as readonly object[] as readonly RowOf<Columns>[]
    const [first] = given
    if (!first) return
    const isSet = (name: string) => given.some((row) => row[name] !== null)
    const isAlike = (name: string) => given.every((row) => row[name] === first[name])
    const names = Object.keys(types).filter(isSet)
    const once: readonly string[] = alike.filter((name) => names.includes(name) && isAlike(name))
    const own = names.filter((name) => !once.includes(name))
    const values = once.map((name) => first[name] as Value)
    const pause = openPauses()
    for (const query of statementsFor({ own, once })(db, given, values)) {
      await db.executeQuery(query)
      const wait = pause()
      if (wait) await wait
    }
  }
}

type SomeColumns<T extends keyof Tables> = Partial<Insertable<Tables[T]>>
export type UpdateMany<T extends keyof Tables> = (
  db: Db,
  /** A value for each column of `within`. */
  place: readonly string[],
  /** The same values in every row. */
  alike: SomeColumns<T>,
  /** Each row's own values; all have the same columns, including the key. */
  own: readonly SomeColumns<T>[],
) => Promise<void>

/**
 * Changes the rows with the given keys within one parent, such as the requests of one job of one
 * site.
 */
export function updateMany<T extends keyof Tables>(
  table: T,
  columns: ColumnsOf<T>,
  within: readonly Name<T>[],
  key: Name<T>,
): UpdateMany<T> {
  const types: Columns = columns
  const statementsFor = perForm(
    ({ alike, own }: { alike: readonly string[]; own: readonly string[] }) => {
      const further = [...alike, ...within]
      return carry(pick(types, own), { sizes: padded, row: plainRow }, (rows, { value }) => {
        const bound = further.map((name, at) => `${name} = ${value(types[name] ?? 'text', at)}`)
        const set = [
          ...bound.slice(0, alike.length),
          ...own.filter((name) => name !== key).map((name) => `${name} = given.${name}`),
        ]
        const where = bound.slice(alike.length).map((term) => `${table}.${term}`)
        return `with given(${own.join(', ')}) as (${rows}) update ${table} set ${set.join(', ')} from given
        where ${[...where, `${table}.${key} = given.${key}`].join(' and ')}`
      })
    },
  )
  return async (db, place, alike, own) => {
    if (own.length === 0) return
    const given = own as readonly object[] as readonly RowOf<Columns>[]
    const statements = statementsFor({ alike: Object.keys(alike), own: Object.keys(own[0] ?? {}) })
    const further = [...Object.values(alike), ...place] as Value[]
    const pause = openPauses()
    for (const query of statements(db, given, further)) {
      await db.executeQuery(query)
      const wait = pause()
      if (wait) await wait
    }
  }
}

/** How rows are given to SQLite: in which sizes, and how one is written. */
type Form = {
  readonly sizes: (many: number) => Size[]
  readonly row: (types: readonly ColumnType[]) => string
}

/**
 * The texts of one statement, each built when first needed, and the queries that carry the rows.
 */
function carry(
  columns: Columns,
  { sizes, row }: Form,
  write: (rows: string, dialect: Dialect) => string,
): (db: Db, rows: readonly RowOf<Columns>[], further: readonly Value[]) => Iterable<CompiledQuery> {
  const names = Object.keys(columns)
  const types = Object.values(columns)
  const postgresText = perForm(() => write(arraysOf(types), postgres(types.length)))
  const sqliteText = perForm((size: number) => write(valuesOf(row(types), size), sqlite))
  function* onPostgres(
    rows: readonly RowOf<Columns>[],
    further: readonly Value[],
  ): Iterable<CompiledQuery> {
    for (const some of inChunks(rows, maxInArrays)) {
      const columns = names.map((name) => cells(some, name))
      if (some.length > 1 && lengthOf(columns) > maxCharacters) {
        for (const half of inChunks(some, Math.ceil(some.length / 2)))
          yield* onPostgres(half, further)
        continue
      }
      const text = postgresText(undefined)
      const arrays = columns.map((values) => arrayOf(values, text))
      yield CompiledQuery.raw(text, [...arrays, ...further])
    }
  }
  function* onSqlite(
    rows: readonly RowOf<Columns>[],
    further: readonly Value[],
  ): Iterable<CompiledQuery> {
    for (const { from, rows: many, size } of sizes(rows.length)) {
      const values: Value[] = []
      for (let at = 0; at < size; at += 1) {
        const row = rows[from + Math.min(at, many - 1)]
        for (const name of names) values.push(row?.[name] as Value)
      }
      if (many > 1 && lengthOf([values]) > maxCharacters) {
        const some = rows.slice(from, from + many)
        for (const half of inChunks(some, Math.ceil(many / 2))) yield* onSqlite(half, further)
      } else yield CompiledQuery.raw(sqliteText(size), [...values, ...further])
    }
  }
  return (db, rows, further) =>
    isPostgres(db) ? onPostgres(rows, further) : onSqlite(rows, further)
}

const postgres = (columns: number): Dialect => ({
  value: (type, at) => `cast($${columns + at + 1} as ${type})`,
  join: 'join',
  among: () => '',
  joinFirst: ({ table, key, as, where }) =>
    `cross join lateral (select d.* from ${table} d where ${where} order by d.${key} limit 1) ${as}`,
  lock: (table) => ` for update of ${table}`,
})

const sqlite: Dialect = {
  value: () => '?',
  join: 'cross join',
  among: (column, key) => ` and ${column} in (select ${key} from given)`,
  joinFirst: ({ table, key, as, where }) =>
    `join ${table} ${as} on ${as}.${key} = (select d.${key} from ${table} d where ${where} order by d.${key} limit 1)`,
  lock: () => '',
}

/** For lookups: a bare parameter has no type. */
const castRow = (types: readonly ColumnType[]): string =>
  `(${types.map((type) => (type === 'text' ? '?' : 'cast(? as bigint)')).join(', ')})`
/** For a column, which refuses a value of another type: a cast would truncate it. */
const plainRow = (types: readonly ColumnType[]): string => `(${types.map(() => '?').join(', ')})`

const valuesOf = (row: string, size: number): string =>
  `values ${Array.from({ length: size }, () => row).join(', ')}`

/** Rows from a parameter for each column, written by `arrayOf`. */
export const arraysOf = (types: readonly ColumnType[]): string =>
  `select * from unnest(${types.map((type, at) => `cast(cast($${at + 1} as text) as ${type}[])`).join(', ')})`

const cells = (rows: readonly RowOf<Columns>[], name: string): Value[] =>
  rows.map((row) => row[name] as Value)

/**
 * In PostgreSQL's text format of an array, which is that of a JSON list but for the brackets, as
 * long as JSON escapes only quotes and backslashes. One text for a column leaves much less to the
 * garbage collector than one for each cell, and bytes leave it nothing; they are bound as text.
 */
export function arrayOf(values: readonly Value[], text: string): Uint8Array | string {
  if (!values.every(isValue)) return arrayByCell(values, text)
  const json = JSON.stringify(values)
  if (json.includes('\\') && otherEscape.test(json)) return arrayByCell(values, text)
  const bytes = Buffer.from(json)
  bytes[0] = 0x7b
  bytes[bytes.length - 1] = 0x7d
  return bytes
}

const isValue = (value: unknown): boolean =>
  typeof value === 'string' || value === null || Number.isFinite(value)

/**
 * An odd number of backslashes before another character: a control character or a lone surrogate,
 * which is kept as U+FFFD.
 */
const otherEscape = /(?<!\\)(?:\\\\)*\\[^"\\]/

function arrayByCell(values: readonly Value[], text: string): string {
  mustBind(values, text)
  return `{${values.map((value) => (value === null ? 'null' : `"${escaped(String(value))}"`)).join(',')}}`
}

/** Two plain replacements are faster than one with a pattern. */
const escaped = (text: string): string => text.replaceAll('\\', '\\\\').replaceAll('"', '\\"')

const pick = (types: Columns, names: readonly string[]): Columns =>
  Object.fromEntries(names.map((name) => [name, types[name] ?? 'text']))
