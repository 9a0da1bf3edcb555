/**
 * The rounds of a certification: one without a fault, then one per scenario. During a round the
 * hub's clock is advanced past any delay that the fault causes, so you never wait a real day.
 */

import { plain, type Round } from '@dragoman/certify'
import { addDuration, parseDuration } from '@dragoman/contract/wire'
import type { RunConnector } from './run-connector.ts'
import type { Sandbox, Scenario } from './sandbox.ts'

const noFault: Scenario = { ...plain, on: 'call' }
/**
 * How often to check whether the fault has acted; the pause between two moves of the clock, and the
 * maximum number of moves.
 */
const lookMs = 400
const moveMs = 3_000
const maxMoves = 6
/**
 * The clock moves from one due task to the next, with calls in between: if a move is shorter than a
 * token's lifetime, no token expires twice during one call. A delay of a day is shortened to this.
 */
const longestMove = '45m'
const longestBy = '80m'

export type Rounds = {
  readonly sandbox: Sandbox
  readonly client: string
  readonly run: RunConnector
  readonly scenarios: readonly string[]
  readonly told: (round: Round, said: string) => void
  readonly signal: AbortSignal
}

export async function makeRounds({
  sandbox,
  client,
  run,
  scenarios,
  told,
  signal,
}: Rounds): Promise<Round[]> {
  const chosen = [noFault, ...sandbox.scenarios.filter(({ name }) => scenarios.includes(name))]
  const rounds: Round[] = []
  const offset = await sandbox.offset()
  try {
    for (const scenario of chosen) {
      const { round, said } = await makeRound({ sandbox, client, run, signal }, scenario)
      rounds.push(round)
      told(round, said)
    }
  } finally {
    await sandbox.disarm().catch(() => {})
    // A connector under development goes on in the same sandbox.
    await sandbox.restore(offset).catch(() => {})
  }
  return rounds
}

type RoundTools = {
  readonly sandbox: Sandbox
  readonly client: string
  readonly run: RunConnector
  readonly signal: AbortSignal
}

async function makeRound({ sandbox, client, run, signal }: RoundTools, scenario: Scenario) {
  signal.throwIfAborted()
  await sandbox.disarm()
  const mark = await sandbox.mark()
  const acted =
    scenario === noFault
      ? async () => 0
      : await sandbox.arm(scenario.name, client, notLonger(scenario.by, longestBy))
  const running = run(scenario.name, () => sandbox.callsSince(mark, client), signal)
  const moving = moveClock(sandbox, scenario, acted, running.ended)
  const ended = await running.ended
  signal.throwIfAborted()
  await moving
  const round: Round = {
    scenario: scenario.name,
    says: scenario.says,
    goodConnector: scenario.goodConnector,
    calls: await sandbox.callsSince(mark, client),
    deliveries: await sandbox.deliveriesSince(mark),
    acted: await acted(),
    ended,
  }
  return { round, said: running.said() }
}

function notLonger(by: string | undefined, most: string): string | undefined {
  const given = by === undefined ? undefined : parseDuration(by)
  const limit = parseDuration(most)
  return given && limit && addDuration(0, given) > addDuration(0, limit) ? most : by
}

/** Advances the clock once the connector has had a moment to see that nothing is there yet. */
async function moveClock(
  sandbox: Sandbox,
  { name, by }: Scenario,
  acted: () => Promise<number>,
  ended: Promise<unknown>,
): Promise<void> {
  const step = notLonger(by ?? (name === 'late-deliveries' ? '10m' : undefined), longestMove)
  if (step === undefined) return
  let over = false
  const end = ended.then(() => {
    over = true
  })
  for (let moves = 0; !over && moves < maxMoves; ) {
    let timer: NodeJS.Timeout | undefined
    const pause = new Promise((next) => {
      timer = setTimeout(next, moves === 0 ? lookMs : moveMs)
    })
    await Promise.race([end, pause])
    clearTimeout(timer)
    if (over || (await acted()) === 0) continue
    await sandbox.advance(step)
    moves += 1
  }
}
