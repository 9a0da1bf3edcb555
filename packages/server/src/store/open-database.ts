/** Opens the database of a URL: `sqlite:path` or `postgres://…` (postgres-url.ts). */
import type { Database } from './database.ts'
import { withoutPool } from './postgres/postgres-url.ts'

/**
 * `exclusive`: as a hub, the only one on its SQLite file; otherwise as a tool beside a running hub.
 */
export type OpenOptions = {
  readonly exclusive?: boolean
  /** Hears what an operator should know. */
  readonly says?: (sentence: string) => void
}

export async function openDatabase(url: string, options: OpenOptions = {}): Promise<Database> {
  const place = placeOf(url)
  if (place.kind === 'sqlite') {
    const { openSqlite } = await import('./sqlite/sqlite.ts')
    return openSqlite(place.path, options)
  }
  const { openPostgres } = await import('./postgres/postgres.ts')
  return openPostgres(url, options)
}

/** What a database URL names. */
export type DatabasePlace =
  | { readonly kind: 'sqlite'; readonly path: string }
  | {
      readonly kind: 'postgres'
      /** As programs of PostgreSQL read it. */
      readonly url: string
    }

export function placeOf(url: string): DatabasePlace {
  const scheme = url.slice(0, url.indexOf(':') + 1)
  // sqlite:///var/lib/x.db, as other programs write it, is the path /var/lib/x.db.
  if (scheme === 'sqlite:')
    return { kind: 'sqlite', path: url.slice('sqlite:'.length).replace(/^\/\/(?=\/)/, '') }
  if (scheme === 'postgres:' || scheme === 'postgresql:') {
    return { kind: 'postgres', url: withoutPool(url) }
  }
  throw new Error(`A database URL begins with sqlite: or postgres:, not with "${scheme}".`)
}
