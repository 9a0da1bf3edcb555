/**
 * Statements about thousands of values: one JSON text is bound, and the engine unpacks it into the column `value` of `given`. The
 * text of the statement is the same for any number of them, so that it stays prepared.
 */
import { CompiledQuery } from 'kysely'
import type { Db, Engine } from './engine.ts'

export type WithList<V extends string | number, R> = (
  engine: Engine,
  db: Db,
  values: readonly V[],
  ...more: readonly number[]
) => Promise<R[]>

/** `mark(n)` stands for the n-th of the further numbers, from 1; each is used once, in this order. */
export function withList<V extends string | number, R>(
  type: V extends string ? 'text' : 'bigint',
  statement: (mark: (at: number) => string) => string,
): WithList<V, R> {
  const unpack = {
    postgres: `select cells::${type} from json_array_elements_text($1::json) as cells`,
    sqlite: 'select value from json_each(?)',
  }
  const marks = { postgres: (at: number) => `cast($${at + 1} as bigint)`, sqlite: () => '?' }
  const textFor = (name: Engine['name']) => `with given(value) as (${unpack[name]}) ${statement(marks[name])}`
  const texts = { postgres: textFor('postgres'), sqlite: textFor('sqlite') }
  return async (engine, db, values, ...more) => {
    if (values.length === 0) return []
    const answer = await db.executeQuery<R>(CompiledQuery.raw(texts[engine.name], [JSON.stringify(values), ...more]))
    return answer.rows
  }
}
