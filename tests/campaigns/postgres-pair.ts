/**
 * A primary and its synchronous standby, two real PostgreSQL servers on fixed loopback ports. The
 * primary can be killed, the standby promoted, and the dead server rebuilt as the new standby.
 */
import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { chown, mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import pg from 'pg'
import { freePort } from '../free-port.ts'
import { until } from '../hub-place.ts'
import { findBinaries, findOwner, untilReady } from '../postgres.ts'

export type PostgresPair = {
  /** A fresh database, with both hosts in its URL. */
  createDatabase(): Promise<string>
  /** A statement on the primary or the standby of now. */
  ask(which: 'primary' | 'standby', sql: string): Promise<Record<string, unknown>[]>
  /** SIGKILL for every process of the primary. */
  kill(): Promise<void>
  /** The standby becomes the primary; the dead server counts as the standby from here. */
  promote(): Promise<void>
  /** The dead server copies the primary and follows it; returns when commits wait for it again. */
  rebuild(): Promise<void>
  /** Stops or continues every process of a server. */
  signal(which: 'primary' | 'standby', signal: 'SIGSTOP' | 'SIGCONT'): void
  close(): Promise<void>
}

type Server = { readonly data: string; readonly port: number; process?: ChildProcess }

/**
 * Undefined if PostgreSQL is not installed. `durable: false` turns fsync off: quicker, and no power
 * is cut here.
 */
export async function startPair({ durable = true } = {}): Promise<PostgresPair | undefined> {
  const bin = await findBinaries()
  if (!bin) return undefined
  const folder = await mkdtemp(join(tmpdir(), 'dragoman-pair-'))
  // The server refuses to run as root.
  const owner = process.getuid?.() === 0 ? await findOwner() : undefined
  if (owner) await chown(folder, owner.uid, owner.gid)
  const as = { ...owner, cwd: folder }
  const run = (name: string, args: readonly string[]) =>
    promisify(execFile)(join(bin, name), args, as)
  const servers: Server[] = []
  for (const name of ['a', 'b']) servers.push({ data: join(folder, name), port: await freePort() })
  let [primary, standby] = servers as [Server, Server]

  const url = ({ port }: Server, database = 'postgres') =>
    `postgres://dragoman@127.0.0.1:${port}/${database}`
  const ask = async (
    server: Server,
    ...statements: string[]
  ): Promise<Record<string, unknown>[]> => {
    const client = new pg.Client(url(server))
    client.on('error', () => {})
    await client.connect()
    try {
      let rows: Record<string, unknown>[] = []
      for (const sql of statements) rows = (await client.query(sql)).rows
      return rows
    } finally {
      await client.end()
    }
  }
  const start = async (server: Server): Promise<void> => {
    const settings = [
      'listen_addresses=127.0.0.1',
      `unix_socket_directories=${folder}`,
      `fsync=${durable ? 'on' : 'off'}`,
      'synchronous_commit=on',
      'wal_keep_size=512MB',
      // In the data folder: a killed server leaves nothing in /dev/shm.
      'dynamic_shared_memory_type=mmap',
    ]
    const args = [
      '-D',
      server.data,
      '-p',
      String(server.port),
      ...settings.flatMap((setting) => ['-c', setting]),
    ]
    server.process = spawn(join(bin, 'postgres'), args, { ...as, stdio: 'ignore' })
    await untilReady(url(server), server.process)
  }
  const follow = async (): Promise<void> => {
    // The folder itself stays: its shared memory belongs to it.
    await mkdir(standby.data, { recursive: true, mode: 0o700 })
    if (owner) await chown(standby.data, owner.uid, owner.gid)
    for (const name of readdirSync(standby.data))
      rmSync(join(standby.data, name), { recursive: true })
    const from = ['-h', '127.0.0.1', '-p', String(primary.port), '-U', 'dragoman']
    await run('pg_basebackup', [
      ...from,
      '-D',
      standby.data,
      '-X',
      'stream',
      '-c',
      'fast',
      '-R',
      '-N',
    ])
    await start(standby)
    await untilStandby("state = 'streaming'")
    await ask(
      primary,
      "alter system set synchronous_standby_names = '*'",
      'select pg_reload_conf()',
    )
    await untilStandby("sync_state = 'sync'")
  }
  const untilStandby = (where: string) =>
    until(
      `a standby where ${where}`,
      async () =>
        (await ask(primary, `select 1 from pg_stat_replication where ${where}`)).length > 0,
      60_000,
    )
  const close = async (): Promise<void> => {
    for (const server of servers) await killAll(server)
    await rm(folder, { recursive: true, force: true })
  }

  try {
    await run('initdb', [
      '-D',
      primary.data,
      '-U',
      'dragoman',
      '-A',
      'trust',
      '-E',
      'UTF8',
      '--no-locale',
      '-N',
    ])
    await start(primary)
    await follow()
  } catch (error) {
    await close()
    throw error
  }
  return {
    createDatabase: async () => {
      const name = `dragoman_test_${randomBytes(6).toString('hex')}`
      await ask(primary, `create database ${name} template template0`)
      const hosts = servers.map(({ port }) => `127.0.0.1:${port}`).join(',')
      return `postgres://dragoman@${hosts}/${name}?target_session_attrs=read-write`
    },
    ask: (which, sql) => ask(which === 'primary' ? primary : standby, sql),
    kill: () => killAll(primary),
    promote: async () => {
      // Alone, it must not wait for a standby: what high-availability tools do when they promote.
      await ask(
        standby,
        "alter system set synchronous_standby_names = ''",
        'select pg_reload_conf()',
      )
      ;[primary, standby] = [standby, primary]
      await ask(primary, 'select pg_promote(true, 60)')
    },
    rebuild: async () => {
      await killAll(standby)
      await follow()
    },
    signal: (which, signal) => {
      signalAll(processesOf(which === 'primary' ? primary : standby), signal)
    },
    close,
  }
}

/** The postmaster and its children. */
function processesOf({ process: child }: Server): number[] {
  const pid = child?.pid ?? 0
  const path = `/proc/${pid}/task/${pid}/children`
  const children = existsSync(path)
    ? readFileSync(path, 'utf8').trim().split(' ').filter(Boolean).map(Number)
    : []
  return [pid, ...children]
}

function signalAll(pids: readonly number[], signal: NodeJS.Signals): void {
  for (const pid of pids) {
    try {
      process.kill(pid, signal)
    } catch {
      // It ended by itself a moment ago.
    }
  }
}

async function killAll(server: Server): Promise<void> {
  const child = server.process
  if (!child || child.exitCode !== null || child.signalCode !== null) return
  const all = processesOf(server)
  const gone = new Promise((resolve) => child.once('exit', resolve))
  signalAll(all, 'SIGKILL')
  await gone
  await until('every process of the server is gone', () => all.every((pid) => !isAlive(pid)))
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    // A zombie whose parent has not looked yet.
    return !/^\d+ \(.*\) Z/.test(readFileSync(`/proc/${pid}/stat`, 'utf8'))
  } catch {
    return false
  }
}
