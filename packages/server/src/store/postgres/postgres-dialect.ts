/**
 * A Kysely dialect over a pg pool. Repeated statements are prepared once per connection; a broken
 * connection is discarded; an error that does not come from the server means that the database is
 * unreachable.
 */
import {
  type CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type QueryResult,
} from 'kysely'
import { LRUCache } from 'lru-cache'
import type { QueryResult as Answer, PoolClient } from 'pg'
import pg from 'pg'
import { mustBind } from '../bindable.ts'
import type { Connections } from './postgres-connections.ts'
import { DatabaseUnreachable } from './postgres-primary.ts'

/** The server answered COMMIT with a rollback, because a failed statement's error was swallowed. */
export class NothingCommitted extends Error {
  override name = 'NothingCommitted'
}

export type DialectOptions = {
  /** Begins a transaction; more statements may follow in it. */
  readonly begin: string
  /**
   * Whether the next statement of a connection reaches the same server session, so that it can be
   * prepared.
   */
  readonly prepares: boolean
}

/** A statement with more is a list of rows, whose length rarely repeats. */
const maxParameters = 64
const maxNames = 300

/**
 * Names a statement on the wire from its third use on: a statement seen once is not worth
 * preparing.
 */
function namer(): (sql: string) => string | undefined {
  const seen = new LRUCache<string, number>({ max: 1_000 })
  const names = new Map<string, string>()
  return (sql) => {
    const known = names.get(sql)
    if (known !== undefined || names.size >= maxNames) return known
    const times = (seen.get(sql) ?? 0) + 1
    seen.set(sql, times)
    if (times < 3) return undefined
    seen.delete(sql)
    const name = `s${names.size}`
    names.set(sql, name)
    return name
  }
}

/**
 * "cached plan must not change result type": inside a transaction, one more reason to restart it.
 */
export const isStalePlan = (error: unknown): boolean =>
  error instanceof pg.DatabaseError &&
  error.code === '0A000' &&
  error.routine === 'RevalidateCachedQuery'

const changing = new Set(['INSERT', 'UPDATE', 'DELETE', 'MERGE'])

/** read_only_sql_transaction: the server has become a standby. */
const isReadOnly = (error: unknown): boolean =>
  error instanceof pg.DatabaseError && error.code === '25006'

class Connection implements DatabaseConnection {
  readonly client: PoolClient
  readonly nameOf: (sql: string) => string | undefined
  readonly doubt: () => void
  broken: Error | undefined
  /**
   * Must not be reused: its prepared statements belong to an older schema, or its server takes no
   * writes.
   */
  dropped = false
  inTransaction = false

  constructor(client: PoolClient, nameOf: (sql: string) => string | undefined, doubt: () => void) {
    this.client = client
    this.nameOf = nameOf
    this.doubt = doubt
  }

  async executeQuery<R>({ sql, parameters }: CompiledQuery): Promise<QueryResult<R>> {
    mustBind(parameters, sql)
    const name = parameters.length > maxParameters ? undefined : this.nameOf(sql)
    const values = parameters as unknown[]
    const answer =
      name === undefined
        ? await this.ask({ text: sql, values })
        : await this.askPrepared({ name, text: sql, values })
    const rows = (answer.rows ?? []) as R[]
    return changing.has(answer.command)
      ? { rows, numAffectedRows: BigInt(answer.rowCount ?? 0) }
      : { rows }
  }

  /**
   * A newer node may have added a column since the statement was prepared: it then runs unprepared.
   */
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
      if (isReadOnly(error)) {
        this.dropped = true
        this.doubt()
      }
      if (error instanceof pg.DatabaseError) throw error
      this.broken = error as Error
      this.doubt()
      throw new DatabaseUnreachable(
        `The connection to PostgreSQL broke: ${(error as Error).message}`,
        { cause: error },
      )
    }
  }

  // biome-ignore lint/correctness/useYield: nothing is streamed, pages are small
  async *streamQuery(): AsyncIterableIterator<never> {
    throw new Error('The PostgreSQL dialect does not stream.')
  }
}

export function postgresDialect(
  connections: Connections,
  { begin, prepares }: DialectOptions,
): Dialect {
  const nameOf = prepares ? namer() : () => undefined
  const driver: Driver = {
    init: async () => {},
    acquireConnection: async () => {
      try {
        return new Connection(await connections.connect(), nameOf, connections.doubt)
      } catch (error) {
        if (error instanceof DatabaseUnreachable) throw error
        throw new DatabaseUnreachable(
          `PostgreSQL gave no connection: ${(error as Error).message}`,
          { cause: error },
        )
      }
    },
    beginTransaction: async (connection) => {
      // Not awaited: it travels with the first statement, which saves a round trip. The server
      // works in order, so it answers this one first; a BEGIN fails only with its connection.
      const mine = connection as Connection
      mine.inTransaction = true
      mine.ask(begin).catch((error: Error) => {
        mine.broken = error
      })
    },
    commitTransaction: async (connection) => {
      const mine = connection as Connection
      const { command } = await mine.ask('commit')
      if (command !== 'COMMIT')
        throw new NothingCommitted('A statement of this transaction failed: nothing was committed.')
      if (!connections.isUnconfirmed(mine.client)) return
      mine.dropped = true
      throw new DatabaseUnreachable(
        'The standby did not confirm the commit: someone cancelled the wait for it.',
      )
    },
    rollbackTransaction: async (connection) => {
      // Never throws: a broken connection has rolled back, and the error that led here is the one
      // to report.
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
    destroy: connections.end,
  }
  return {
    createDriver: () => driver,
    createQueryCompiler: () => new PostgresQueryCompiler(),
    createAdapter: () => new PostgresAdapter(),
    createIntrospector: (db) => new PostgresIntrospector(db),
  }
}
