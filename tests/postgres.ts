/**
 * A real PostgreSQL for tests: the newest one installed, in a private temporary folder, on a free
 * loopback port; or, with DRAGOMAN_TEST_POSTGRES, an existing server. Undefined if there is
 * neither.
 */
import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { chown, mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { promisify } from 'node:util'
import pg from 'pg'
import { freePort } from './free-port.ts'
import { quickFolder } from './quick-folder.ts'

export type Postgres = {
  /** The URL of one of its databases. */
  url(database: string): string
  /** A fresh, empty database; with `template` a copy of that one. */
  createDatabase(options?: { template?: string }): Promise<string>
  dropDatabase(url: string): Promise<void>
  stop(): Promise<void>
}

/**
 * `durable: false` keeps its files in memory and turns fsync off: faster, for tests that never cut
 * the power.
 */
export async function startPostgres(
  options: { durable?: boolean } = {},
): Promise<Postgres | undefined> {
  const given = process.env.DRAGOMAN_TEST_POSTGRES
  return given ? usePostgres(given) : startOwnPostgres(options)
}

/**
 * A server that no other test uses, whatever DRAGOMAN_TEST_POSTGRES says: for tests that damage it.
 */
export async function startOwnPostgres(
  options: { durable?: boolean } = {},
): Promise<Postgres | undefined> {
  const bin = await findBinaries()
  if (!bin) return undefined
  return runPostgres(bin, options.durable ?? true)
}

/** An existing server; it is not ours to stop. */
export function usePostgres(baseUrl: string): Postgres {
  const url = (database: string): string => {
    const address = new URL(baseUrl)
    address.pathname = `/${database}`
    return address.href
  }
  const ask = async (sql: string): Promise<void> => {
    const client = new pg.Client(baseUrl)
    await client.connect()
    try {
      await client.query(sql)
    } finally {
      await client.end()
    }
  }
  return {
    url,
    createDatabase: async ({ template = 'template0' } = {}) => {
      const name = `dragoman_test_${randomBytes(6).toString('hex')}`
      await ask(`create database ${name} template ${template}`)
      return url(name)
    },
    dropDatabase: (address) =>
      ask(`drop database if exists ${new URL(address).pathname.slice(1)} with (force)`),
    stop: async () => {},
  }
}

async function runPostgres(bin: string, durable: boolean): Promise<Postgres> {
  const run = promisify(execFile)
  const folder = durable
    ? await mkdtemp(join(tmpdir(), 'dragoman-postgres-'))
    : quickFolder('dragoman-postgres-')
  // The server refuses to run as root.
  const owner = process.getuid?.() === 0 ? await findOwner() : undefined
  if (owner) await chown(folder, owner.uid, owner.gid)
  const as = { ...owner, cwd: folder }
  const data = join(folder, 'data')
  await run(
    join(bin, 'initdb'),
    ['-D', data, '-U', 'dragoman', '-A', 'trust', '-E', 'UTF8', '--no-locale', '-N'],
    as,
  )
  const port = await freePort()
  const settings = [
    'listen_addresses=127.0.0.1',
    `unix_socket_directories=${folder}`,
    'max_connections=200',
    `fsync=${durable ? 'on' : 'off'}`,
  ]
  const server = spawn(
    join(bin, 'postgres'),
    ['-D', data, '-p', String(port), ...settings.flatMap((setting) => ['-c', setting])],
    {
      ...as,
      stdio: ['ignore', 'ignore', 'pipe'],
    },
  )
  const said: string[] = []
  server.stderr?.on('data', (text: Buffer) => said.push(text.toString()))
  const stop = async (): Promise<void> => {
    await end(server)
    await rm(folder, { recursive: true, force: true })
  }
  const postgres = usePostgres(`postgres://dragoman@127.0.0.1:${port}/postgres`)
  try {
    await untilReady(postgres.url('postgres'), server)
  } catch (error) {
    await stop()
    throw new Error(`PostgreSQL did not start: ${said.join('')}`, { cause: error })
  }
  return { ...postgres, stop }
}

export async function untilReady(url: string, server: ChildProcess): Promise<void> {
  for (let tried = 0; ; tried++) {
    const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 2_000 })
    client.on('error', () => {})
    try {
      await client.connect()
      await client.end()
      return
    } catch (error) {
      if (tried >= 300 || server.exitCode !== null) throw error
      await delay(100)
    }
  }
}

/** SIGINT is PostgreSQL's fast shutdown: it does not wait for clients. */
async function end(server: ChildProcess): Promise<void> {
  if (server.exitCode !== null || server.signalCode !== null) return
  const gone = new Promise((resolve) => server.once('exit', resolve))
  server.kill('SIGINT')
  const late = setTimeout(() => server.kill('SIGKILL'), 20_000)
  await gone
  clearTimeout(late)
}

export async function findBinaries(): Promise<string | undefined> {
  const debian = '/usr/lib/postgresql'
  const versions = (await readdir(debian).catch(() => [])).sort((a, b) => Number(b) - Number(a))
  const folders = [
    ...versions.map((version) => join(debian, version, 'bin')),
    ...(process.env.PATH ?? '').split(delimiter),
  ]
  for (const folder of folders) {
    const both = await Promise.all(
      ['initdb', 'postgres'].map((name) => stat(join(folder, name)).catch(() => undefined)),
    )
    if (both.every((file) => file?.isFile())) return folder
  }
  return undefined
}

export async function findOwner(): Promise<{ uid: number; gid: number }> {
  const users = (await readFile('/etc/passwd', 'utf8')).split('\n').map((line) => line.split(':'))
  const found =
    users.find(([name]) => name === 'postgres') ?? users.find(([name]) => name === 'nobody')
  return { uid: Number(found?.[2] ?? 65534), gid: Number(found?.[3] ?? 65534) }
}
