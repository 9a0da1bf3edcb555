/**
 * A column to compare but not to search by. SQLite keeps no statistics: it takes a whole site for a few rows and would read
 * them all in the order of the list. PostgreSQL has statistics and gets the plain column.
 */
import { type RawBuilder, sql } from 'kysely'
import type { Db } from './engine.ts'
import { isPostgres } from './lock.ts'

export const withoutIndex = <V>(db: Db, column: string): RawBuilder<V> =>
  isPostgres(db) ? sql<V>`${sql.ref(column)}` : sql<V>`+${sql.ref(column)}`
