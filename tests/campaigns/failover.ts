/**
 * The primary of PostgreSQL is killed under load, its synchronous standby promoted, and the dead
 * server rebuilt as the next standby, again and again. Two hubs with both hosts in their URL go on
 * by themselves: nothing that they acknowledged is lost or done twice, and until then they say 503.
 */
import { randomInt } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { readConfig } from '../../packages/server/src/config/config.ts'
import { closeHub, type Hub, openHub } from '../../packages/server/src/hub.ts'
import { openLog } from '../../packages/server/src/process/log.ts'
import type { Env } from '../hub.ts'
import { until } from '../hub-place.ts'
import { type JobWalk, type Refused, walkJobs } from './job-walk.ts'
import type { PostgresPair } from './postgres-pair.ts'
import { openRoundClient } from './round-client.ts'
import { type Baseline, holdAgainst, tasksOf } from './round-laws.ts'
import { openReceiver, type Receiver } from './round-receiver.ts'
import { goRound, removeListeners } from './round-steps.ts'
import { newMasterKey, type SteadyHub, startSteadyHub } from './steady-hub.ts'
import { type Counter, findingsOf, openTally, type Tally } from './tally.ts'

export type FailoverPlan = {
  readonly kills: number
  readonly clients: number
  readonly say?: (line: string) => void
}
/** `rounds` counts the kills. */
export type FailoverTally = Tally & { readonly acknowledged: number; readonly wholeRounds: number }

/** As long as the rebuilding of a standby may take on a busy machine. */
const patienceMs = 120_000
/** 50 ms apart. */
const tries = patienceMs / 50

export async function failOver(pair: PostgresPair, plan: FailoverPlan): Promise<FailoverTally> {
  const tally = openTally('the primary killed, the standby promoted')
  const folder = mkdtempSync(join(tmpdir(), 'dragoman-failover-'))
  const receiver = await openReceiver()
  const nodes: SteadyHub[] = []
  let inner: Hub | undefined
  try {
    const env: Env = {
      DRAGOMAN_PROFILE: 'sandbox',
      DRAGOMAN_DATABASE_URL: await pair.createDatabase(),
      DRAGOMAN_BLOBS_URL: `file:${folder}`,
      DRAGOMAN_MASTER_KEY: newMasterKey(),
    }
    for (const _ of [1, 2]) nodes.push(await startSteadyHub(env))
    inner = await openHub(readConfig(env), { as: 'tool', log: openLog('silent') })
    const rounds = openRounds(nodes, inner, receiver, tally)
    await rounds.first()
    const walk = walkJobs(turns(nodes), 'walked', {
      clients: plan.clients,
      refused: mustSayBusy(tally),
    })
    const going = rounds.go()
    const seconds: number[] = []
    for (let kill = 1; kill <= plan.kills; kill += 1) {
      seconds.push(await killOnce(pair, nodes, walk, tally))
      tally.round()
      plan.say?.(
        `kill ${kill}: back after ${seconds.at(-1)?.toFixed(2)} s, ${walk.acknowledged()} acknowledged`,
      )
    }
    await walk.end()
    await rounds.end(going)
    await walk.hold(tally)
    const found = await nodes[0]?.check()
    if (found) tally.leaked(`dragoman check: ${found}`)
    const [median = 0, longest = 0] = [
      seconds.sort((a, b) => a - b)[seconds.length >> 1],
      seconds.at(-1),
    ]
    tally.figure(`${walk.acknowledged()} calls and ${rounds.count()} rounds acknowledged`)
    tally.figure(
      `back after ${median.toFixed(2)} s (median), ${longest.toFixed(2)} s (longest) from the promotion`,
    )
    tally.figure(`load ${loadavg()[0]?.toFixed(1)}`)
    return { ...tally.end(), acknowledged: walk.acknowledged(), wholeRounds: rounds.count() }
  } finally {
    if (inner) await closeHub(inner)
    for (const node of nodes) await node.close()
    await receiver.close()
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Returns the seconds from the promotion to the first acknowledged write. */
async function killOnce(
  pair: PostgresPair,
  nodes: readonly SteadyHub[],
  walk: JobWalk,
  tally: Counter,
): Promise<number> {
  const before = walk.written()
  await until('the hubs are busy', () => walk.written() > before + 20, patienceMs)
  // Any moment of a round.
  await delay(randomInt(1_500))
  await pair.kill()
  for (const { url } of nodes)
    await until('the hub says that it is not ready', async () => {
      const { status, headers } = await fetch(`${url}/readyz`)
      if (status === 503 && !headers.has('retry-after')) tally.found('/readyz gives no Retry-After')
      return status === 503
    })
  const written = walk.written()
  const begun = performance.now()
  await pair.promote()
  await until('the hubs take writes', () => walk.written() > written, patienceMs)
  const seconds = (performance.now() - begun) / 1000
  await pair.rebuild()
  return seconds
}

const turns = (nodes: readonly SteadyHub[]): (() => string) => {
  let turn = 0
  return () => {
    turn += 1
    return nodes[turn % nodes.length]?.url ?? ''
  }
}

/** While the database is away, every call is answered with 503 and when to try again. */
const mustSayBusy =
  (tally: Counter) =>
  ({ call, status, headers, text }: Refused): void => {
    const isBusy = status === 503 && headers?.has('retry-after')
    const stillRuns = status === 409 && text.includes('IDEMPOTENCY_IN_PROGRESS')
    if (!isBusy && !stillRuns) tally.found(`${call.method} ${call.path}: ${status} ${text}`)
  }

/** Whole rounds of one connector, one after another, each held against the laws. */
function openRounds(nodes: readonly SteadyHub[], inner: Hub, receiver: Receiver, tally: Counter) {
  const client = openRoundClient({
    url: turns(nodes),
    tries,
    hasDied: () => false,
    recover: async () => {
      throw new Error('A call got no answer, and no hub was killed.')
    },
  })
  let [count, isOver] = [0, false]
  let baseline: Baseline | undefined

  const one = async (): Promise<void> => {
    const ledger = await goRound(client, receiver.url, `round ${count}`)
    await whileAway(inner, () =>
      until(
        'the end of its tasks',
        async () => (await tasksOf(inner.db.read, ledger.jobId)).length === 0,
        patienceMs,
      ),
    )
    baseline = await whileAway(inner, async () => {
      const mine = openTally('')
      const seen = await holdAgainst(inner, ledger, receiver, mine, baseline)
      const { lost, doubled, leaked } = mine.end()
      for (const says of lost) tally.lost(says)
      for (const says of doubled) tally.doubled(says)
      for (const says of leaked) tally.leaked(says)
      return baseline ?? seen
    })
    await removeListeners(client, ledger.listeners)
    count += 1
  }
  return {
    count: () => count,
    /** Without a fault: later ones are compared with it. */
    first: async () => {
      await one()
      const found = findingsOf(tally.end())
      if (found.length > 0)
        throw new Error(`The round does not even hold without a fault: ${found.join('; ')}`)
    },
    go: async () => {
      try {
        while (!isOver) await one()
      } catch (error) {
        tally.lost(`round ${count} did not end: ${error}`)
      }
    },
    end: async (going: Promise<void>) => {
      isOver = true
      await going
    },
  }
}

/** Looks again as long as the database is away. */
async function whileAway<T>({ db }: Hub, look: () => Promise<T>): Promise<T> {
  for (let tried = 0; ; tried += 1) {
    try {
      return await look()
    } catch (error) {
      if (tried >= tries || !db.isBusy(error)) throw error
      await delay(50)
    }
  }
}
