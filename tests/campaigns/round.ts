/**
 * F1: the hub is killed at every fault point of the whole round, once per round, and the connector finishes. The points are not
 * listed anywhere: a round without a fault counts them, on the same stores.
 */
import type { EngineName, Env } from '../hub.ts'
import { openRoundClient } from './round-client.ts'
import { type Baseline, holdAgainst, tasksOf } from './round-laws.ts'
import { openRoundPlace, type RoundPlace } from './round-place.ts'
import { openReceiver, type Receiver } from './round-receiver.ts'
import { goRound, removeListeners } from './round-steps.ts'
import { type Counter, findingsOf, openTally, type Tally } from './tally.ts'

export type RoundPlan = {
  /** Every how manieth point; 1 for all. */
  readonly every: number
  /** Where to begin, so that the samples of two engines differ. */
  readonly first?: number
  /** Only the points whose names have this in them. */
  readonly point?: string
  /** On the clock of `performance.now()`: no round begins after it, once there was a kill. */
  readonly until?: number
  readonly say?: (line: string) => void
  /** Of every hub, beside what it needs. */
  readonly env?: Env
}
export type RoundTally = Tally & {
  readonly points: number
  readonly killed: number
  readonly missed: readonly string[]
}

export async function killRounds(engine: EngineName, plan: RoundPlan): Promise<RoundTally> {
  const tally = openTally(`the round killed on ${engine}${plan.env ? ', sealed' : ''}`)
  const receiver = await openReceiver()
  const open = () => openRoundPlace(engine, { env: plan.env })
  let place = await open()
  try {
    const counted = await runRound(place, receiver, tally, 'count')
    if (!counted) throw new Error(`The round does not end without a fault: ${tally.end().lost.join('; ')}`)
    const { points, baseline } = counted
    plan.say?.(`${engine}: ${points.length} fault points in a round, ${place.startPoints.length} in a start`)
    const missed: string[] = []
    const chosen = spread(choose(points, plan))
    let killed = 0
    for (const [at, point] of chosen.entries()) {
      if (killed > 0 && performance.now() > (plan.until ?? Number.POSITIVE_INFINITY)) break
      const before = findings(tally)
      if (await killAt({ place, open }, receiver, tally, point, `${at}`, baseline)) killed += 1
      else missed.push(point)
      tally.round()
      if (at % 20 === 19) plan.say?.(`${engine}: ${at + 1} of ${chosen.length}, ${findings(tally)} findings`)
      if (findings(tally) === before) continue
      plan.say?.(`${engine}: at ${point}: ${findingsOf(tally.end()).join('; ')}`)
      // What is broken here must not show in the rounds to come.
      await place.close()
      place = await open()
    }
    await lookForLeavings(place, tally)
    tally.figure(`${points.length} fault points, killed at ${killed} of ${chosen.length}`)
    return { ...tally.end(), points: points.length, killed, missed }
  } finally {
    await place.close()
    await receiver.close()
  }
}

const choose = (points: readonly string[], { every, first = 0, point = '' }: RoundPlan): string[] =>
  points.filter((name) => name.includes(point)).filter((_, at) => at % every === first % every)

/** In an order that reaches all parts of the round soon, for a sample that is cut short. */
function spread(points: readonly string[]): string[] {
  const stride = Math.max(1, Math.ceil(Math.sqrt(points.length)))
  return points
    .map((point, at) => ({ point, turn: at % stride }))
    .sort((a, b) => a.turn - b.turn)
    .map(({ point }) => point)
}

const findings = (tally: Counter): number => findingsOf(tally.end()).length

/**
 * Says whether the hub died there. Where another node has done the work, once more with that one standing still; some
 * things happen only in the first round on empty stores.
 */
async function killAt(
  { place, open }: { place: RoundPlace; open: () => Promise<RoundPlace> },
  receiver: Receiver,
  tally: Counter,
  point: string,
  name: string,
  baseline: Baseline,
): Promise<boolean> {
  for (const alone of place.engine === 'sqlite' ? [false] : [false, true]) {
    await place.arm(point, { alone })
    await runRound(place, receiver, tally, `${name}${alone ? ' alone' : ''} at ${point}`, baseline)
    if (place.hasDied()) return true
  }
  const fresh = await open()
  try {
    await fresh.arm(point, { alone: true })
    await runRound(fresh, receiver, tally, `${name} first at ${point}`, baseline)
    return fresh.hasDied()
  } finally {
    await fresh.close()
  }
}

/** A round to its end, and everything that must hold afterwards; undefined where it came to none. */
async function runRound(
  place: RoundPlace,
  receiver: Receiver,
  tally: Counter,
  name: string,
  known?: Baseline,
): Promise<{ points: string[]; baseline: Baseline } | undefined> {
  const client = openRoundClient(place)
  try {
    if (!known) await place.arm(undefined, { alone: true })
    const ledger = await goRound(client, receiver.url, `round ${name}`)
    // What nobody waits for, as the memory's learning, may end later than the round, and the hub may fall over it then.
    await client.until('the end of its tasks', async () => {
      await client.get(`/jobs/${ledger.jobId}`)
      return (await tasksOf(place.inner.engine.read, ledger.jobId)).length === 0
    })
    // With a listener goes the log of what was sent to it.
    const baseline = await holdAgainst(place.inner, ledger, receiver, tally, known)
    await removeListeners(client, ledger.listeners)
    const points = known ? [] : await place.passed()
    await place.mend()
    const found = withoutOrphans(await place.check())
    if (found) tally.leaked(`${name}: dragoman check: ${found}`)
    return { points, baseline }
  } catch (error) {
    tally.lost(`${name}: the round did not end: ${String(error)} ${place.said().slice(-500)}`)
    return undefined
  }
}

/** Bytes of a call that was killed wait for the daily sweep; whether it takes them is looked at when all is over. */
function withoutOrphans(said: string): string {
  const others = said.split('\n').filter((line) => !line.startsWith('waiting: orphans: '))
  return others.some((line) => !/^\d+ findings?: /.test(line)) ? others.join('\n') : ''
}

/** Two days later the sweep was there: what no row knows is gone, and everything else is not. */
async function lookForLeavings(place: RoundPlace, tally: Counter): Promise<void> {
  await openRoundClient(place).advance('2d')
  const { engine, blobs } = place.inner
  const rows = await engine.read.selectFrom('files').select('blob_id').where('blob_id', 'is not', null).execute()
  const known = new Set(rows.map(({ blob_id }) => blob_id))
  let orphans = 0
  for await (const { blobId } of blobs.list()) if (!known.delete(blobId)) orphans += 1
  if (orphans > 0) tally.leaked(`${orphans} blobs that no row knows outlived the sweep`)
  if (known.size > 0) tally.lost(`${known.size} blobs are missing after the sweep`)
  const found = await place.check()
  if (found) tally.leaked(`after the sweep: dragoman check: ${found}`)
}

/** The first start of a hub on empty stores, killed at each of its points: the next one comes up whole. */
export async function killStarts(engine: EngineName, plan: RoundPlan): Promise<Tally> {
  const tally = openTally(`the first start killed on ${engine}`)
  const first = await openRoundPlace(engine)
  await first.close()
  for (const point of choose(first.startPoints, plan)) {
    const place = await openRoundPlace(engine, { faultAt: point })
    const receiver = await openReceiver()
    try {
      await runRound(place, receiver, tally, `after ${point}`)
      tally.round()
    } finally {
      await place.close()
      await receiver.close()
    }
  }
  tally.figure(`${first.startPoints.length} fault points`)
  return tally.end()
}
