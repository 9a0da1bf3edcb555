/**
 * F1: the hub is killed at every fault point of a round, once per round, and its clients finish.
 * The points are not listed anywhere: a round without a fault counts them, on the same stores.
 */
import type { DatabaseKind, Env } from '../hub.ts'
import { openRoundClient } from './round-client.ts'
import { type Baseline, holdAgainst, tasksOf } from './round-laws.ts'
import { openRoundPlace, type RoundPlace } from './round-place.ts'
import { openReceiver, type Receiver } from './round-receiver.ts'
import { goRound, removeListeners } from './round-steps.ts'
import { type Counter, findingsOf, openTally, type Tally } from './tally.ts'

/** What clients do in a round. */
export type Walk = {
  readonly name: string
  /** What must be there before; no fault comes here. Returns the steps that one may come into. */
  begin(place: RoundPlace, receiver: Receiver, jobName: string): Promise<() => Promise<Walked>>
}
/** A round that ended. */
export type Walked = {
  readonly jobId: string
  readonly listeners: readonly string[]
  /** Compares what the clients were told with the rows, and with a round without a fault. */
  hold(tally: Counter, known?: Baseline): Promise<Baseline>
}

const wholeRound: Walk = {
  name: 'the round',
  begin: async (place, receiver, jobName) => async () => {
    const ledger = await goRound(openRoundClient(place), receiver.url, jobName)
    return {
      ...ledger,
      hold: (tally, known) => holdAgainst(place.inner, ledger, receiver, tally, known),
    }
  },
}

export type RoundPlan = {
  /** The whole round of a connector if absent. */
  readonly walk?: Walk
  /** Take every n-th point; 1 for all. */
  readonly every: number
  /** The first point, so that the samples of two databases differ. */
  readonly first?: number
  /** Only points whose names contain this. */
  readonly point?: string
  /** On the clock of `performance.now()`: no round begins after it, once there was a kill. */
  readonly until?: number
  readonly say?: (line: string) => void
  /** Extra environment of every hub. */
  readonly env?: Env
}
export type RoundTally = Tally & {
  readonly points: number
  readonly killed: number
  readonly missed: readonly string[]
}

