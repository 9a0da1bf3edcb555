/**
 * Reads a PostgreSQL URL as libpq does: several hosts may stand in it, separated by commas. pg
 * connects to one host, so each host becomes a URL of its own.
 */
export type PostgresUrl = {
  /** One URL for each host, in the order given. */
  readonly urls: readonly string[]
  /** Whether only a host that takes writes will do: several hosts, or `target_session_attrs`. */
  readonly mustWrite: boolean
  readonly poolSize?: number
}

export function readPostgresUrl(url: string): PostgresUrl {
  const [head = '', query = ''] = url.split('?')
  const parameters = new URLSearchParams(query)
  const pool = parameters.get('pool')
  if (pool !== null && !/^[1-9]\d{0,2}$/.test(pool))
    throw new Error(`pool in the database URL must be 1 to 999, not "${pool}".`)
  const attributes = parameters.get('target_session_attrs')
  parameters.delete('pool')
  parameters.delete('target_session_attrs')
  const rest = parameters.toString()
  const urls = splitHosts(head).map((one) => (rest ? `${one}?${rest}` : one))
  return {
    urls,
    mustWrite: urls.length > 1 || (attributes !== null && attributes !== 'any'),
    ...(pool !== null && { poolSize: Number(pool) }),
  }
}

/** `postgres://user@a:1,b:2/hub` is `postgres://user@a:1/hub` and `postgres://user@b:2/hub`. */
function splitHosts(head: string): string[] {
  const start = head.indexOf('://') + 3
  const slash = head.indexOf('/', start)
  const end = slash < 0 ? head.length : slash
  const hosts = Math.max(start, head.slice(0, end).lastIndexOf('@') + 1)
  return head
    .slice(hosts, end)
    .split(',')
    .map((host) => `${head.slice(0, hosts)}${host}${head.slice(end)}`)
}

/** Without the one parameter that libpq does not know. */
export function withoutPool(url: string): string {
  const [head = '', query = ''] = url.split('?')
  const parameters = new URLSearchParams(query)
  if (!parameters.has('pool')) return url
  parameters.delete('pool')
  const rest = parameters.toString()
  return rest ? `${head}?${rest}` : head
}

/** Messages name the host without user and password. */
export function hostOf(url: string): string {
  const { host } = new URL(url)
  return host || 'the local socket'
}
