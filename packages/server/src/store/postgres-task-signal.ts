/**
 * The task signal between nodes, by LISTEN/NOTIFY. Sent after the commit: NOTIFY inside a transaction makes PostgreSQL commit
 * one transaction at a time. A lost signal only delays a task, because every node polls.
 */
import { randomUUID } from 'node:crypto'
import pg from 'pg'

const channel = 'dragoman_tasks'
const waits = [100, 500, 1000, 2000, 5000]

export type PostgresTaskSignal = {
  /** Notifies the other nodes. Calls made while one is under way are merged into the next. */
  send(): void
  /** Opens the listening connection and reopens it whenever it breaks. */
  listen(): Promise<void>
  close(): Promise<void>
}

export function openPostgresTaskSignal(pool: pg.Pool, config: pg.ClientConfig, told: () => void): PostgresTaskSignal {
  const self = randomUUID()
  let client: pg.Client | undefined
  let opening: Promise<void> | undefined
  let timer: NodeJS.Timeout | undefined
  let closed = false
  let sending: Promise<unknown> | undefined
  let sendAgain = false

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
      if (message.payload !== self) told()
    })
    try {
      await mine.connect()
      await mine.query(`listen ${channel}`)
      failed = 0
    } catch (error) {
      lost(mine, failed)
      throw error
    }
    // Covers signals missed while disconnected.
    told()
  }
  const send = (): void => {
    if (closed) return
    if (sending) {
      sendAgain = true
      return
    }
    sending = pool
      .query('select pg_notify($1, $2)', [channel, self])
      .catch(() => {})
      .finally(() => {
        sending = undefined
        if (sendAgain) {
          sendAgain = false
          send()
        }
      })
  }
  return {
    send,
    listen: () => {
      opening ??= open(0).catch(() => {})
      return opening
    },
    close: async () => {
      while (sending) await sending
      closed = true
      clearTimeout(timer)
      await client?.end().catch(() => {})
    },
  }
}
