/**
 * Locks the rows that a query reads until its transaction ends. PostgreSQL needs it before a row is
 * changed; SQLite has one writer and nothing to lock, so the query stays as it is.
 */

import type { SelectQueryBuilder } from 'kysely'
import type { Db } from './database.ts'

/** PostgreSQL's lock strengths, strongest first; `skip locked` is `update` without waiting. */
export type LockMode = 'update' | 'skip locked' | 'no key update' | 'share' | 'key share'

/**
 * By what the adapter can do, not by its class: a program may hold two copies of the library, one
 * of them in the bundle.
 */
export const isPostgres = (db: Db): boolean => db.getExecutor().adapter.supportsTransactionalDdl

export function lock<DB, TB extends keyof DB, O>(
  db: Db,
  query: SelectQueryBuilder<DB, TB, O>,
  mode: LockMode = 'update',
): SelectQueryBuilder<DB, TB, O> {
  if (!isPostgres(db)) return query
  switch (mode) {
    case 'update':
      return query.forUpdate()
    case 'skip locked':
      return query.forUpdate().skipLocked()
    case 'no key update':
      return query.forNoKeyUpdate()
    case 'share':
      return query.forShare()
    case 'key share':
      return query.forKeyShare()
  }
}
