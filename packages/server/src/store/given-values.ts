/**
 * Statements about many rows that are given by value: `with given(…) as (values …)` and what is done with them. The text is
 * written once for a number of rows, in powers of two; building it for every call would cost more than running it.
 */
import { CompiledQuery } from 'kysely'
import type { Db, Engine } from './engine.ts'

type ColumnType = 'text' | 'bigint'
type Values = readonly (string | number | null)[]
export type WithGiven<R> = (engine: Engine, db: Db, rows: readonly Values[]) => Promise<R[]>

const most = 256

/**
 * `statement` finds the rows in `given`, the last of them perhaps several times. Columns have types, because PostgreSQL takes
 * a bare parameter for text.
 */
export function withGiven<R>(
  columns: Readonly<Record<string, ColumnType>>,
  statement: string | ((engine: Engine) => string),
): WithGiven<R> {
  const types = Object.values(columns)
  const texts = new Map<string, string>()
  const textFor = (engine: Engine, count: number): string => {
    const key = `${engine.name} ${count}`
    const known = texts.get(key)
    if (known !== undefined) return known
    const mark = engine.name === 'postgres' ? (at: number) => `$${at + 1}` : () => '?'
    const row = (at: number) => types.map((type, column) => `cast(${mark(at * types.length + column)} as ${type})`)
    const rows = Array.from({ length: count }, (_, at) => `(${row(at).join(', ')})`).join(', ')
    const rest = typeof statement === 'string' ? statement : statement(engine)
    const text = `with given(${Object.keys(columns).join(', ')}) as (values ${rows}) ${rest}`
    texts.set(key, text)
    return text
  }
  return async (engine, db, rows) => {
    const found: R[] = []
    for (let from = 0; from < rows.length; from += most) {
      const some = rows.slice(from, from + most)
      const count = 2 ** Math.ceil(Math.log2(some.length))
      const values = some.flat()
      for (let at = some.length; at < count; at += 1) values.push(...(some.at(-1) ?? []))
      const answer = await db.executeQuery<R>(CompiledQuery.raw(textFor(engine, count), values))
      for (const one of answer.rows) found.push(one)
    }
    return found
  }
}
