/**
 * Which host of the database URL takes writes. After a failure, and every few seconds, all hosts
 * are asked at once: the one that is no standby and has the newest timeline is the primary. A host
 * with an older timeline than one seen before is an old primary that came back after a failover: it
 * is never used.
 */
import pg from 'pg'
import { hostOf, type PostgresUrl } from './postgres-url.ts'

/** No connection, or one that broke. */
export class DatabaseUnreachable extends Error {
  override name = 'DatabaseUnreachable'
}

export type Primary = {
  /** The URL of the primary; looks for it first if it is in doubt. */
  find(): Promise<string>
  /** The last one found. */
  now(): string
  /** A connection was refused or broke: the next `find` looks again. */
  doubt(): void
  /** Calls `told` when another host has become the primary. */
  onMove(told: () => void): void
  close(): void
}

export type PrimaryTimes = {
  /** How often to look without a doubt: connections to a machine that is gone only hang. */
  readonly watchMs: number
  /** A host has this long to answer. */
  readonly patienceMs: number
}
const usualTimes: PrimaryTimes = { watchMs: 5_000, patienceMs: 3_000 }
/** While no host takes writes, they are asked this often at most. */
const pauseMs = 250

type HostAnswer = { readonly url: string } & (
  | { readonly timeline: number }
  | { readonly whyNot: string }
)

export function openPrimary(
  { urls, mustWrite }: PostgresUrl,
  times: PrimaryTimes = usualTimes,
): Primary {
  const [first = ''] = urls
  if (!mustWrite) return onlyHost(first)
  let current = first
  let newest = 0
  let isSure = false
  let looking: Promise<void> | undefined
  let failed: { readonly error: Error; readonly at: number } | undefined
  const tellers: (() => void)[] = []

  const look = async (): Promise<void> => {
    const asked = await Promise.all(urls.map((url) => askHost(url, times.patienceMs)))
    const best = asked
      .flatMap((one) => ('timeline' in one && one.timeline >= newest ? [one] : []))
      .sort(
        (a, b) => b.timeline - a.timeline || Number(b.url === current) - Number(a.url === current),
      )[0]
    if (!best)
      throw new DatabaseUnreachable(
        `No host of the database takes writes: ${asked.map(saysNo).join('; ')}.`,
      )
    newest = best.timeline
    isSure = true
    if (best.url === current) return
    current = best.url
    for (const told of tellers) told()
  }
  const saysNo = (asked: HostAnswer): string =>
    `${hostOf(asked.url)} ${'whyNot' in asked ? asked.whyNot : `has the old timeline ${asked.timeline}`}`
  const lookOnce = (): Promise<void> => {
    looking ??= look().finally(() => {
      looking = undefined
    })
    return looking
  }
  // Existing connections may work though a new one is slow: only the discovery of another primary
  // counts here.
  const lookNow = () => void lookOnce().catch(() => {})
  const watch = urls.length > 1 ? setInterval(lookNow, times.watchMs).unref() : undefined

  return {
    find: async () => {
      if (isSure) return current
      if (failed && performance.now() - failed.at < pauseMs) throw failed.error
      try {
        await lookOnce()
      } catch (error) {
        failed = { error: error as Error, at: performance.now() }
        throw error
      }
      return current
    },
    now: () => current,
    doubt: () => {
      isSure = false
    },
    onMove: (told) => void tellers.push(told),
    close: () => clearInterval(watch),
  }
}

const onlyHost = (url: string): Primary => ({
  find: async () => url,
  now: () => url,
  doubt: () => {},
  onMove: () => {},
  close: () => {},
})

/** The first eight hexadecimal digits of the name of a WAL file are its timeline. */
const timelineSql = 'select left(pg_walfile_name(pg_current_wal_lsn()), 8) as timeline'

async function askHost(url: string, patienceMs: number): Promise<HostAnswer> {
  const client = new pg.Client({
    connectionString: url,
    application_name: 'dragoman',
    connectionTimeoutMillis: patienceMs,
    query_timeout: patienceMs,
  })
  client.on('error', () => {})
  try {
    await client.connect()
    const whyNot = await findWhyNot(client)
    if (whyNot !== undefined) return { url, whyNot }
    // A service that hides its WAL has one host to write to, and no timeline to compare.
    const { rows } = await client
      .query<{ timeline: string }>(timelineSql)
      .catch(() => ({ rows: [] }))
    return { url, timeline: Number.parseInt(rows[0]?.timeline ?? '0', 16) }
  } catch (error) {
    return { url, whyNot: `does not respond (${(error as Error).message})` }
  } finally {
    client.end().catch(() => {})
  }
}

/** Why the server at the other end cannot take writes; undefined if it can. */
export async function findWhyNot(client: pg.ClientBase): Promise<string | undefined> {
  const { rows } = await client.query<{ standby: boolean; read_only: string }>(
    "select pg_is_in_recovery() as standby, current_setting('transaction_read_only') as read_only",
  )
  if (rows[0]?.standby) return 'is a standby'
  return rows[0]?.read_only === 'on' ? 'is read-only' : undefined
}
