/**
 * Where jobs are walked over: one node on SQLite, two on PostgreSQL, which take the calls in turn.
 * A node that is armed dies; another one continues, or takes its place.
 */
import { randomBytes } from 'node:crypto'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { inject } from 'vitest'
import { readConfig } from '../../../packages/server/src/config/config.ts'
import { closeHub, type Hub, openHub } from '../../../packages/server/src/hub.ts'
import { openLog } from '../../../packages/server/src/process/log.ts'
import type { DatabaseKind, Env } from '../../hub.ts'
import { cloneMigrated, copyMigrated } from '../../migrated.ts'
import { usePostgres } from '../../postgres.ts'
import { quickFolder } from '../../quick-folder.ts'
import { type Callers, openCallers, sendTo } from './callers.ts'
import type { StartNode, WalkNode } from './node.ts'

export type WalkPlace = {
  readonly database: DatabaseKind
  /** The same stores, to look at rows. */
  readonly inner: Hub
  readonly callers: Callers
  readonly providerId: string
  /** The node of the next calls dies at this point from now on, unless `mend` comes first. */
  arm(points: number): Promise<void>
  /** None is armed any more, and all run. Returns whether one died. */
  mend(): Promise<boolean>
  advance(by: string): Promise<void>
  /**
   * Waits until no task of the job is left; returns what is, if something stays. A node that has
   * died may hold one.
   */
  settle(jobId: string, hasDied?: boolean): Promise<string | undefined>
  /** Gives what is due of the job a moment; it may wait for what only time brings. */
  rest(jobId: string): Promise<void>
  close(): Promise<void>
}

/** Longer than the lease of a task. */
const leaseOver = '21s'

export async function openPlace(database: DatabaseKind, start: StartNode): Promise<WalkPlace> {
  const folder = quickFolder('dragoman-walk-')
  const postgres = usePostgres(inject('postgresUrl'))
  const databaseUrl = database === 'postgres' ? await cloneMigrated() : undefined
  const env: Env = {
    DRAGOMAN_PROFILE: 'sandbox',
    DRAGOMAN_PORT: '0',
    DRAGOMAN_DATA: join(folder, 'data'),
    DRAGOMAN_LOG_LEVEL: 'silent',
    DRAGOMAN_TOKEN_SECONDS: '86400',
    ...(databaseUrl && {
      DRAGOMAN_DATABASE_URL: databaseUrl,
      DRAGOMAN_MASTER_KEY: randomBytes(32).toString('hex'),
    }),
  }
  if (!databaseUrl) copyMigrated(join(folder, 'data', 'hub.db'))
  const nodes: WalkNode[] = []
  let inner: Hub | undefined
  let turn = 0
  let armed: WalkNode | undefined
  const close = async () => {
    if (inner) await closeHub(inner)
    for (const node of nodes) await node.close()
    if (databaseUrl) await postgres.dropDatabase(databaseUrl)
    rmSync(folder, { recursive: true, force: true })
  }
  try {
    for (let at = 0; at < (databaseUrl ? 2 : 1); at += 1) nodes.push(await start(env))
    const hub = await openHub(readConfig(env), { as: 'tool', log: openLog('silent') })
    inner = hub
    const nodeNow = (): WalkNode => {
      if (armed && !armed.isDead()) return armed
      const alive = nodes.filter((node) => !node.isDead())
      turn += 1
      return alive[turn % alive.length] ?? (nodes[0] as WalkNode)
    }
    const row = await hub.db.read
      .selectFrom('providers')
      .select('provider_id')
      .where('site_id', '=', 'demo')
      .where('type_id', '=', 'manual')
      .executeTakeFirstOrThrow()
    const providerId = row.provider_id
    const callers = await openCallers(
      () => hub,
      () => nodeNow().url,
      [providerId],
    )
    const clockOf = async (url: string): Promise<number> =>
      (await sendTo(new URL('/sandbox/clock', url), 'GET', undefined, {}))?.body?.offsetMs ?? 0
    const move = (url: string, by: string) =>
      sendTo(new URL('/sandbox/clock/advance', url), 'POST', JSON.stringify({ by }), {
        'content-type': 'application/json',
      })
    const advance = async (by: string): Promise<void> => {
      const first = nodeNow()
      const got = await move(first.url, by)
      if (got?.status !== 200) return
      const offset = await clockOf(first.url)
      for (const node of nodes) {
        if (node === first || node.isDead()) continue
        const behind = Math.round((offset - (await clockOf(node.url))) / 1000)
        if (behind > 0) await move(node.url, `${behind}s`)
      }
      hub.clock.setOffset(offset)
      callers.forget()
    }
    const tasksOf = (jobId: string) =>
      hub.db.read
        .selectFrom('tasks')
        .select(['name', 'last_error', 'parked'])
        .where('job_id', '=', jobId)
        .execute()
    return {
      database,
      inner: hub,
      callers,
      providerId,
      advance,
      arm: async (points) => {
        armed = nodeNow()
        await armed.arm(points)
      },
      mend: async () => {
        await armed?.arm(undefined)
        armed = undefined
        let died = false
        for (const [at, node] of nodes.entries()) {
          if (!node.isDead()) continue
          died = true
          await node.close()
          nodes[at] = await start(env)
        }
        if (died) hub.clock.setOffset(await clockOf(nodeNow().url))
        return died
      },
      settle: async (jobId, hasDied = false) => {
        for (let tries = 0; ; tries += 1) {
          const left = await tasksOf(jobId)
          const [first] = left
          if (!first) return undefined
          if (first.parked === 1 || tries > 4_000)
            return `${first.name}: ${first.last_error ?? 'it waits'}`
          // A dead node held it, or a try failed: time goes on.
          if (tries % 200 === (hasDied ? 30 : 199)) await advance(leaseOver)
          await delay(tries < 20 ? 1 : 5)
        }
      },
      rest: async (jobId) => {
        for (let tries = 0; tries < 40 && (await tasksOf(jobId)).length > 0; tries += 1)
          await delay(5)
      },
      close,
    }
  } catch (error) {
    await close()
    throw error
  }
}
