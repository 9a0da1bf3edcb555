/** Servers of other makers, each a process of its own on a free port. */
import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { createWriteStream } from 'node:fs'
import { createServer } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { promisify } from 'node:util'
import { sqliteModule } from './built.ts'
import type { Bench } from './figure.ts'
import { type Callable, callHub } from './server.ts'

export type PeerServer = Callable & { stop(): Promise<void> }
export type FlatRow = Record<string, string | number | null>

/** Prism's mock of an OpenAPI document. It looks for a token and does not check it. */
export async function startPrism(
  bench: Bench,
  command: string,
  document: string,
): Promise<PeerServer> {
  const port = await freePort()
  const args = [command, 'mock', document, '--port', String(port), '--verboseLevel', 'error']
  const headers = { authorization: 'Bearer bench' }
  return open(bench, args, { port, headers }, { path: `/readyz` })
}

/**
 * Directus on SQLite with a static token, and a collection `jobs` that holds these rows, oldest
 * first.
 */
export async function startDirectus(
  bench: Bench,
  command: string,
  rows: readonly FlatRow[],
): Promise<PeerServer> {
  const port = await freePort()
  const cwd = await bench.folder()
  const file = `${cwd}/directus.db`
  const token = 'bench-static-token'
  const env = {
    ...process.env,
    NODE_ENV: 'production',
    HOST: '127.0.0.1',
    PORT: String(port),
    SECRET: 'bench-secret-of-thirty-two-bytes',
    DB_CLIENT: 'sqlite3',
    DB_FILENAME: file,
    ADMIN_EMAIL: 'bench@example.com',
    ADMIN_PASSWORD: 'bench-password',
    ADMIN_TOKEN: token,
    LOG_LEVEL: 'error',
    TELEMETRY: 'false',
  }
  await promisify(execFile)(process.execPath, [command, 'bootstrap'], {
    cwd,
    env,
    timeout: 300_000,
  })
  const address = { port, headers: { authorization: `Bearer ${token}` } }
  const server = await open(bench, [command, 'start'], address, {
    path: '/server/ping',
    where: { cwd, env },
  })
  const [first = {}] = rows
  const names = Object.keys(first)
  const key = {
    field: 'id',
    type: 'integer',
    schema: { is_primary_key: true, has_auto_increment: true },
  }
  const fields = names.map((field) => ({
    field,
    type: typeof first[field] === 'number' ? 'integer' : 'text',
  }))
  await callHub(address, 'POST', '/collections', {
    collection: 'jobs',
    schema: {},
    meta: {},
    fields: [key, ...fields.map((field) => ({ ...field, schema: {} }))],
  })
  const db = (await (await sqliteModule()).loadSqlite())(file)
  const insert = db.prepare(
    `insert into jobs (${names.map((name) => `"${name}"`).join(', ')}) values (${names.map(() => '?').join(', ')})`,
  )
  db.exec('begin immediate')
  for (const row of rows) insert.run(...names.map((name) => row[name] ?? null))
  db.exec('commit')
  db.close()
  // Directus has meanwhile closed the connection that the last call left open; the next call must
  // know.
  await delay(100)
  return server
}

type Where = { readonly cwd?: string; readonly env?: NodeJS.ProcessEnv }

/** Ready when it answers this path with anything at all. */
async function open(
  bench: Bench,
  args: string[],
  address: Callable,
  { path, where = {} }: { readonly path: string; readonly where?: Where },
) {
  const child = spawn(process.execPath, args, { ...where, stdio: ['ignore', 'pipe', 'pipe'] })
  const log = createWriteStream(`${await bench.folder()}/log`)
  let said = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (text: Buffer) => {
      said = `${said}${text}`.slice(-2_000)
      log.write(text)
    })
  }
  const server = { ...address, stop: () => end(child) }
  bench.atEnd(server.stop)
  for (let tries = 0; tries < 600; tries += 1) {
    if (child.exitCode !== null) throw new Error(`${args[0]} ended with ${child.exitCode}: ${said}`)
    const answer = await fetch(`http://127.0.0.1:${address.port}${path}`).catch(() => undefined)
    await answer?.arrayBuffer()
    if (answer) return server
    await delay(200)
  }
  throw new Error(`${args[0]} did not answer: ${said}`)
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const gone = new Promise((resolve) => child.once('exit', resolve))
  child.kill('SIGTERM')
  await Promise.race([gone, delay(5_000, undefined, { ref: false })])
  if (child.exitCode === null && child.signalCode === null) child.kill('SIGKILL')
  await gone
}

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const address = server.address()
      server.close(() => resolve(typeof address === 'object' && address ? address.port : 0))
    })
  })
}
