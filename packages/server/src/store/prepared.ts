/**
 * Statements of hot paths: built by Kysely once an engine, later only filled with values. Building one takes longer than
 * SQLite needs to answer it.
 */
import type { Compilable, CompiledQuery, DialectAdapter } from 'kysely'
import type { Db } from './engine.ts'

class Place {
  readonly name: string

  constructor(name: string) {
    this.name = name
  }
}

/** `build` is given a place for each value, to be used where the value would stand, and must not look at it. */
export function prepared<V extends object, O>(
  build: (db: Db, places: V) => Compilable<O>,
): (db: Db, values: V) => Promise<O[]> {
  const built = new WeakMap<DialectAdapter, CompiledQuery>()
  const places = new Proxy({} as V, { get: (_, name) => new Place(String(name)) })
  return async (db, values) => {
    const { adapter } = db.getExecutor()
    let query = built.get(adapter)
    if (!query) {
      query = build(db, places).compile()
      built.set(adapter, query)
    }
    const parameters = query.parameters.map((value) => (value instanceof Place ? values[value.name as keyof V] : value))
    return (await db.executeQuery<O>({ ...query, parameters })).rows
  }
}

/** One for each form of a statement, made when the form is first seen. */
export function preparedFor<F, S>(make: (form: F) => S): (form: F) => S {
  const made = new Map<string, S>()
  return (form) => {
    const key = JSON.stringify(form)
    const known = made.get(key) ?? make(form)
    made.set(key, known)
    return known
  }
}
