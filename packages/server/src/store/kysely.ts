/** The query builder, for the store and for the rows of the domain. It has 260 files, loaded as required.ts explains. */
import { createRequire } from 'node:module'

const kysely = createRequire(import.meta.url)('kysely') as typeof import('kysely')

export type * from 'kysely'
export type Kysely<DB> = import('kysely').Kysely<DB>
export type CompiledQuery<O = unknown> = import('kysely').CompiledQuery<O>
export const {
  CompiledQuery,
  expressionBuilder,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
  sql,
} = kysely
