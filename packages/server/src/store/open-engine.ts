/** Opens the engine of a database URL: `sqlite:path` or `postgres://…` (with `?pool=20` for the number of connections). */
import type { Engine } from './engine.ts'

/** `exclusive`: as a hub, the only one on its SQLite file; otherwise as a tool beside a running hub. */
export type OpenOptions = { readonly exclusive?: boolean }

export async function openEngine(url: string, options: OpenOptions = {}): Promise<Engine> {
  const place = placeOf(url)
  if (place.engine === 'sqlite') {
    const { openSqlite } = await import('./sqlite.ts')
    return openSqlite(place.path, options)
  }
  const { openPostgres } = await import('./postgres.ts')
  return openPostgres(place.url, place.poolSize === undefined ? {} : { poolSize: place.poolSize })
}

/** What a database URL names. */
export type DatabasePlace =
  | { readonly engine: 'sqlite'; readonly path: string }
  | { readonly engine: 'postgres'; readonly url: string; readonly poolSize?: number }

export function placeOf(url: string): DatabasePlace {
  const scheme = url.slice(0, url.indexOf(':') + 1)
  // sqlite:///var/lib/x.db, as other programs write it, is the path /var/lib/x.db.
  if (scheme === 'sqlite:') return { engine: 'sqlite', path: url.slice('sqlite:'.length).replace(/^\/\/(?=\/)/, '') }
  if (scheme === 'postgres:' || scheme === 'postgresql:') {
    const { cleaned, poolSize } = takePoolSize(url)
    return { engine: 'postgres', url: cleaned, ...(poolSize !== undefined && { poolSize }) }
  }
  throw new Error(`A database URL begins with sqlite: or postgres:, not with "${scheme}".`)
}

function takePoolSize(url: string): { cleaned: string; poolSize?: number } {
  const [head = '', query = ''] = url.split('?')
  const parameters = new URLSearchParams(query)
  const pool = parameters.get('pool')
  if (pool === null) return { cleaned: url }
  if (!/^[1-9]\d{0,2}$/.test(pool)) throw new Error(`pool in the database URL must be 1 to 999, not "${pool}".`)
  parameters.delete('pool')
  const rest = parameters.toString()
  return { cleaned: rest ? `${head}?${rest}` : head, poolSize: Number(pool) }
}
