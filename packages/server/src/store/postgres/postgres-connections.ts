/**
 * The connections to the primary: a pool, and single ones outside it. A connection that breaks is
 * discarded and makes the next caller look for the primary again; when another host has become the
 * primary, all connections to the old one are cut, so that no call waits for a machine that is gone
 * and none writes to the wrong one.
 */
import { Socket } from 'node:net'
import pg from 'pg'
import { DatabaseUnreachable, findWhyNot, type Primary } from './postgres-primary.ts'
import { hostOf } from './postgres-url.ts'

export type Connections = {
  /** From the pool: to be released. */
  connect(): Promise<pg.PoolClient>
  /** Outside the pool: to be ended. */
  open(): Promise<pg.Client>
  /** Returns the URL of the primary, with its password. */
  url(): string
  /** The connection broke, or its server takes no writes. */
  doubt(): void
  /** Whether a commit on this connection came back without the standby's confirmation. */
  isUnconfirmed(client: pg.PoolClient): boolean
  end(): Promise<void>
}

export function openConnections(
  primary: Primary,
  config: pg.ClientConfig,
  { size, mustWrite }: { readonly size: number; readonly mustWrite: boolean },
): Connections {
  const lines = new Map<pg.ClientBase, { readonly url: string; readonly socket: Socket }>()
  const unconfirmed = new WeakSet<pg.ClientBase>()

  const newClient = (): pg.Client => {
    const url = primary.now()
    const socket = new Socket()
    const client = new pg.Client({ ...config, connectionString: url, stream: () => socket })
    lines.set(client, { url, socket })
    socket.once('close', () => lines.delete(client))
    // An idle connection that breaks is reported here, a busy one by its query: neither may end the
    // process.
    client.on('error', () => primary.doubt())
    // Someone cancelled the wait for the synchronous standby: the server then reports a commit that
    // only it has.
    client.on('notice', ({ routine }) => {
      if (routine === 'SyncRepWaitForLSN') unconfirmed.add(client)
    })
    return client
  }
  const mustTakeWrites = async (client: pg.ClientBase): Promise<void> => {
    const whyNot = mustWrite ? await findWhyNot(client) : undefined
    if (whyNot !== undefined) throw new DatabaseUnreachable(`${hostOf(primary.now())} ${whyNot}.`)
  }
  const pool = new pg.Pool({
    ...config,
    max: size,
    idleTimeoutMillis: 30_000,
    // The pool calls it with `new`, which an arrow function does not allow.
    Client: function Client() {
      return newClient()
    } as unknown as new () => pg.ClientBase,
    ...(mustWrite && { onConnect: mustTakeWrites }),
  })
  pool.on('error', () => primary.doubt())
  primary.onMove(() => {
    for (const { url, socket } of lines.values()) if (url !== primary.now()) socket.destroy()
  })

  return {
    connect: async () => {
      await primary.find()
      try {
        return await pool.connect()
      } catch (error) {
        primary.doubt()
        throw error
      }
    },
    open: async () => {
      await primary.find()
      const client = newClient()
      try {
        await client.connect()
        await mustTakeWrites(client)
        return client
      } catch (error) {
        primary.doubt()
        client.end().catch(() => {})
        throw error
      }
    },
    url: primary.now,
    doubt: primary.doubt,
    isUnconfirmed: (client) => unconfirmed.has(client),
    end: async () => {
      primary.close()
      await pool.end()
    },
  }
}
