/**
 * A Kysely dialect over a pg pool. Statements that come back are prepared once a connection; a connection that broke is
 * thrown away; an error that is not the server's own answer means that the database cannot be reached.
 */
import type { CompiledQuery, DatabaseConnection, Dialect, Driver, QueryResult } from 'kysely'
import { PostgresAdapter, PostgresIntrospector, PostgresQueryCompiler } from 'kysely'
import { LRUCache } from 'lru-cache'
import type { QueryResult as Answer, Pool, PoolClient } from 'pg'
import pg from 'pg'
import { mustBind } from './bindable.ts'

/** No connection, or one that broke on the way. */
export class DatabaseUnreachable extends Error {
  override name = 'DatabaseUnreachable'
}

/** The server answered COMMIT with a rollback, because a statement had failed and its error was swallowed. */
export class NothingCommitted extends Error {
  override name = 'NothingCommitted'
}

/** Beyond it a statement is a list of rows, seldom of the same length twice. */
const mostParameters = 64
const mostNames = 300

/** Gives a statement its name on the wire from its third use on: what is seen once is not worth keeping prepared. */
function namer(): (sql: string) => string | undefined {
  const seen = new LRUCache<string, number>({ max: 1_000 })
  const names = new Map<string, string>()
  return (sql) => {
    const known = names.get(sql)
    if (known !== undefined || names.size >= mostNames) return known
    const times = (seen.get(sql) ?? 0) + 1
    seen.set(sql, times)
    if (times < 3) return undefined
    seen.delete(sql)
    const name = `s${names.size}`
    names.set(sql, name)
    return name
  }
}

/** "cached plan must not change result type": in a transaction, one more reason to begin again. */
export const isStalePlan = (error: unknown): boolean =>
  error instanceof pg.DatabaseError && error.code === '0A000' && error.routine === 'RevalidateCachedQuery'

const changing = new Set(['INSERT', 'UPDATE', 'DELETE', 'MERGE'])

class Connection implements DatabaseConnection {
  readonly client: PoolClient
  readonly nameOf: (sql: string) => string | undefined
  broken: Error | undefined
  /** Not to be used by the next: its prepared statements are of an older schema. */
  dropped = false
  inTransaction = false

  constructor(client: PoolClient, nameOf: (sql: string) => string | undefined) {
    this.client = client
    this.nameOf = nameOf
  }

  async executeQuery<R>({ sql, parameters }: CompiledQuery): Promise<QueryResult<R>> {
    mustBind(parameters, sql)
    const name = parameters.length > mostParameters ? undefined : this.nameOf(sql)
    const values = parameters as unknown[]
    const answer =
      name === undefined ? await this.ask({ text: sql, values }) : await this.askPrepared({ name, text: sql, values })
    const rows = (answer.rows ?? []) as R[]
    return changing.has(answer.command) ? { rows, numAffectedRows: BigInt(answer.rowCount ?? 0) } : { rows }
  }

  /** A newer node may have added a column since the statement was prepared: it is then asked afresh. */
  async askPrepared(query: { name: string; text: string; values: unknown[] }): Promise<Answer> {
    try {
      return await this.ask(query)
    } catch (error) {
      if (!isStalePlan(error)) throw error
      const { text, values } = query
      this.dropped = true
      if (this.inTransaction) throw error
      return this.ask({ text, values })
    }
  }

  async ask(query: string | { name?: string; text: string; values: unknown[] }): Promise<Answer> {
    try {
      const answer = await this.client.query(query as string)
      if (!this.broken) return answer
      throw this.broken
    } catch (error) {
      if (error instanceof pg.DatabaseError) throw error
      this.broken = error as Error
      throw new DatabaseUnreachable(`The connection to PostgreSQL broke: ${(error as Error).message}`, { cause: error })
    }
  }

  // biome-ignore lint/correctness/useYield: nothing is streamed, pages are small
  async *streamQuery(): AsyncIterableIterator<never> {
    throw new Error('The PostgreSQL dialect does not stream.')
  }
}

export function postgresDialect(pool: Pool): Dialect {
  const nameOf = namer()
  const driver: Driver = {
    init: async () => {},
    acquireConnection: async () => {
      try {
        return new Connection(await pool.connect(), nameOf)
      } catch (error) {
        throw new DatabaseUnreachable(`PostgreSQL gave no connection: ${(error as Error).message}`, { cause: error })
      }
    },
    beginTransaction: async (connection) => {
      // Not awaited: it travels with the first statement, which saves a way there and back. The server works in order,
      // so that one is answered after this one; a BEGIN fails only together with its connection.
      const mine = connection as Connection
      mine.inTransaction = true
      mine.ask('begin').catch((error: Error) => {
        mine.broken = error
      })
    },
    commitTransaction: async (connection) => {
      const { command } = await (connection as Connection).ask('commit')
      if (command !== 'COMMIT')
        throw new NothingCommitted('A statement of this transaction failed: nothing was committed.')
    },
    rollbackTransaction: async (connection) => {
      // Never throws: a broken connection has rolled back, and the error that led here is the one to be told.
      const mine = connection as Connection
      if (!mine.broken)
        await mine.ask('rollback').catch((error: Error) => {
          mine.broken = error
        })
    },
    releaseConnection: async (connection) => {
      const mine = connection as Connection
      mine.client.release(mine.broken ?? mine.dropped)
    },
    destroy: () => pool.end(),
  }
  return {
    createDriver: () => driver,
    createQueryCompiler: () => new PostgresQueryCompiler(),
    createAdapter: () => new PostgresAdapter(),
    createIntrospector: (db) => new PostgresIntrospector(db),
  }
}
