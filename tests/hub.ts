/**
 * A whole hub for tests: `startHub` runs it in this process, on a free port, with its own folder or
 * database; `startProcess` runs the built program as an operator does. Nothing is mocked: calls go
 * over HTTP, rows and bytes to disk.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { existsSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { type Hub, readConfig, type Server, startServer } from '@dragoman/server'
import { inject } from 'vitest'
import type { Patience } from '../packages/server/src/process/listen.ts'
import { openLog } from '../packages/server/src/process/log.ts'
import type { DatabaseKind } from './databases.ts'
import { cloneMigrated, copyMigrated } from './migrated.ts'
import { usePostgres } from './postgres.ts'
import { quickFolder } from './quick-folder.ts'

export { type DatabaseKind, databases } from './databases.ts'
export type Env = Record<string, string | undefined>

export type Answer<T> = { readonly status: number; readonly headers: Headers; readonly body: T }
export type CallOptions = {
  /** A client id: of the demo site, or one in `secrets`. Without one the call has no token. */
  readonly as?: string
  /** Sent as JSON, except text and bytes, which are sent as they are. */
  readonly body?: unknown
  readonly headers?: Record<string, string>
  readonly query?: Record<string, string | number | readonly string[]>
}

export type TestHub = {
  readonly url: string
  /** The hub itself, for state that no call returns. */
  readonly inner: Hub
  readonly folder: string
  /** The environment of a command that works on the hub's stores. */
  readonly env: Env
  /** Client id to secret; the demo clients need no entry. */
  readonly secrets: Map<string, string>
  token(clientId: string, secret?: string, scope?: string): Promise<string>
  /** A call to a path such as /v2/jobs. Redirects are not followed. */
  call<T = Record<string, unknown>>(
    method: string,
    path: string,
    options?: CallOptions,
  ): Promise<Answer<T>>
  /** Advances the sandbox clock; everything that falls due has happened when it returns. */
  advance(by: string): Promise<void>
  /** Everything logged so far. */
  logged(): string
  /** Restarts the server on the same stores; the URL changes. */
  restart(env?: Env): Promise<void>
  close(): Promise<void>
}

/** The admin client of hubs outside the sandbox profile. */
export const bootstrapId = 'first-admin'

