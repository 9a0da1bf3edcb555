/**
 * Statements of hot paths: Kysely builds each once per database; later calls only fill in values.
 * Building one takes longer than SQLite needs to run it.
 */
import type { Compilable, CompiledQuery, DialectAdapter, QueryResult } from 'kysely'
import type { Db } from './database.ts'

/**
 * The adapter of a database that can run a single statement directly, without a queue or a
 * transaction.
 */
export type DirectAdapter = DialectAdapter & {
  readonly run?: (sql: string, parameters: readonly unknown[]) => QueryResult<unknown>
}

/**
 * While `work` runs, `db.executeQuery` goes straight to the one connection of `db`. Kysely would
 * send a statement only once the one before it is answered, and take twice the processor time.
 */
export async function straight<T>(db: Db, work: (db: Db) => Promise<T>): Promise<T> {
  const connection = await db.getExecutor().provideConnection(async (one) => one)
  const executeQuery = <R>(query: CompiledQuery<R> | Compilable<R>) =>
    connection.executeQuery<R>('compile' in query ? query.compile() : query)
  Object.assign(db, { executeQuery })
  try {
    return await work(db)
  } finally {
    // By then the connection may serve another transaction.
    Object.assign(db, { executeQuery: refuse })
  }
}

const refuse = async (): Promise<never> => {
  throw new Error('The statement came after the end of its work.')
}

/** Reads that PostgreSQL is asked for at once, on one connection. */
export const together = <T>(db: Db, read: (db: Db) => Promise<T>): Promise<T> =>
  adapterOf(db).run ? read(db) : db.connection().execute((one) => straight(one, read))

const adapterOf = (db: Db): DirectAdapter => db.getExecutor().adapter

/** Stands for a value while the statement is built. */
class Parameter {
  readonly name: string

  constructor(name: string) {
    this.name = name
  }
}

/**
 * `build` gets a placeholder for each value, puts it where the value belongs, and must not read it.
 */
export function prepared<V extends object, O>(
  build: (db: Db, parameters: V) => Compilable<O>,
): (db: Db, values: V) => Promise<O[]> {
  const built = new WeakMap<DialectAdapter, CompiledQuery>()
  const stands = new Proxy({} as V, { get: (_, name) => new Parameter(String(name)) })
  return async (db, values) => {
    const adapter = adapterOf(db)
    let query = built.get(adapter)
    if (!query) {
      query = build(db, stands).compile()
      built.set(adapter, query)
    }
    const parameters = query.parameters.map((value) =>
      value instanceof Parameter ? values[value.name as keyof V] : value,
    )
    if (adapter.run) return adapter.run(query.sql, parameters).rows as O[]
    return (await db.executeQuery<O>({ ...query, parameters })).rows
  }
}

/** Caches the result of `make` per form, such as the statement for a set of columns. */
export function perForm<F, S>(make: (form: F) => S): (form: F) => S {
  const made = new Map<string, S>()
  return (form) => {
    const key = JSON.stringify(form) ?? ''
    const known = made.get(key) ?? make(form)
    made.set(key, known)
    return known
  }
}
