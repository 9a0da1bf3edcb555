/**
 * A hub inside a test: `const hub = await startHub()` is a real sandbox on a free port, with its
 * own database, files and clock. Several can run in one process, and `close` leaves nothing behind:
 * no timer, no socket, no folder.
 */
import { mkdtemp, rm, statfs } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { type Connection, type ConnectOptions, connect } from '@dragoman/sdk'
import { type Controls, openControls } from './controls.ts'
import { type DeliveryRecorder, openRecorder } from './delivery-recorder.ts'

/** Loaded with this module, so that the time it takes does not count as part of a test. */
const { readConfig, startServer } = await import('@dragoman/server')

export type HubOptions = {
  /**
   * Stores everything there, so that a later hub can continue with it. By default everything is in
   * memory and gone at the end.
   */
  readonly folder?: string
  /** More keys of docs/config.md: `{ DRAGOMAN_TOKEN_SECONDS: '60' }`. */
  readonly env?: Readonly<Record<string, string>>
  /** By default the hub logs nothing. */
  readonly logLevel?: 'fatal' | 'error' | 'warn' | 'info' | 'debug' | 'trace'
}

export type Credentials = { readonly clientId: string; readonly clientSecret: string }
export type Role = 'connector' | 'provider' | 'settings' | 'admin'

export type RunningHub = Controls & {
  readonly url: string
  /** The demo site's clients; the connector's credentials are also properties of the hub. */
  readonly clients: Readonly<Record<Role, Credentials>>
  readonly clientId: string
  readonly clientSecret: string
  /** An SDK connection, as the connector by default. Its retries do not keep a test waiting. */
  connect(options?: Partial<ConnectOptions>, as?: Role): Connection
  /** A listener that records what the hub sends it. */
  readonly deliveries: DeliveryRecorder
  close(): Promise<void>
  [Symbol.asyncDispose](): Promise<void>
}

const roles: readonly Role[] = ['connector', 'provider', 'settings', 'admin']
const credentialsOf = (role: Role): Credentials => ({
  clientId: `demo-${role}`,
  clientSecret: `demo-${role}-secret`,
})

export async function startHub(options: HubOptions = {}): Promise<RunningHub> {
  const folder = options.folder === undefined ? await memoryFolder() : resolve(options.folder)
  const leave = async () => {
    if (options.folder === undefined) await rm(folder, { recursive: true, force: true })
  }
  const settings = {
    DRAGOMAN_PROFILE: 'sandbox',
    DRAGOMAN_PORT: '0',
    DRAGOMAN_DATA: join(folder, 'data'),
    DRAGOMAN_LOG_LEVEL: options.logLevel ?? 'silent',
    ...options.env,
  }
  try {
    const server = await startServer(readConfig(settings))
    return running(server, leave)
  } catch (error) {
    await leave()
    throw error
  }
}

type Server = { readonly url: string; close(): Promise<void> }

function running(server: Server, leave: () => Promise<void>): RunningHub {
  const { url } = server
  const join: RunningHub['connect'] = (options, as = 'connector') =>
    connect({ url, ...credentialsOf(as), retry: { firstMs: 10, mostMs: 200 }, ...options })
  const deliveries = openRecorder(() => join())
  let closing: Promise<void> | undefined
  const close = () => {
    closing ??= (async () => {
      try {
        await Promise.all([server.close(), deliveries.close()])
      } finally {
        await leave()
      }
    })()
    return closing
  }
  const clients = Object.fromEntries(
    roles.map((role) => [role, credentialsOf(role)]),
  ) as RunningHub['clients']
  return {
    ...openControls(url),
    url,
    clients,
    ...credentialsOf('connector'),
    connect: join,
    deliveries,
    close,
    [Symbol.asyncDispose]: close,
  }
}

/** Less than this is too little for test files; a container's shared memory is often small. */
const minMemory = 256 * 1024 ** 2

/** The embedded database needs a file: puts it on an in-memory file system, if there is one. */
async function memoryFolder(): Promise<string> {
  const isRoomy = await statfs('/dev/shm').then(
    ({ bavail, bsize }) => bavail * bsize >= minMemory,
    () => false,
  )
  const make = (place: string) => mkdtemp(join(place, `dragoman-test-${process.pid}-`))
  return isRoomy ? make('/dev/shm').catch(() => make(tmpdir())) : make(tmpdir())
}
