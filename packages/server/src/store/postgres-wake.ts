/**
 * Wake-up between nodes by LISTEN/NOTIFY. Told after the commit and not inside it: a NOTIFY inside makes PostgreSQL
 * commit one transaction after the other, and a call that gets lost is only late, since polling is the truth.
 */
import { randomUUID } from 'node:crypto'
import pg from 'pg'

const channel = 'dragoman_tasks'
const waits = [100, 500, 1000, 2000, 5000]

export type PostgresWake = {
  /** Tells the other nodes; calls that come while one is on its way are told with the next. */
  tell(): void
  /** Opens the listening connection; it is opened again for ever when it breaks. */
  listen(): Promise<void>
  close(): Promise<void>
}

export function openPostgresWake(pool: pg.Pool, config: pg.ClientConfig, woken: () => void): PostgresWake {
  const self = randomUUID()
  let client: pg.Client | undefined
  let opening: Promise<void> | undefined
  let timer: NodeJS.Timeout | undefined
  let closed = false
  let telling: Promise<unknown> | undefined
  let again = false

  const lost = (mine: pg.Client, failures: number): void => {
    if (client !== mine) return
    client = undefined
    mine.end().catch(() => {})
    if (closed) return
    timer = setTimeout(() => void open(failures).catch(() => {}), waits[Math.min(failures, waits.length - 1)])
    timer.unref()
  }
  const open = async (failures: number): Promise<void> => {
    const mine = new pg.Client(config)
    let failed = failures + 1
    client = mine
    mine.on('error', () => lost(mine, failed))
    mine.on('end', () => lost(mine, failed))
    mine.on('notification', (message) => {
      if (message.payload !== self) woken()
    })
    try {
      await mine.connect()
      await mine.query(`listen ${channel}`)
      failed = 0
    } catch (error) {
      lost(mine, failed)
      throw error
    }
    // Whatever was told while nobody listened.
    woken()
  }
  const tell = (): void => {
    if (closed) return
    if (telling) {
      again = true
      return
    }
    telling = pool
      .query('select pg_notify($1, $2)', [channel, self])
      .catch(() => {})
      .finally(() => {
        telling = undefined
        if (again) {
          again = false
          tell()
        }
      })
  }
  return {
    tell,
    listen: () => {
      opening ??= open(0).catch(() => {})
      return opening
    },
    close: async () => {
      while (telling) await telling
      closed = true
      clearTimeout(timer)
      await client?.end().catch(() => {})
    },
  }
}
