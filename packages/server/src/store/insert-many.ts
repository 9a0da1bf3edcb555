/**
 * Many rows of one table in few statements. A query builder makes a node of every value and writes the text anew each
 * time; here the text is written once for a number of rows, and the values are bound to it.
 */
import { CompiledQuery, type Insertable } from 'kysely'
import type { Db, Engine } from './engine.ts'
import type { Tables } from './tables.ts'

/** Far below what either engine binds to one statement, with any table of ours. */
const most = 256

export type InsertMany<T extends keyof Tables> = (
  engine: Engine,
  db: Db,
  rows: readonly Required<Insertable<Tables[T]>>[],
) => Promise<void>

/**
 * Rows are written in powers of two, so that a few texts serve every number of them and stay prepared. With `replace`, a
 * row whose key is there already takes the new values.
 */
export function insertMany<T extends keyof Tables>(
  table: T,
  columns: Record<keyof Insertable<Tables[T]> & string, true>,
  replace?: keyof Insertable<Tables[T]> & string,
): InsertMany<T> {
  const names = Object.keys(columns)
  const texts = new Map<string, string>()
  const textFor = (engine: Engine, count: number): string => {
    const key = `${engine.name} ${count}`
    const text = texts.get(key) ?? write(engine, table, names, count, replace)
    texts.set(key, text)
    return text
  }
  return async (engine, db, rows) => {
    for (let from = 0; from < rows.length; ) {
      const count = Math.min(most, 2 ** Math.floor(Math.log2(rows.length - from)))
      const values: unknown[] = []
      for (const row of rows.slice(from, from + count))
        for (const name of names) values.push((row as Record<string, unknown>)[name])
      await db.executeQuery(CompiledQuery.raw(textFor(engine, count), values))
      from += count
    }
  }
}

function write(engine: Engine, table: string, names: readonly string[], count: number, replace?: string): string {
  const mark = engine.name === 'postgres' ? (at: number) => `$${at + 1}` : () => '?'
  const row = (at: number) => `(${names.map((_, column) => mark(at * names.length + column)).join(', ')})`
  const rows = Array.from({ length: count }, (_, at) => row(at)).join(', ')
  const text = `insert into ${table} (${names.join(', ')}) values ${rows}`
  if (replace === undefined) return text
  const changes = names.filter((name) => name !== replace).map((name) => `${name} = excluded.${name}`)
  return `${text} on conflict (${replace}) do update set ${changes.join(', ')}`
}
