/**
 * Kills `dragoman backup` at random moments beside a hub under load, and `dragoman move` to
 * PostgreSQL. After each kill a backup is whole or not there: every one that is listed restores,
 * and the check finds nothing. A database that a killed move was filling is opened by no hub, and
 * the next run ends with every row.
 */
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { backupsIn, restore } from '../../packages/server/src/commands/commands.ts'
import { readConfig } from '../../packages/server/src/config/config.ts'
import { checkHub } from '../../packages/server/src/domain/operations/integrity/check.ts'
import { closeHub, openHub } from '../../packages/server/src/hub.ts'
import { openLog } from '../../packages/server/src/process/log.ts'
import { openDatabase } from '../../packages/server/src/store/open-database.ts'
import {
  allRows,
  type EmptyPlace,
  emptyPlace,
  type KeptFile,
  lostRows,
  startAt,
  startLoad,
} from '../copied-hub.ts'
import { type DatabaseKind, type Env, spawnProgram } from '../hub.ts'
import { until } from '../hub-place.ts'
import { chanceOf } from './hostile-texts.ts'
import { type Counter, openTally, type Tally } from './tally.ts'

/** How many of the files that the hub acknowledged last are looked for; the check reads all. */
const sample = 20

export type Kills = { readonly kills: number; readonly seed: number; readonly postgresUrl: string }

export async function killBackups(
  database: DatabaseKind,
  { kills, seed, postgresUrl }: Kills,
): Promise<Tally> {
  const tally = openTally(`dragoman backup killed, ${database}`)
  const random = chanceOf(seed)
  const place = await emptyPlace(database, undefined, postgresUrl)
  const to = join(place.folder, 'backups')
  const server = await startAt(place.env)
  const load = startLoad(() => server.url)
  const seen = new Set<string>()
  /** Runs the command, and looks at every backup that was not there before. */
  const attempt = async (keep: number, killAfter?: number) => {
    const before = load.kept.slice(-sample)
    const ended = await run(place.env, ['backup', '--to', to, '--keep', String(keep)], killAfter)
    for (const { id } of await backupsIn(to)) {
      if (seen.has(id)) continue
      seen.add(id)
      await lookAtBackup(tally, { database, to, id, place, postgresUrl }, before)
    }
    return ended
  }
  try {
    const { took: usual } = await attempt(3)
    let killed = 0
    for (let at = 0; at < kills; at += 1) {
      tally.round()
      const { code } = await attempt(3, ((at + random()) / kills) * usual * 1.1)
      killed += code === null ? 1 : 0
    }
    const last = await attempt(1)
    if (last.code !== 0) tally.lost(`the undisturbed backup ended with ${last.code}: ${last.err}`)
    const left = (await backupsIn(to)).length
    if (left !== 1) tally.leaked(`${left} backups are left of --keep 1`)
    tally.figure(`${killed} killed, ${seen.size} whole, ${load.count()} jobs meanwhile`)
  } finally {
    await load.stop().catch((error: Error) => tally.lost(`the load failed: ${error.message}`))
    await server.close()
    await place.clear()
  }
  return tally.end()
}

const databaseOf = ({ env }: EmptyPlace): string =>
  env.DRAGOMAN_DATABASE_URL ?? `sqlite:${join(env.DRAGOMAN_DATA ?? '', 'dragoman.db')}`

type Found = {
  readonly database: DatabaseKind
  readonly to: string
  readonly id: string
  readonly place: EmptyPlace
  readonly postgresUrl: string
}

async function lookAtBackup(
  tally: Counter,
  { database, to, id, place, postgresUrl }: Found,
  files: readonly KeptFile[],
) {
  const empty = await emptyPlace(database, place.env.DRAGOMAN_MASTER_KEY, postgresUrl)
  try {
    const { check } = await restore(empty.env, { from: to, backupId: id })
    for (const { what, says } of check.findings) tally.lost(`backup ${id}: ${what}: ${says}`)
    for (const file of await lostRows(databaseOf(empty), files))
      tally.lost(`backup ${id}: the file ${file}`)
  } catch (error) {
    tally.lost(`backup ${id} cannot be restored: ${(error as Error).message}`)
  } finally {
    await empty.clear()
  }
}

