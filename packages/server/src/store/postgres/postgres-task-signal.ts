/**
 * The task signal between nodes, by LISTEN/NOTIFY. Sent after the commit: NOTIFY inside a
 * transaction makes PostgreSQL commit one transaction at a time. A lost signal only delays a task,
 * because every node polls.
 */
import { randomUUID } from 'node:crypto'
import type pg from 'pg'
import type { Connections } from './postgres-connections.ts'

const channel = 'dragoman_tasks'
const waits = [100, 500, 1000, 2000, 5000]

export type PostgresTaskSignal = {
  /** Notifies the other nodes. Calls made while one is under way are merged into the next. */
  send(): void
  /** Opens the listening connection and reopens it whenever it breaks. */
  listen(): Promise<void>
  close(): Promise<void>
}

/** Without `listens`, behind a connection pooler, this node only sends. */
export function openPostgresTaskSignal(
  connections: Connections,
  listens: boolean,
  told: () => void,
): PostgresTaskSignal {
  const self = randomUUID()
  let client: pg.Client | undefined
  let opening: Promise<void> | undefined
  let timer: NodeJS.Timeout | undefined
  let closed = false
  let sending: Promise<unknown> | undefined
  let sendAgain = false

  const openLater = (failures: number): void => {
    if (closed) return
    timer = setTimeout(() => void open(failures), waits[Math.min(failures, waits.length - 1)])
    timer.unref()
  }
  const lost = (mine: pg.Client): void => {
    if (client !== mine) return
    client = undefined
    mine.end().catch(() => {})
    openLater(0)
  }
  const open = async (failures: number): Promise<void> => {
    let mine: pg.Client | undefined
    try {
      mine = await connections.open()
      mine.on('notification', (message) => {
        if (message.payload !== self) told()
      })
      await mine.query(`listen ${channel}`)
    } catch {
      mine?.end().catch(() => {})
      openLater(failures + 1)
      return
    }
    const listening = mine
    if (closed) return void listening.end().catch(() => {})
    client = listening
    listening.on('error', () => lost(listening))
    listening.on('end', () => lost(listening))
    // Covers signals missed while disconnected.
    told()
  }
  const notify = async (): Promise<void> => {
    const sender = await connections.connect()
    let error: Error | undefined
    try {
      await sender.query('select pg_notify($1, $2)', [channel, self])
    } catch (failed) {
      error = failed as Error
    } finally {
      sender.release(error)
    }
  }
  const send = (): void => {
    if (closed) return
    if (sending) {
      sendAgain = true
      return
    }
    sending = notify()
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
      opening ??= listens ? open(0) : Promise.resolve()
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
