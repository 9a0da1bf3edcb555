/**
 * A Kysely dialect over one SQLite connection. Each transaction gets a fresh `DatabaseConnection`
 * that stops working once the transaction is over and, as on PostgreSQL, once a statement in it has
 * failed: a forgotten `await` or a swallowed error can never write outside a transaction or half of
 * one.
 */
import {
  type CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  type QueryResult,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from 'kysely'
import type { Statements } from './sqlite-statements.ts'

/** A transaction that is over, or in which a statement failed. */
export class TransactionOver extends Error {
  override name = 'TransactionOver'
}

type Connection = DatabaseConnection & { end(why: string): void; failed(): boolean }

function connect(statements: Statements, inTransaction: boolean): Connection {
  let over: string | undefined
  let failed = false
  return {
    executeQuery<R>({ sql, parameters }: CompiledQuery): Promise<QueryResult<R>> {
      try {
        if (over) throw new TransactionOver(over)
        return Promise.resolve(statements.run(sql, parameters) as QueryResult<R>)
      } catch (error) {
        if (inTransaction && !over) {
          failed = true
          over = 'A statement of this transaction failed before: nothing more can be done in it.'
        }
        return Promise.reject(error)
      }
    },
    // biome-ignore lint/correctness/useYield: nothing is streamed from SQLite, pages are small
    async *streamQuery() {
      throw new Error('The SQLite dialect does not stream.')
    },
    end: (why) => {
      over = why
    },
    failed: () => failed,
  }
}

/** How the writer's transactions begin and end; the reader has none. */
export type Transactions = {
  /** Resolves when no other transaction of this process is running. */
  turn(): Promise<Turn>
  /** Resolves when the write lock is held. */
  begin(): Promise<void>
  /**
   * Resolves when everything is durable. Passes the turn on before that, so that others share the
   * flush.
   */
  commit(turn: Turn): Promise<void>
  /**
   * Undoes the work of the current turn. Never throws: the error that led here is the one to
   * report.
   */
  rollback(): void
}

/** `pass` gives the turn to the next, once. */
export type Turn = { pass(): void; holds(): boolean }
type Held = Connection & { readonly turn: Turn }

export function sqliteDialect(statements: Statements, transactions?: Transactions): Dialect {
  const shared = connect(statements, false)
  const over = 'This transaction is over: a query was not awaited inside it.'
  const driver: Driver = {
    init: async () => {},
    acquireConnection: async () => {
      if (!transactions) return shared
      const turn = await transactions.turn()
      return { ...connect(statements, true), turn }
    },
    beginTransaction: async () => {
      if (!transactions) throw new Error('The reader has no transactions: use db.transact.')
      await transactions.begin()
    },
    commitTransaction: async (connection) => {
      const mine = connection as Held
      if (mine.failed())
        throw new TransactionOver('A statement of this transaction failed: nothing was committed.')
      mine.end(over)
      await transactions?.commit(mine.turn)
    },
    rollbackTransaction: async (connection) => {
      const mine = connection as Held
      mine.end(over)
      // A transaction that has passed its turn on waits for its flush, or knows that it failed.
      if (mine.turn.holds()) transactions?.rollback()
    },
    releaseConnection: async (connection) => {
      if (transactions) (connection as Held).turn.pass()
    },
    destroy: async () => {},
  }
  return {
    createDriver: () => driver,
    createQueryCompiler: () => new SqliteQueryCompiler(),
    createAdapter: () =>
      Object.assign(new SqliteAdapter(), transactions ? {} : { run: statements.run }),
    createIntrospector: (db) => new SqliteIntrospector(db),
  }
}
