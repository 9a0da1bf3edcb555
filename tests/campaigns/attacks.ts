/**
 * The attacks on a hub, one after another; each returns a tally that must have no findings. The
 * command runs them in full, `npm test` a sample of each. A new attack is a function (hub, plan,
 * tally) and a row here. (The growth of readers needs no hub: scanner-growth.ts.)
 */
import type { Env } from '../hub.ts'
import type { AttackedHub } from './attacked-hub.ts'
import { attackByPeople } from './break-ins.ts'
import { fuzzDoors } from './door-fuzz.ts'
import { callEveryEndpoint } from './every-endpoint.ts'
import { answerHostilely } from './hostile-answers.ts'
import { attackByContent } from './hostile-content.ts'
import { attackWalls } from './isolation.ts'
import { sendLargestBodies } from './largest-bodies.ts'
import { sendMostItems } from './most-items.ts'
import { fuzzBySchema } from './schema-fuzz.ts'
import { fuzzSoap } from './soap-fuzz.ts'
import { type Counter, openTally, stalled, type Tally } from './tally.ts'
import { fuzzTransfers } from './transfer-fuzz.ts'

export type AttackPlan = {
  /** Number of calls of the schema fuzz; other attacks scale with it. */
  readonly calls: number
  readonly seed: number
  /** Called with each finding at once: a campaign may be stopped before its end. */
  readonly tell?: (finding: string) => void
  /** Called with each call of the attacks that judge calls one by one. */
  readonly each?: (line: string) => void
}
export type Attack = {
  readonly name: string
  /** The longest time that the hub's event loop may be blocked, in ms. */
  readonly maxStallMs: number
  /** It judges the stalls itself, call by call. */
  readonly judgesStalls?: true
  /** MB above the idle hub. */
  readonly maxAboveMb: number
  /** What the hub of the campaign needs besides. */
  readonly env?: Env
  /** The test in `npm test` that runs it in full. */
  readonly wholeIn?: string
  readonly run: (
    hub: AttackedHub,
    plan: AttackPlan & { readonly maxStallMs: number },
    tally: Counter,
  ) => Promise<void>
}

export const attacks: readonly Attack[] = [
  { name: 'schema fuzz', maxStallMs: 500, maxAboveMb: 256, run: fuzzBySchema },
  { name: 'transfer fuzz', maxStallMs: 500, maxAboveMb: 256, run: fuzzTransfers },
  {
    name: 'soap fuzz',
    maxStallMs: 500,
    maxAboveMb: 256,
    run: (hub, { calls, seed }, tally) =>
      fuzzSoap(hub, { calls: Math.ceil(calls / 4), seed }, tally),
  },
  {
    name: 'door fuzz',
    maxStallMs: 500,
    maxAboveMb: 256,
    run: (hub, { calls, seed }, tally) =>
      fuzzDoors(hub, { calls: Math.ceil(calls / 4), seed }, tally),
  },
  {
    name: 'largest bodies',
    maxStallMs: 250,
    judgesStalls: true,
    maxAboveMb: 256,
    run: sendLargestBodies,
  },
  {
    name: 'most items',
    maxStallMs: 200,
    judgesStalls: true,
    maxAboveMb: 900,
    env: { NODE_OPTIONS: '--max-old-space-size=512' },
    run: sendMostItems,
  },
  {
    name: 'every endpoint at a full site',
    maxStallMs: 200,
    judgesStalls: true,
    maxAboveMb: 900,
    env: { NODE_OPTIONS: '--max-old-space-size=512' },
    run: callEveryEndpoint,
  },
  { name: 'hostile content', maxStallMs: 250, maxAboveMb: 500, run: attackByContent },
  {
    name: 'hostile answers',
    maxStallMs: 500,
    maxAboveMb: 600,
    env: { NODE_OPTIONS: '--max-old-space-size=512' },
    run: answerHostilely,
  },
  {
    name: 'walls between sites',
    maxStallMs: 500,
    maxAboveMb: 256,
    run: attackWalls,
    wholeIn: 'tests/spec/sites.test.ts',
  },
  {
    name: 'break-ins',
    maxStallMs: 500,
    maxAboveMb: 256,
    run: attackByPeople,
    wholeIn: 'tests/break-ins.test.ts',
  },
]

export const isStall = (finding: string): boolean => finding.includes(stalled)

/** Runs one attack and watches the hub: stalls, memory, death and damage also count. */
export async function runAttack(
  hub: AttackedHub,
  attack: Attack,
  plan: AttackPlan,
): Promise<Tally> {
  const tally = openTally(`${attack.name} on ${hub.database}`, plan.tell)
  const watch = hub.watch()
  try {
    await attack.run(hub, { ...plan, maxStallMs: attack.maxStallMs }, tally)
  } finally {
    await watch.stop()
  }
  const { stallMs, aboveMb, silent } = watch.look()
  tally.figure(`longest stall ${stallMs.toFixed(0)} ms, ${aboveMb.toFixed(0)} MB above idle`)
  if (silent) tally.found('the hub stopped answering')
  if (stallMs > attack.maxStallMs && !attack.judgesStalls)
    tally.found(`${stalled} ${stallMs.toFixed(0)} ms; at most ${attack.maxStallMs}`)
  if (aboveMb > attack.maxAboveMb)
    tally.found(`${aboveMb.toFixed(0)} MB above the idle hub; at most ${attack.maxAboveMb}`)
  for (const says of await hub.damage()) tally.found(says)
  return tally.end()
}