export async function killMoves({ kills, seed, postgresUrl }: Kills): Promise<Tally> {
  const tally = openTally('dragoman move killed')
  const random = chanceOf(seed)
  const source = await emptyPlace('sqlite', undefined, postgresUrl)
  try {
    const server = await startAt(source.env)
    const load = startLoad(() => server.url)
    await until('some load', () => load.count() >= 9)
    await load.stop()
    await server.close()
    const db = await openDatabase(databaseOf(source))
    const rows = await allRows(db, changed)
    await db.close()
    const plan = { source, rows, files: load.kept.slice(-sample), postgresUrl }
    // The first one is not killed, and shows how long it takes.
    const usual = await moveOnce(tally, plan, [])
    let killed = 0
    while (killed < kills) {
      tally.round()
      const many = Math.min(kills - killed, 1 + Math.floor(random() * 3))
      await moveOnce(
        tally,
        plan,
        Array.from({ length: many }, () => random() * usual),
      )
      killed += many
    }
    tally.figure(`${killed} killed`)
  } finally {
    await source.clear()
  }
  return tally.end()
}

/** Tables that a move changes itself. */
const changed = ['audit', 'chains', 'nodes', 'hub_state']

type Plan = {
  readonly source: EmptyPlace
  readonly rows: Record<string, string[]>
  readonly files: readonly KeptFile[]
  readonly postgresUrl: string
}

/** Killed at each of these moments, then left alone. Returns how long the last run took. */
async function moveOnce(tally: Counter, plan: Plan, moments: readonly number[]): Promise<number> {
  const { source, rows, files, postgresUrl } = plan
  const target = await emptyPlace('postgres', source.env.DRAGOMAN_MASTER_KEY, postgresUrl)
  const to = target.env.DRAGOMAN_DATABASE_URL ?? ''
  const blobs = join(target.folder, 'files')
  const env = { ...target.env, DRAGOMAN_BLOBS_URL: `file:${blobs}` }
  const args = ['move', '--to', to, '--blobs', blobs]
  let took = 0
  try {
    let isWhole = false
    for (const moment of [...moments, undefined]) {
      if (isWhole) break
      const ended = await run(source.env, args, moment)
      took = ended.took
      isWhole = ended.code === 0 || (await opens(tally, env, to))
      if (moment === undefined && ended.code !== 0)
        tally.lost(`the move ended with ${ended.code}: ${ended.err}`)
    }
    if (moments.length === 0) return took
    const db = await openDatabase(to)
    const arrived = await allRows(db, changed)
    await db.close()
    for (const [table, wanted] of Object.entries(rows))
      if (JSON.stringify(arrived[table]) !== JSON.stringify(wanted))
        tally.lost(`the rows of ${table} differ`)
    for (const file of await lostRows(to, files)) tally.lost(`the file ${file}`)
    const hub = await openHub(readConfig(env), { as: 'tool', log: openLog('silent') })
    for (const { what, says } of (await checkHub(hub)).findings)
      tally.lost(`after the move: ${what}: ${says}`)
    await closeHub(hub)
  } catch (error) {
    tally.lost(`the move does not come to its end: ${(error as Error).message}`)
  } finally {
    await target.clear()
    rmSync(blobs, { recursive: true, force: true })
  }
  return took
}

/**
 * Whether the killed move had come to its end. A database without any table is as good as
 * untouched.
 */
async function opens(tally: Counter, env: Env, to: string): Promise<boolean> {
  const db = await openDatabase(to)
  const tables = Object.keys(await allRows(db))
  await db.close()
  if (tables.length === 0) return false
  try {
    const hub = await openHub(readConfig(env), { as: 'tool', log: openLog('silent') })
    await closeHub(hub)
    return true
  } catch (error) {
    if (!/a move to it was interrupted/.test((error as Error).message))
      tally.found(`a half moved database says: ${(error as Error).message}`)
    return false
  }
}

/** Killed after this many milliseconds. */
async function run(env: Env, args: readonly string[], killAfter?: number) {
  const begun = performance.now()
  const program = spawnProgram(args, env)
  const timer =
    killAfter === undefined ? undefined : setTimeout(() => program.signal('SIGKILL'), killAfter)
  const { code } = await program.exited
  clearTimeout(timer)
  return { code, err: program.stderr(), took: performance.now() - begun }
}