export async function killRounds(database: DatabaseKind, plan: RoundPlan): Promise<RoundTally> {
  const { walk = wholeRound } = plan
  const tally = openTally(`${walk.name} killed on ${database}${plan.env ? ', sealed' : ''}`)
  const receiver = await openReceiver()
  const open = () => openRoundPlace(database, { env: plan.env })
  let place = await open()
  try {
    const counted = await runRound({ walk, place, receiver, tally }, 'count')
    if (!counted)
      throw new Error(`The round does not end without a fault: ${tally.end().lost.join('; ')}`)
    const { points, baseline } = counted
    plan.say?.(
      `${database}: ${points.length} fault points in a round, ${place.startPoints.length} in a start`,
    )
    const missed: string[] = []
    const chosen = spread(choose(points, plan))
    let killed = 0
    for (const [at, point] of chosen.entries()) {
      if (killed > 0 && performance.now() > (plan.until ?? Number.POSITIVE_INFINITY)) break
      const before = findings(tally)
      if (await killAt({ walk, place, receiver, tally }, open, { point, name: `${at}`, baseline }))
        killed += 1
      else missed.push(point)
      tally.round()
      if (at % 20 === 19)
        plan.say?.(`${database}: ${at + 1} of ${chosen.length}, ${findings(tally)} findings`)
      if (findings(tally) === before) continue
      plan.say?.(`${database}: at ${point}: ${findingsOf(tally.end()).join('; ')}`)
      // Damage here must not show in later rounds.
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

/** An order that reaches all parts of the round soon, for a shortened sample. */
function spread(points: readonly string[]): string[] {
  const stride = Math.max(1, Math.ceil(Math.sqrt(points.length)))
  return points
    .map((point, at) => ({ point, turn: at % stride }))
    .sort((a, b) => a.turn - b.turn)
    .map(({ point }) => point)
}

const findings = (tally: Counter): number => findingsOf(tally.end()).length

/**
 * Returns whether the hub died there. If another node did the work, repeats with that node stopped;
 * some points occur only in the first round on empty stores.
 */
async function killAt(
  stage: Stage,
  open: () => Promise<RoundPlace>,
  {
    point,
    name,
    baseline,
  }: { readonly point: string; readonly name: string; readonly baseline: Baseline },
): Promise<boolean> {
  for (const alone of stage.place.database === 'sqlite' ? [false] : [false, true]) {
    await runRound(stage, `${name}${alone ? ' alone' : ''} at ${point}`, { point, alone, baseline })
    if (stage.place.hasDied()) return true
  }
  const fresh = await open()
  try {
    await runRound({ ...stage, place: fresh }, `${name} first at ${point}`, {
      point,
      alone: true,
      baseline,
    })
    return fresh.hasDied()
  } finally {
    await fresh.close()
  }
}

type Stage = {
  readonly walk: Walk
  readonly place: RoundPlace
  readonly receiver: Receiver
  readonly tally: Counter
}
type Fault = { readonly point: string; readonly alone: boolean; readonly baseline: Baseline }

/**
 * Runs a round to its end, and checks everything afterwards; undefined if it did not end. Without a
 * fault it counts the points.
 */
async function runRound(
  { walk, place, receiver, tally }: Stage,
  name: string,
  fault?: Fault,
): Promise<{ points: string[]; baseline: Baseline } | undefined> {
  const client = openRoundClient(place)
  try {
    const go = await walk.begin(place, receiver, `round ${name}`)
    await place.arm(fault?.point, { alone: fault?.alone ?? true })
    const walked = await go()
    // Background work that the round does not wait for, such as the memory's learning, may end
    // later and hit the fault then.
    await client.until('the end of its tasks', async () => {
      await client.get(`/jobs/${walked.jobId}`)
      return (await tasksOf(place.inner.db.read, walked.jobId)).length === 0
    })
    // Deleting a listener deletes its delivery log.
    const baseline = await walked.hold(tally, fault?.baseline)
    await removeListeners(client, walked.listeners)
    const points = fault ? [] : await place.passed()
    await place.mend()
    const found = withoutOrphans(await place.check())
    if (found) tally.leaked(`${name}: dragoman check: ${found}`)
    return { points, baseline }
  } catch (error) {
    tally.lost(`${name}: the round did not end: ${String(error)} ${place.said().slice(-500)}`)
    return undefined
  }
}

/** Bytes of a killed call wait for the daily sweep; a later check covers them. */
function withoutOrphans(said: string): string {
  const others = said.split('\n').filter((line) => !line.startsWith('waiting: orphans: '))
  return others.some((line) => !/^\d+ findings?: /.test(line)) ? others.join('\n') : ''
}

/** Two days later the sweep has run: bytes without a row are gone, everything else is there. */
async function lookForLeavings(place: RoundPlace, tally: Counter): Promise<void> {
  await openRoundClient(place).advance('2d')
  const { db, blobs } = place.inner
  const rows = await db.read
    .selectFrom('files')
    .select('blob_id')
    .where('blob_id', 'is not', null)
    .execute()
  const known = new Set(rows.map(({ blob_id }) => blob_id))
  let orphans = 0
  for await (const { blobId } of blobs.list()) if (!known.delete(blobId)) orphans += 1
  if (orphans > 0) tally.leaked(`${orphans} blobs that no row knows outlived the sweep`)
  if (known.size > 0) tally.lost(`${known.size} blobs are missing after the sweep`)
  const found = await place.check()
  if (found) tally.leaked(`after the sweep: dragoman check: ${found}`)
}

/**
 * Kills the first start of a hub on empty stores at each of its points: the next start succeeds.
 */
export async function killStarts(database: DatabaseKind, plan: RoundPlan): Promise<Tally> {
  const tally = openTally(`the first start killed on ${database}`)
  const first = await openRoundPlace(database, { isNew: true })
  await first.close()
  for (const point of choose(first.startPoints, plan)) {
    const place = await openRoundPlace(database, { isNew: true, faultAt: point })
    const receiver = await openReceiver()
    try {
      await runRound({ walk: wholeRound, place, receiver, tally }, `after ${point}`)
      tally.round()
    } finally {
      await place.close()
      await receiver.close()
    }
  }
  tally.figure(`${first.startPoints.length} fault points`)
  return tally.end()
}
