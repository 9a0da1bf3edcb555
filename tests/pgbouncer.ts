/** A real PgBouncer in transaction mode in front of a PostgreSQL, on a free loopback port. */
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { chown, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from './free-port.ts'
import { findOwner, untilReady } from './postgres.ts'

const program = '/usr/sbin/pgbouncer'
export const hasPgbouncer = existsSync(program)

export type Pgbouncer = {
  /** The same database, through PgBouncer. */
  urlOf(url: string): string
  stop(): Promise<void>
}

export async function startPgbouncer(postgresUrl: string): Promise<Pgbouncer> {
  const folder = await mkdtemp(join(tmpdir(), 'dragoman-pgbouncer-'))
  // It refuses to run as root.
  const owner = process.getuid?.() === 0 ? await findOwner() : undefined
  if (owner) await chown(folder, owner.uid, owner.gid)
  const { hostname, port: serverPort, username } = new URL(postgresUrl)
  const port = await freePort()
  const file = join(folder, 'pgbouncer.ini')
  await writeFile(
    file,
    `[databases]
* = host=${hostname} port=${serverPort} user=${username}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = any
pool_mode = transaction
default_pool_size = 12
; The next transaction gets another session than the last one, wherever there are two.
server_round_robin = 1
`,
  )
  const child = spawn(program, ['-q', file], { ...owner, cwd: folder, stdio: 'ignore' })
  const gone = new Promise((resolve) => child.once('exit', resolve))
  const urlOf = (url: string): string => Object.assign(new URL(url), { port: String(port) }).href
  const stop = async (): Promise<void> => {
    child.kill('SIGINT')
    const late = setTimeout(() => child.kill('SIGKILL'), 5_000)
    await gone
    clearTimeout(late)
    await rm(folder, { recursive: true, force: true })
  }
  try {
    await untilReady(urlOf(postgresUrl), child)
  } catch (error) {
    await stop()
    throw error
  }
  return { urlOf, stop }
}
