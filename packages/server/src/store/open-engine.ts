/** Opens the engine of a database URL: `sqlite:path` or `postgres://…` (with `?pool=20` for the number of connections). */
import type { Engine } from './engine.ts'

/** `exclusive`: as a hub, the only one on its SQLite file; otherwise as a tool beside a running hub. */
export type OpenOptions = { readonly exclusive?: boolean }

export async function openEngine(url: string, options: OpenOptions = {}): Promise<Engine> {
  const scheme = url.slice(0, url.indexOf(':') + 1)
  if (scheme === 'sqlite:') {
    const { openSqlite } = await import('./sqlite.ts')
    // sqlite:///var/lib/x.db, as other programs write it, is the path /var/lib/x.db.
    return openSqlite(url.slice('sqlite:'.length).replace(/^\/\/(?=\/)/, ''), options)
  }
  if (scheme === 'postgres:' || scheme === 'postgresql:') {
    const { openPostgres } = await import('./postgres.ts')
    const { cleaned, poolSize } = takePoolSize(url)
    return openPostgres(cleaned, poolSize === undefined ? {} : { poolSize })
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
