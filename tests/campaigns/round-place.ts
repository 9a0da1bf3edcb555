/**
 * Where a round runs: on SQLite one hub that is restarted after its death, on PostgreSQL two, of
 * which one dies and the other continues. Stores and the clock outlive every process.
 */
import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { inject } from 'vitest'
import { readConfig } from '../../packages/server/src/config/config.ts'
import { closeHub, type Hub, openHub } from '../../packages/server/src/hub.ts'
import { openLog } from '../../packages/server/src/process/log.ts'
import { runCheck } from '../faults/file-client.ts'
import type { DatabaseKind, Env } from '../hub.ts'
import { cloneMigrated } from '../migrated.ts'
import { usePostgres } from '../postgres.ts'
import { type FaultNode, startFaultNode } from './round-node.ts'

export type RoundPlace = {
  readonly database: DatabaseKind
  /** The same stores, for inspection. */
  readonly inner: Hub
  /** The points of its very first start. */
  readonly startPoints: readonly string[]
  /** The URL of the current node. */
  url(): string
  /**
   * Arms the current node: it counts from here, and dies at this point. With `alone` no other node
   * takes its work.
   */
  arm(point?: string, options?: { alone?: boolean }): Promise<void>
  /** The points that the current node has passed since. */
  passed(): Promise<string[]>
  /** Whether a node has died since it was armed. */
  hasDied(): boolean
  /** After a call without a response: waits for the death and for a node that answers. */
  recover(): Promise<void>
  /** All nodes run again, and none is armed. */
  mend(): Promise<void>
  /** The findings of `dragoman check`; empty if nothing is damaged. */
  check(): Promise<string>
  said(): string
  close(): Promise<void>
}

/**
 * Its first process creates the tables if it `isNew`. With `faultAt` that process dies there, and
 * is restarted.
 */
export async function openRoundPlace(
  database: DatabaseKind,
  {
    isNew = false,
    faultAt,
    env: more,
  }: { isNew?: boolean; faultAt?: string; env?: Env | undefined } = {},
): Promise<RoundPlace> {
  const folder = mkdtempSync(join(tmpdir(), 'dragoman-round-'))
  const postgres = usePostgres(inject('postgresUrl'))
  const onPostgres = () => (isNew ? postgres.createDatabase() : cloneMigrated())
  const databaseUrl = database === 'postgres' ? await onPostgres() : undefined
  const env: Env = {
    DRAGOMAN_PROFILE: 'sandbox',
    DRAGOMAN_PORT: '0',
    DRAGOMAN_DATA: join(folder, 'data'),
    DRAGOMAN_LOG_LEVEL: 'warn',
    ...more,
    ...(databaseUrl && {
      DRAGOMAN_DATABASE_URL: databaseUrl,
      DRAGOMAN_MASTER_KEY: randomBytes(32).toString('hex'),
    }),
  }
  const many = databaseUrl ? 2 : 1
  const nodes: FaultNode[] = []
  let inner: Hub | undefined
  let current = 0
  let deaths = 0
  let still: FaultNode | undefined

  const start = async (at: number): Promise<void> => {
    const node = await startFaultNode(env)
    if (!node) throw new Error('The hub died though nothing was armed.')
    nodes[at] = node
  }
  const nodeAt = (at: number): FaultNode => {
    const node = nodes[at % nodes.length]
    if (!node) throw new Error('There is no node.')
    return node
  }
  const goOn = () => {
    still?.signal('SIGCONT')
    still = undefined
  }
  const close = async () => {
    if (inner) await closeHub(inner)
    for (const node of nodes) await node.close()
    if (databaseUrl) await postgres.dropDatabase(databaseUrl)
    rmSync(folder, { recursive: true, force: true })
  }

  try {
    const first = faultAt ? await startFaultNode(env, faultAt) : undefined
    if (first) nodes[0] = first
    else await start(0)
    const startPoints = await nodeAt(0).passed()
    for (let at = 1; at < many; at += 1) await start(at)
    inner = await openHub(readConfig(env), { as: 'tool', log: openLog('silent') })
    return {
      database,
      inner,
      startPoints,
      url: () => nodeAt(current).url,
      arm: async (point, { alone = false } = {}) => {
        deaths = 0
        if (alone && nodes.length > 1) {
          still = nodeAt(current + 1)
          still.signal('SIGSTOP')
        }
        await nodeAt(current).arm(point)
      },
      passed: () => nodeAt(current).passed(),
      hasDied: () => deaths > 0,
      recover: async () => {
        const victim = nodeAt(current)
        const died = await Promise.race([
          victim.exited,
          new Promise<undefined>((late) => setTimeout(late, 10_000)),
        ])
        if (!died) throw new Error('A call got no answer, and the hub lives.')
        if (died.signal !== 'SIGKILL')
          throw new Error(`The hub ended by itself: ${JSON.stringify(died)} ${victim.said()}`)
        deaths += 1
        goOn()
        if (nodes.length === 1) await start(0)
        else current += 1
      },
      mend: async () => {
        goOn()
        for (const [at, node] of nodes.entries()) if (!node.isAlive()) await start(at)
        await nodeAt(current).arm()
      },
      check: async () => {
        const { code, out, err } = await runCheck(env)
        return code === 0 ? '' : `${out}${err}`.trim() || `exit code ${code}`
      },
      said: () => nodes.map((node) => node.said()).join('\n'),
      close,
    }
  } catch (error) {
    await close()
    throw error
  }
}