export async function startHub(
  options: { database?: DatabaseKind; profile?: string; env?: Env; patience?: Patience } = {},
): Promise<TestHub> {
  const { database = 'sqlite', profile = 'sandbox' } = options
  const folder = quickFolder('dragoman-hub-')
  const postgres = database === 'postgres' ? usePostgres(inject('postgresUrl')) : undefined
  const databaseUrl = postgres && (await cloneMigrated())
  // As the hub makes them: one that somebody chose would cost 0.1 s of hashing at every start.
  const secret = `drg_${randomBytes(32).toString('base64url')}`
  const settings: Env = {
    DRAGOMAN_PROFILE: profile,
    DRAGOMAN_PORT: '0',
    DRAGOMAN_DATA: join(folder, 'data'),
    // The whole specification also applies to a hub that seals content.
    ...(process.env.DRAGOMAN_TEST_SEALED && { DRAGOMAN_SEAL_CONTENT: 'on' }),
    ...(process.env.DRAGOMAN_TEST_BLOBS && {
      DRAGOMAN_BLOBS_URL: `${process.env.DRAGOMAN_TEST_BLOBS}`,
    }),
    ...(databaseUrl && {
      DRAGOMAN_DATABASE_URL: databaseUrl,
      DRAGOMAN_MASTER_KEY: randomBytes(32).toString('base64'),
    }),
    ...(profile !== 'sandbox' && {
      DRAGOMAN_DRAIN_DELAY: '0s',
      DRAGOMAN_BOOTSTRAP_CLIENT_ID: bootstrapId,
      DRAGOMAN_BOOTSTRAP_CLIENT_SECRET: secret,
    }),
    ...options.env,
  }
  // A database or folder that the test provides is left as it is.
  if (!settings.DRAGOMAN_DATABASE_URL && !options.env?.DRAGOMAN_DATA)
    copyMigrated(join(folder, 'data', 'hub.db'))
  const logFile = join(folder, 'log')
  const log = openLog(settings.DRAGOMAN_LOG_LEVEL ?? 'info', logFile)
  const start = (env?: Env): Promise<Server> =>
    startServer(readConfig({ ...settings, ...env }), {
      log,
      ...(options.patience && { patience: options.patience }),
    })
  const secrets = new Map([[bootstrapId, secret]])
  const tokens = new Map<string, string>()
  let server: Server
  try {
    server = await start()
  } catch (error) {
    if (databaseUrl) await postgres?.dropDatabase(databaseUrl)
    rmSync(folder, { recursive: true })
    throw error
  }

  const token: TestHub['token'] = async (clientId, given, scope) => {
    const form = new URLSearchParams({ grant_type: 'client_credentials', client_id: clientId })
    form.set('client_secret', given ?? secrets.get(clientId) ?? `${clientId}-secret`)
    if (scope !== undefined) form.set('scope', scope)
    const answer = await fetch(`${server.url}/connect/token`, { method: 'POST', body: form })
    const body = (await answer.json()) as { access_token?: string }
    if (!body.access_token)
      throw new Error(`no token for ${clientId}: ${answer.status} ${JSON.stringify(body)}`)
    return body.access_token
  }
  const tokenOf = async (clientId: string): Promise<string> => {
    const known = tokens.get(clientId) ?? (await token(clientId))
    tokens.set(clientId, known)
    return known
  }

  const call: TestHub['call'] = async <T>(
    method: string,
    path: string,
    { as, body, headers, query }: CallOptions = {},
  ) => {
    const url = new URL(path, server.url)
    for (const [name, values] of Object.entries(query ?? {}))
      for (const value of [values].flat()) url.searchParams.append(name, String(value))
    const isPlain =
      body === undefined ||
      typeof body === 'string' ||
      ArrayBuffer.isView(body) ||
      body instanceof FormData
    const answer = await fetch(url, {
      method,
      redirect: 'manual',
      headers: {
        ...(as !== undefined && { authorization: `Bearer ${await tokenOf(as)}` }),
        ...(body !== undefined &&
          !(body instanceof FormData) && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && {
        body: isPlain ? (body as NonNullable<RequestInit['body']>) : JSON.stringify(body),
      }),
    })
    const text = await answer.text()
    const isJson = answer.headers.get('content-type')?.includes('json') && text !== ''
    return {
      status: answer.status,
      headers: answer.headers,
      body: (isJson ? JSON.parse(text) : text) as T,
    }
  }

  return {
    get url() {
      return server.url
    },
    get inner() {
      return server.hub
    },
    folder,
    env: settings,
    secrets,
    token,
    call,
    advance: async (by) => {
      const { status, body } = await call('POST', '/sandbox/clock/advance', { body: { by } })
      if (status !== 200)
        throw new Error(`the clock did not move: ${status} ${JSON.stringify(body)}`)
      tokens.clear()
    },
    logged: () => (existsSync(logFile) ? readFileSync(logFile, 'utf8') : ''),
    restart: async (env) => {
      await server.close()
      tokens.clear()
      server = await start(env)
    },
    close: async () => {
      await server.close()
      if (databaseUrl) await postgres?.dropDatabase(databaseUrl)
      rmSync(folder, { recursive: true })
    },
  }
}

export type Exit = { readonly code: number | null; readonly signal: NodeJS.Signals | null }
export type TestProcess = {
  readonly url: string
  readonly pid: number
  readonly child: ChildProcess
  stdout(): string
  stderr(): string
  signal(signal: NodeJS.Signals): void
  readonly exited: Promise<Exit>
  /** Ends it if it still runs, and removes its folder unless the caller provided it. */
  close(): Promise<void>
}

const program = join(import.meta.dirname, '..', 'packages', 'cli', 'bin', 'dragoman.js')

/** Runs the command line with a minimal environment. */
export function spawnProgram(
  args: readonly string[],
  env: Env,
): Omit<TestProcess, 'url' | 'close'> {
  const child = spawn(process.execPath, [program, ...args], {
    env: { PATH: process.env.PATH, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const said = { stdout: '', stderr: '' }
  for (const stream of ['stdout', 'stderr'] as const)
    child[stream]?.setEncoding('utf8').on('data', (text: string) => {
      said[stream] += text
    })
  // `close`, not `exit`: by then all output has arrived.
  const exited = new Promise<Exit>((resolve) =>
    child.once('close', (code, signal) => resolve({ code, signal })),
  )
  return {
    pid: child.pid ?? 0,
    child,
    stdout: () => said.stdout,
    stderr: () => said.stderr,
    signal: (signal) => child.kill(signal),
    exited,
  }
}

/**
 * Starts the built program and waits until it is ready. Throws its output if it does not become
 * ready.
 */
export async function startProcess(env: Env = {}): Promise<TestProcess> {
  const folder = quickFolder('dragoman-process-')
  const settings = {
    DRAGOMAN_PROFILE: 'sandbox',
    DRAGOMAN_PORT: '0',
    DRAGOMAN_DATA: join(folder, 'data'),
    ...env,
  }
  const spawned = spawnProgram(['serve'], settings)
  const close = async () => {
    spawned.signal('SIGKILL')
    await spawned.exited
    rmSync(folder, { recursive: true, force: true })
  }
  const ready = new Promise<string>((resolve) => {
    spawned.child.stdout?.on('data', () => {
      const url = /^Dragoman is ready at (\S+) \(\w+\)$/m.exec(spawned.stdout())?.[1]
      if (url) resolve(url)
    })
  })
  const url = await Promise.race([ready, spawned.exited])
  if (typeof url === 'string') return { ...spawned, url, close }
  await close()
  throw new Error(`the hub did not start (${JSON.stringify(url)}): ${spawned.stderr()}`)
}
