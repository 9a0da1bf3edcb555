/**
 * The database of several nodes on one PostgreSQL (13 and up), with or without standbys and a
 * connection pooler. Transactions run at READ COMMITTED and restart on a deadlock or a
 * serialization failure; a lost connection is reported as busy and never ends the process.
 */
import { setTimeout as delay } from 'node:timers/promises'
import { Kysely, sql } from 'kysely'
import pg from 'pg'
import type { Database, Db } from '../database.ts'
import type { Tables } from '../tables.ts'
import { openTaskSignal } from '../task-signal.ts'
import { everyLane } from '../tasks/lanes.ts'
import { type Connections, openConnections } from './postgres-connections.ts'
import { withPostgresCopy } from './postgres-copy.ts'
import { isStalePlan, postgresDialect } from './postgres-dialect.ts'
import { DatabaseUnreachable, openPrimary } from './postgres-primary.ts'
import { openPostgresTaskSignal } from './postgres-task-signal.ts'
import { readPostgresUrl } from './postgres-url.ts'

const tries = 5
/** The timeouts of the server, in milliseconds. */
const timeouts = {
  statement_timeout: 30_000,
  lock_timeout: 10_000,
  idle_in_transaction_session_timeout: 30_000,
}
const limits = {
  connectionTimeoutMillis: 5_000,
  /** The client's own timeout, for a network that drops everything: longer than the server's. */
  query_timeout: 40_000,
  /**
   * Statements may be sent before the previous one is answered (pg 8.23; its types do not have it
   * yet).
   */
  pipeline: true,
  keepAlive: true,
  keepAliveInitialDelayMillis: 10_000,
}

/**
 * Milliseconds and counts fit a JavaScript number; anything larger is an error, never a wrong
 * digit.
 */
const types = new pg.TypeOverrides()
types.setTypeParser(pg.types.builtins.INT8, (text: string) => {
  const value = Number(text)
  if (!Number.isSafeInteger(value)) throw new RangeError(`${text} does not fit a number`)
  return value
})

export async function openPostgres(
  url: string,
  { says }: { readonly says?: (sentence: string) => void } = {},
): Promise<Database> {
  const hosts = readPostgresUrl(url)
  const { mustWrite } = hosts
  const primary = openPrimary(hosts)
  const plain = { application_name: 'dragoman', types, ...limits }
  let isPooled: boolean
  try {
    isPooled = await mustFit({ ...plain, connectionString: await primary.find() })
  } catch (error) {
    primary.close()
    throw error
  }
  if (isPooled) says?.(pooledSentence)
  const { poolSize: size = 10 } = hosts
  const connections = openConnections(primary, isPooled ? plain : { ...plain, ...timeouts }, {
    size,
    mustWrite,
  })
  const begin = isPooled ? `begin; ${setTimeouts}` : 'begin'
  const db = new Kysely<Tables>({
    dialect: postgresDialect(connections, { begin, prepares: !isPooled }),
  })
  return databaseOf(db, connections, !isPooled)
}

/** Behind a pooler a session belongs to nobody: what is set in it must end with the transaction. */
const setTimeouts = Object.entries(timeouts)
  .map(([name, value]) => `set local ${name} = ${value}`)
  .join('; ')

const pooledSentence =
  'The database is behind a connection pooler: statements are not prepared, and nodes do not wake each other but poll every second.'

function databaseOf(db: Db, connections: Connections, listens: boolean): Database {
  const signal = openTaskSignal(() => nodes.send())
  const nodes = openPostgresTaskSignal(connections, listens, () => signal.send(everyLane))
  return {
    name: 'postgres',
    hasManyWriters: true,
    isAlone: false,
    read: db,
    transact: async (work) => {
      for (let tried = 1; ; tried++) {
        try {
          return await signal.transact(db, work)
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
    withCopy: (work) => withPostgresCopy(db, connections.url(), work),
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
const mayBeginAgain = (error: unknown): boolean =>
  conflictStates.has(stateOf(error) ?? '') || isStalePlan(error)
/**
 * Besides the classes 08 (connection) and 53 (disk, memory, connections): a lock or statement
 * timeout, a server that shuts down or starts, a node that became a standby, an I/O error.
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

const stateOf = (error: unknown): string | undefined =>
  error instanceof pg.DatabaseError ? error.code : undefined

const isBusyState = (state: string | undefined): boolean =>
  state !== undefined && (state.startsWith('08') || state.startsWith('53') || busyStates.has(state))

/**
 * Returns whether a pooler is in between: the connection was told of another server process than
 * the one that answers.
 */
async function mustFit(config: pg.ClientConfig): Promise<boolean> {
  const { version, encoding, pid, toldPid } = await askServer(config)
  if (version < 130000)
    throw new Error(
      `PostgreSQL 13 or newer is required; this server is ${Math.floor(version / 10000)}.`,
    )
  if (encoding !== 'UTF8')
    throw new Error(`The database must be encoded in UTF8; this one is ${encoding}.`)
  return pid !== toldPid
}

async function askServer(config: pg.ClientConfig) {
  const client = new pg.Client(config)
  client.on('error', () => {})
  try {
    await client.connect()
    const { rows } = await client.query<{ version: number; encoding: string; pid: number }>(
      `select current_setting('server_version_num')::int as version, current_setting('server_encoding') as encoding,
        pg_backend_pid() as pid`,
    )
    const { version = 0, encoding = '', pid = 0 } = rows[0] ?? {}
    return {
      version,
      encoding,
      pid,
      toldPid: (client as unknown as { readonly processID: number }).processID,
    }
  } catch (error) {
    throw new DatabaseUnreachable(`PostgreSQL gave no connection: ${(error as Error).message}`, {
      cause: error,
    })
  } finally {
    client.end().catch(() => {})
  }
}
