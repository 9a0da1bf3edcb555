/**
 * The engine for several nodes on one PostgreSQL (13 and up). Transactions run at READ COMMITTED and restart on a deadlock or a
 * serialization failure; a lost connection is reported as busy and never ends the process.
 */
import { setTimeout as delay } from 'node:timers/promises'
import { Kysely, sql } from 'kysely'
import pg from 'pg'
import type { Db, Engine } from './engine.ts'
import { withPostgresCopy } from './postgres-copy.ts'
import { DatabaseUnreachable, isStalePlan, postgresDialect } from './postgres-dialect.ts'
import { openPostgresTaskSignal } from './postgres-task-signal.ts'
import type { Tables } from './tables.ts'
import { openTaskSignal } from './task-signal.ts'
import { everyLane, type Lane } from './tasks/lanes.ts'

const tries = 5
const limits = {
  connectionTimeoutMillis: 5_000,
  statement_timeout: 30_000,
  lock_timeout: 10_000,
  idle_in_transaction_session_timeout: 30_000,
  /** The client's own timeout, for a network that drops everything: longer than the server's. */
  query_timeout: 40_000,
  /** Statements may be sent before the previous one is answered (pg 8.23; its types do not have it yet). */
  pipeline: true,
  keepAlive: true,
  keepAliveInitialDelayMillis: 10_000,
}

/** Milliseconds and counts fit a JavaScript number; anything larger is an error, never a wrong digit. */
const types = new pg.TypeOverrides()
types.setTypeParser(pg.types.builtins.INT8, (text: string) => {
  const value = Number(text)
  if (!Number.isSafeInteger(value)) throw new RangeError(`${text} does not fit a number`)
  return value
})

export async function openPostgres(url: string, options: { poolSize?: number } = {}): Promise<Engine> {
  const config = { connectionString: url, application_name: 'dragoman', types, ...limits }
  const pool = new pg.Pool({ ...config, max: options.poolSize ?? 10, idleTimeoutMillis: 30_000 })
  // An idle connection that breaks is reported here, a busy one by its query: neither may end the process.
  pool.on('error', () => {})
  pool.on('connect', (client) => client.on('error', () => {}))
  const db = new Kysely<Tables>({ dialect: postgresDialect(pool) })
  try {
    await mustFit(db)
  } catch (error) {
    await pool.end()
    throw error
  }
  return engineOf(db, pool, config)
}

function engineOf(db: Db, pool: pg.Pool, config: pg.ClientConfig): Engine {
  const signal = openTaskSignal()
  const nodes = openPostgresTaskSignal(pool, config, () => signal.send(everyLane))
  const once = async <T>(work: (tx: Db) => Promise<T>): Promise<T> => {
    let added: readonly Lane[] = []
    const result = await db.transaction().execute(async (tx) => {
      signal.opened(tx)
      try {
        return await work(tx)
      } finally {
        added = signal.closed(tx)
      }
    })
    signal.send(added)
    if (added.length > 0) nodes.send()
    return result
  }
  return {
    name: 'postgres',
    hasManyWriters: true,
    isAlone: false,
    read: db,
    transact: async (work) => {
      for (let tried = 1; ; tried++) {
        try {
          return await once(work)
        } catch (error) {
          if (tried >= tries || !mayBeginAgain(error)) throw error
        }
        await delay(Math.random() * 10 * 2 ** tried)
      }
    },
    tasksAdded: async (tx, lanes) => signal.mark(tx, lanes),
    onTasksAdded: async (told) => {
      const stop = signal.listen(told)
      await nodes.listen()
      return async () => stop()
    },
    isConflict: (error) => stateOf(error) === '23505',
    isBusy: (error) => error instanceof DatabaseUnreachable || isBusyState(stateOf(error)),
    withCopy: (work) => withPostgresCopy(db, config.connectionString ?? '', work),
    ready: async () => {
      await sql`select 1`.execute(db)
    },
    close: async () => {
      await nodes.close()
      await db.destroy()
    },
  }
}

/** serialization_failure, deadlock_detected: the transaction can simply be restarted. */
const conflictStates = new Set(['40001', '40P01'])
const mayBeginAgain = (error: unknown): boolean => conflictStates.has(stateOf(error) ?? '') || isStalePlan(error)
/**
 * Besides the classes 08 (connection) and 53 (disk, memory, connections): a lock or statement timeout, a server that shuts down
 * or starts, a node that became a standby, an I/O error.
 */
const busyStates = new Set([
  '55P03',
  '57014',
  '57P01',
  '57P02',
  '57P03',
  '57P05',
  '25P03',
  '25006',
  '58030',
  ...conflictStates,
])

const stateOf = (error: unknown): string | undefined => (error instanceof pg.DatabaseError ? error.code : undefined)

const isBusyState = (state: string | undefined): boolean =>
  state !== undefined && (state.startsWith('08') || state.startsWith('53') || busyStates.has(state))

async function mustFit(db: Db): Promise<void> {
  const { rows } = await sql<{ version: number; encoding: string }>`
    select current_setting('server_version_num')::int as version, current_setting('server_encoding') as encoding`.execute(
    db,
  )
  const { version = 0, encoding = '' } = rows[0] ?? {}
  if (version < 130000)
    throw new Error(`PostgreSQL 13 or newer is required; this server is ${Math.floor(version / 10000)}.`)
  if (encoding !== 'UTF8') throw new Error(`The database must be encoded in UTF8; this one is ${encoding}.`)
}
