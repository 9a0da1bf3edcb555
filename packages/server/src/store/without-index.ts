/**
 * A column to compare but not to search by. Without statistics, SQLite assumes that a site has few
 * rows, and would read all of them through that index. PostgreSQL has statistics and gets the plain
 * column.
 */

import { type RawBuilder, sql } from 'kysely'
import type { Db } from './database.ts'
import { isPostgres } from './lock.ts'

export const withoutIndex = <V>(db: Db, column: string): RawBuilder<V> =>
  isPostgres(db) ? sql<V>`${sql.ref(column)}` : sql<V>`+${sql.ref(column)}`
