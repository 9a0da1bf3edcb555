/**
 * A column to compare with and not to search by. SQLite keeps no count of what its tables hold: it takes a whole site for a few
 * rows, and would go through all of them in the order of the list. PostgreSQL counts, and must see the column as it is.
 */
import { type RawBuilder, SqliteAdapter, sql } from 'kysely'
import type { Db } from './engine.ts'

export const comparedOnly = <V>(db: Db, column: string): RawBuilder<V> =>
  db.getExecutor().adapter instanceof SqliteAdapter ? sql<V>`+${sql.ref(column)}` : sql<V>`${sql.ref(column)}`
