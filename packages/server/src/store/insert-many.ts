/**
 * Many rows of one table in few statements. A query builder makes a node of every value and writes the text anew each
 * time; here the text is written once. PostgreSQL unpacks one JSON text, so that one prepared statement serves every number
 * of rows; SQLite binds values faster than it unpacks them.
 */
import { CompiledQuery, type Insertable } from 'kysely'
import { mustBind } from './bindable.ts'
import type { Db, Engine } from './engine.ts'
import type { Tables } from './tables.ts'

/** Far below what SQLite binds to one statement, with any table of ours. */
const most = 256
/** In one text for PostgreSQL. */
const mostPacked = 2_000

export type ValueType = 'text' | 'bigint'
type Row<T extends keyof Tables> = Required<Insertable<Tables[T]>>
type Name<T extends keyof Tables> = keyof Insertable<Tables[T]> & string
export type ColumnsOf<T extends keyof Tables> = {
  readonly [N in Name<T>]: NonNullable<Row<T>[N]> extends number ? 'bigint' : 'text'
}
export type InsertMany<T extends keyof Tables> = (engine: Engine, db: Db, rows: readonly Row<T>[]) => Promise<void>

/**
 * With `replace`, a row whose key is there already takes the new values. Else columns that are null in every row are left
 * out: what is not said is null, and each value said costs.
 */
export function insertMany<T extends keyof Tables>(
  table: T,
  columns: ColumnsOf<T>,
  replace?: readonly Name<T>[],
): InsertMany<T> {
  const types: Readonly<Record<string, ValueType>> = columns
  const all = Object.keys(types)
  const made = new Map<string, ReturnType<typeof givenRows>>()
  const write = (names: readonly string[]) => {
    const key: readonly string[] = replace ?? []
    const changes = names.filter((name) => !key.includes(name)).map((name) => `${name} = excluded.${name}`)
    const end = replace === undefined ? '' : ` on conflict (${key.join(', ')}) do update set ${changes.join(', ')}`
    return givenRows(Object.fromEntries(names.map((name) => [name, types[name] ?? 'text'])), (rows, count) => {
      const head = `insert into ${table} (${names.join(', ')})`
      return `${head} ${count === 'any' ? 'select * from ' : ''}${rows}${end}`
    })
  }
  return async (engine, db, rows) => {
    const isSaid = (name: string) => rows.some((row: Values) => row[name] !== null)
    const names = replace === undefined ? all.filter(isSaid) : all
    const form = names.join()
    const statements = made.get(form) ?? write(names)
    made.set(form, statements)
    for (const statement of statements(engine, rows)) await db.executeQuery(statement)
  }
}

type Values = Readonly<Record<string, unknown>>
/** Other values of the statement: before the rows in its text and after them. PostgreSQL numbers them from 1, the rows last. */
export type Around = { readonly before: readonly unknown[]; readonly after: readonly unknown[] }

/**
 * Statements that carry rows with these columns. `write` is given them as text: for SQLite as `values (…), …` of so many, in
 * powers of two, so that a few texts serve every number and stay prepared; for PostgreSQL as something to select from.
 */
export function givenRows(
  types: Readonly<Record<string, ValueType>>,
  write: (rows: string, count: number | 'any') => string,
): (engine: Engine, rows: readonly object[], around?: Around) => CompiledQuery[] {
  const names = Object.keys(types)
  const texts = new Map<number | 'any', string>()
  const textFor = (count: number | 'any', make: () => string): string => {
    const text = texts.get(count) ?? write(make(), count)
    texts.set(count, text)
    return text
  }
  return (engine, rows, { before, after } = { before: [], after: [] }) => {
    if (rows.length === 0) return []
    if (engine.name === 'postgres') {
      const others = [...before, ...after]
      const text = textFor('any', () => unpack(types, others.length + 1))
      return Array.from({ length: Math.ceil(rows.length / mostPacked) }, (_, at) => {
        const some = rows.slice(at * mostPacked, (at + 1) * mostPacked)
        return CompiledQuery.raw(text, [...others, packed(some, names, text)])
      })
    }
    return powersOfTwo(rows.length).map(([from, count]) => {
      const text = textFor(count, () => `values ${listOf(`(${listOf('?', names.length)})`, count)}`)
      const values = [...before]
      for (let at = from; at < from + count; at += 1) values.push(...valuesOf(rows[at], names))
      values.push(...after)
      return CompiledQuery.raw(text, values)
    })
  }
}

const valuesOf = (row: object | undefined, names: readonly string[]): unknown[] =>
  names.map((name) => (row as Values)[name])

/** With the checks of every bound value. Half of a surrogate pair, which JSON would keep, is what it is on the wire else. */
function packed(rows: readonly object[], names: readonly string[], text: string): string {
  const cells = rows.map((row) => {
    const values = valuesOf(row, names)
    mustBind(values, text)
    return values
  })
  const json = JSON.stringify(cells)
  // Such a half is written as an escape.
  return json.includes('\\ud') ? JSON.stringify(cells, (_, value) => wellFormed(value)) : json
}

const wellFormed = (value: unknown): unknown => (typeof value === 'string' ? value.toWellFormed() : value)

const listOf = (what: string, count: number): string => Array.from({ length: count }, () => what).join(', ')

/** Where each statement begins, and how many rows it takes. */
function powersOfTwo(length: number): [number, number][] {
  const cuts: [number, number][] = []
  for (let from = 0; from < length; ) {
    const count = Math.min(most, 2 ** Math.floor(Math.log2(length - from)))
    cuts.push([from, count])
    from += count
  }
  return cuts
}

function unpack(types: Readonly<Record<string, ValueType>>, at: number): string {
  const cells = Object.entries(types).map(([name, type], column) => `(cells->>${column})::${type} as ${name}`)
  return `(select ${cells.join(', ')} from jsonb_array_elements($${at}::jsonb) as cells) as given`
}
