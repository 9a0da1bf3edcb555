/**
 * Copies a PostgreSQL database with pg_dump, and puts a copy into an empty one with pg_restore, in
 * one transaction. A snapshot is shared with pg_dump, so that the reader sees exactly the rows that
 * it writes.
 */
import { spawn } from 'node:child_process'
import type { Readable, Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { sql } from 'kysely'
import type { DatabaseCopy, Db } from '../database.ts'
import { Refusal } from '../refusal.ts'

export async function withPostgresCopy<T>(
  db: Db,
  url: string,
  work: (copy: DatabaseCopy) => Promise<T>,
): Promise<T> {
  return db.transaction().execute(async (tx) => {
    await sql`set transaction isolation level repeatable read, read only`.execute(tx)
    // The transaction is idle while pg_dump works.
    await sql`set local idle_in_transaction_session_timeout = 0`.execute(tx)
    const { rows } = await sql<{ id: string }>`select pg_export_snapshot() as id`.execute(tx)
    return work({ format: 'PostgreSQL', rows: tx, bytes: () => dump(url, rows[0]?.id ?? '') })
  })
}

async function* dump(url: string, snapshot: string): AsyncGenerator<Uint8Array> {
  const options = ['--format=custom', '--no-owner', '--no-privileges', `--snapshot=${snapshot}`]
  const program = start('pg_dump', url, options)
  try {
    program.stdin.end()
    yield* program.stdout as AsyncIterable<Uint8Array>
    await program.ended
  } finally {
    program.stop()
  }
}

export async function fillPostgres(url: string, bytes: AsyncIterable<Uint8Array>): Promise<void> {
  const options = ['--single-transaction', '--exit-on-error', '--no-owner', '--no-privileges']
  const program = start('pg_restore', url, options)
  program.stdout.resume()
  const sent = pipeline(bytes, program.stdin).catch((error: NodeJS.ErrnoException) => {
    // The program ended first; it says why itself.
    if (error.code === 'EPIPE') return
    program.stop()
    throw error
  })
  const [sending, ending] = await Promise.allSettled([sent, program.ended])
  for (const end of [sending, ending]) if (end.status === 'rejected') throw end.reason
}

/** Throws if the program cannot be started: before anything is changed. */
export async function mustHaveProgram(name: 'pg_dump' | 'pg_restore'): Promise<void> {
  const program = start(name, undefined, ['--version'])
  program.stdin.end()
  program.stdout.resume()
  await program.ended
}

type Program = {
  readonly stdin: Writable
  readonly stdout: Readable
  /** Rejects with what the program said if it fails. */
  readonly ended: Promise<void>
  stop(): void
}

function start(
  name: 'pg_dump' | 'pg_restore',
  url: string | undefined,
  options: readonly string[],
): Program {
  const { address, password } = withoutPassword(url ?? '')
  const child = spawn(name, url === undefined ? options : [...options, `--dbname=${address}`], {
    // Other users of the machine can read the arguments of a process, but not its environment.
    env: { ...process.env, ...(password && { PGPASSWORD: password }) },
    stdio: ['pipe', 'pipe', 'pipe'],
  })
  let said = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    said = (said + text).slice(-2_000)
  })
  child.stdin.on('error', () => {})
  const ended = new Promise<void>((resolve, reject) => {
    child.once('error', (error: NodeJS.ErrnoException) =>
      reject(error.code === 'ENOENT' ? new Refusal(notFound(name)) : error),
    )
    child.once('close', (code) => {
      if (code === 0) resolve()
      else
        reject(
          new Refusal(
            `${name} failed: ${said.trim().split('\n').join(' ') || `exit code ${code}`}`,
          ),
        )
    })
  })
  ended.catch(() => {})
  return { stdin: child.stdin, stdout: child.stdout, ended, stop: () => child.kill() }
}

const notFound = (name: string): string =>
  `${name} was not found. Install the client programs of PostgreSQL (Debian: postgresql-client), of the server's version or newer, or copy the database with the tools of your PostgreSQL service.`

/** The URL for a command line, and its password. Not parsed as a URL: it may name several hosts. */
function withoutPassword(url: string): { address: string; password?: string } {
  const from = url.indexOf('://') + 3
  const end = [...url.slice(from)].findIndex((letter) => letter === '/' || letter === '?')
  const authority = end < 0 ? url.slice(from) : url.slice(from, from + end)
  const at = authority.lastIndexOf('@')
  const colon = authority.indexOf(':')
  if (at < 0 || colon < 0 || colon > at) return { address: url }
  const address = url.slice(0, from + colon) + url.slice(from + at)
  return { address, password: decodeURIComponent(authority.slice(colon + 1, at)) }
}
