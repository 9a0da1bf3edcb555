/**
 * Statements about many rows that are given by value: `with given(…) as (values …)` and what is done with them. The text is
 * written once for a few numbers of rows; building it for every call would cost more than running it. What PostgreSQL is to
 * keep prepared gets each column as one array instead: one text for any number of rows, read and planned once a connection.
 */
import { CompiledQuery } from 'kysely'
import type { Db, Engine } from './engine.ts'

type ColumnType = 'text' | 'bigint'
type Values = readonly (string | number | null)[]
export type WithGiven<R> = (engine: Engine, db: Db, rows: readonly Values[]) => Promise<R[]>

const most = 256
/** Rows are written out in powers of two, and beyond this in its multiples. */
const step = 32
const anyNumber = 0

/**
 * `statement` finds the rows in `given`, the last of them perhaps several times; `from given join …` looks each of them up.
 * Columns have types, because PostgreSQL takes a bare parameter for text. A `kept` plan is that of a few rows and of tables as
 * they were when it was made.
 */
export function withGiven<R>(
  columns: Readonly<Record<string, ColumnType>>,
  statement: string | ((engine: Engine) => string),
  plan: 'each' | 'kept' = 'each',
): WithGiven<R> {
  const types = Object.values(columns)
  const texts = new Map<string, string>()
  const textFor = (engine: Engine, count: number): string => {
    const key = `${engine.name} ${count}`
    const known = texts.get(key)
    if (known !== undefined) return known
    const given = count === anyNumber ? arraysOf(types) : rowsOf(types, count, engine)
    const said = typeof statement === 'string' ? statement : statement(engine)
    // SQLite would rather read a whole table than look up some two hundred rows: this keeps it to the order.
    const rest = engine.name === 'sqlite' ? said.replaceAll('from given join', 'from given cross join') : said
    const text = `with given(${Object.keys(columns).join(', ')}) as (${given}) ${rest}`
    texts.set(key, text)
    return text
  }
  const queryFor = (engine: Engine, some: readonly Values[]): CompiledQuery => {
    if (plan === 'kept' && engine.name === 'postgres') {
      const arrays = types.map((type, column) => arrayOf(type, some, column))
      return CompiledQuery.raw(textFor(engine, anyNumber), arrays)
    }
    const count = some.length > step ? Math.ceil(some.length / step) * step : 2 ** Math.ceil(Math.log2(some.length))
    const values: Values[number][] = []
    for (let at = 0; at < count; at += 1)
      for (const value of some[Math.min(at, some.length - 1)] ?? []) values.push(value)
    return CompiledQuery.raw(textFor(engine, count), values)
  }
  return async (engine, db, rows) => {
    const found: R[] = []
    for (let from = 0; from < rows.length; from += most) {
      const answer = await db.executeQuery<R>(queryFor(engine, rows.slice(from, from + most)))
      for (const one of answer.rows) found.push(one)
    }
    return found
  }
}

function rowsOf(types: readonly ColumnType[], count: number, { name }: Engine): string {
  const mark = name === 'postgres' ? (at: number) => `$${at + 1}` : () => '?'
  const row = (at: number) => types.map((type, column) => `cast(${mark(at * types.length + column)} as ${type})`)
  return `values ${Array.from({ length: count }, (_, at) => `(${row(at).join(', ')})`).join(', ')}`
}

const arraysOf = (types: readonly ColumnType[]): string =>
  `select * from unnest(${types.map((type, at) => `cast($${at + 1} as ${type}[])`).join(', ')})`

/** As PostgreSQL reads an array from text. */
function arrayOf(type: ColumnType, rows: readonly Values[], column: number): string {
  const cells = rows.map((row) => {
    const value = row[column] ?? null
    if (value === null) return 'null'
    return type === 'text' ? `"${String(value).replace(/["\\]/g, '\\$&')}"` : String(value)
  })
  return `{${cells.join(',')}}`
}

/** Behind `… from given where column = given.key` of an update: keeps SQLite, too, to looking the rows up. */
export const amongGiven = ({ name }: Engine, column: string, key: string): string =>
  name === 'sqlite' ? ` and ${column} in (select ${key} from given)` : ''

/** The first row of a table for each of `given`, by its key, as `as`; `where` is about `d`. */
export type FirstOf = { readonly table: string; readonly key: string; readonly as: string; readonly where: string }

/** PostgreSQL would rather read the whole of a small table, and go on so when it has grown: here it can only look up. */
export const joinFirst = ({ name }: Engine, { table, key, as, where }: FirstOf): string =>
  name === 'postgres'
    ? `cross join lateral (select d.* from ${table} d where ${where} order by d.${key} limit 1) ${as}`
    : `join ${table} ${as} on ${as}.${key} = (select d.${key} from ${table} d where ${where} order by d.${key} limit 1)`
