/**
 * The model walk: everybody who has to do with a job makes random moves on it, one after the other,
 * two at once, or while a node dies; after each step the hub is compared with the model. A finding
 * names the seed and the shortest list of steps that was found to lead to it.
 */
import { checkHub } from '../../../packages/server/src/domain/operations/integrity/check.ts'
import type { DatabaseKind } from '../../hub.ts'
import { findBrokenLaws } from '../history-laws.ts'
import { type Chance, chanceOf } from '../history-walk.ts'
import { type Counter, openTally, type Tally } from '../tally.ts'
import { compareMemory, compareRows, compareTexts, type Versions } from './laws.ts'
import { after, type Model, type Move, newJob, type Request } from './model.ts'
import { type Done, draw, make, type Stage } from './moves.ts'
import type { StartNode } from './node.ts'
import { openPlace, type WalkPlace } from './place.ts'

export type WalkPlan = {
  readonly walks: number
  readonly seed: number
  /** A node is killed in one of so many walks. */
  readonly killEvery: number
  /** Walks on one hub; its history grows with them. */
  readonly perHub?: number
  /** Hubs at once. */
  readonly lanes?: number
  readonly say?: (line: string) => void
}
export type WalkTally = Tally & { readonly steps: number; readonly kills: number }

/** One move, or two at once. With `dies`, a node dies at this point. */
type Step = { readonly moves: readonly Move[]; readonly dies?: number }

const longest = 16
const shortened = 80

export async function walkModel(
  database: DatabaseKind,
  start: StartNode,
  plan: WalkPlan,
): Promise<WalkTally> {
  const tally = openTally(`the model walk on ${database}`, plan.say)
  const counts = { steps: 0, kills: 0 }
  const { walks, lanes = 1 } = plan
  const perHub = Math.min(plan.perHub ?? 400, Math.ceil(walks / lanes))
  let next = 0
  const onOneHub = async (from: number): Promise<void> => {
    const place = await openPlace(database, start)
    try {
      for (let at = from; at < Math.min(walks, from + perHub); at += 1) {
        await walkOnce(place, at, plan, tally, counts)
        tally.round()
      }
      for (const { what, says } of (await checkHub(place.inner)).findings)
        tally.leaked(`dragoman check: ${what}: ${says}`)
    } finally {
      await place.close()
    }
  }
  const lane = async (): Promise<void> => {
    for (let from = next; from < walks; from = next) {
      next += perHub
      await onOneHub(from)
    }
  }
  await Promise.all(Array.from({ length: lanes }, lane))
  tally.figure(`${counts.steps} steps, ${counts.kills} kills`)
  return { ...tally.end(), ...counts }
}

async function walkOnce(
  place: WalkPlace,
  at: number,
  { seed, killEvery }: WalkPlan,
  tally: Counter,
  counts: { steps: number; kills: number },
): Promise<void> {
  const own = seed * 1_000_003 + at
  const chance = chanceOf(own)
  const kills = at % killEvery === killEvery - 1
  const isCut = chance() < 0.3
  const walk = await begin(place, isCut)
  const steps: Step[] = []
  const many = 6 + Math.floor(chance() * (longest - 5))
  const dying = kills ? 1 + Math.floor(chance() * (many - 1)) : -1
  let says: string[] = []
  while (says.length === 0 && steps.length < many) {
    const step = nextStep(chance, walk.model, at * 100 + steps.length, steps.length === dying)
    steps.push(step)
    says = await take(walk, step)
  }
  if (says.length === 0) says = await comeToTheEnd(walk, at * 100 + 50, steps)
  counts.steps += steps.length
  counts.kills += walk.kills
  if (says.length === 0) return
  const least = await shorten(place, isCut, steps)
  const list = least.steps.map((step, index) => `  ${index + 1}. ${written(step)}`).join('\n')
  tally.found(
    `seed ${own} (${place.database}${isCut ? ', sentences' : ''}): ${(least.says ?? says).join('; ')}\n${list}${least.says ? '' : '\n  (It did not come again.)'}`,
  )
}

type Walk = {
  readonly place: WalkPlace
  readonly stage: Stage
  readonly versions: Versions
  model: Model
  kills: number
  isEnding: boolean
}

async function begin(place: WalkPlace, isCut: boolean): Promise<Walk> {
  const { callers, providerId, advance } = place
  const body = { jobName: 'A walk', segmentation: isCut ? 'SENTENCES' : 'PARAGRAPHS' }
  const got = await callers.call('connector', 'POST', '/jobs', { body })
  if (got?.status !== 201) throw new Error(`No job was made: ${got?.status}`)
  const jobId = String(got.body.jobId)
  const stage = { jobId, providerId, requestIds: [], isCut, ...callers, advance }
  return { place, stage, versions: new Map(), model: newJob(), kills: 0, isEnding: false }
}

function nextStep(chance: Chance, model: Model, number: number, dies: boolean): Step {
  const isAllowed = (move: Move) => typeof after(model, move) !== 'string'
  const one = draw(chance, model, number, { isAllowed, mustWork: dies })
  // A call has three points for each transaction, and some have several.
  if (dies) return { moves: [one], dies: 1 + Math.floor(chance() * (chance() < 0.6 ? 3 : 9)) }
  if (model.requests.length < 2 || chance() > 0.12) return { moves: [one] }
  const other = draw(chance, model, number + 40, { isAllowed })
  // Time does not pass while somebody else acts; nor are two requests added at once.
  const alone = ['wait', 'add', 'change']
  if (alone.includes(one.does) || alone.includes(other.does)) return { moves: [one] }
  return { moves: [one, other] }
}

/** Makes the step, and returns what is not as the model has it. */
async function take(walk: Walk, { moves, dies }: Step): Promise<string[]> {
  const { place, stage, model } = walk
  if (dies !== undefined) await place.arm(dies)
  const done = await Promise.all(moves.map((move) => make(stage, model, move)))
  const died = dies !== undefined && (await place.mend())
  if (died) await recover(walk)
  const stays = await place.settle(stage.jobId, died)
  if (stays !== undefined) return [`a task stays: ${stays}`]
  const wrong = moves.flatMap((move, at) =>
    judge(model, move, done[at] ?? 'died', died, moves.length),
  )
  if (wrong.length > 0) return wrong
  const models = candidates(model, moves, done, died)
  if (models.length === 0)
    return [`no order explains what was accepted: ${moves.map(moveSaid).join(' and ')}`]
  const found: string[][] = []
  for (const one of models) {
    const says = await compareRows(place.inner, stage, one)
    found.push(says.length > 0 ? says : await look(walk, one, moves))
    if (found.at(-1)?.length === 0) {
      walk.model = one
      return []
    }
  }
  return found[0] ?? []
}

/** An answer that did not arrive may have told of a new request. */
async function recover(walk: Walk): Promise<void> {
  walk.kills += 1
  const { jobId, requestIds } = walk.stage
  const rows = await walk.place.inner.db.read
    .selectFrom('requests')
    .select('request_id')
    .where('site_id', '=', 'demo')
    .where('job_id', '=', jobId)
    .orderBy('position')
    .execute()
  requestIds.splice(0, requestIds.length, ...rows.map(({ request_id }) => request_id))
}

/** What an answer says by itself. */
function judge(model: Model, move: Move, done: Done, died: boolean, many: number): string[] {
  if (died || done === 'died') return died ? [] : [`${moveSaid(move)} was not answered`]
  if (done !== 'ok' && done.refused.startsWith('5')) return [`${moveSaid(move)}: ${done.refused}`]
  if (many > 1) return []
  const next = after(model, move)
  if (done === 'ok' && typeof next === 'string')
    return [`${moveSaid(move)} was accepted, though ${next}`]
  if (done !== 'ok' && typeof next !== 'string') return [`${moveSaid(move)}: ${done.refused}`]
  return []
}

/** What may be there now: whatever explains the answers. */
function candidates(
  model: Model,
  moves: readonly Move[],
  done: readonly Done[],
  died: boolean,
): Model[] {
  const accepted = moves.filter((_, at) => done[at] === 'ok')
  const open = died ? moves.filter((_, at) => done[at] !== 'ok') : []
  // Sending a file is two calls: the first may be accepted alone.
  const begun = moves.flatMap((move, at) =>
    move.does === 'file' && done[at] !== 'ok' ? [{ ...move, does: 'begin' } as const] : [],
  )
  const more = [...open, ...begun].map((move) => [...accepted, move])
  const sets = [accepted, ...more]
  return sets.flatMap((set) => orders(set).flatMap((order) => applied(model, order) ?? []))
}

const orders = (moves: readonly Move[]): (readonly Move[])[] =>
  moves.length < 2 ? [moves] : [moves, [...moves].reverse()]

function applied(model: Model, moves: readonly Move[]): Model | undefined {
  let now = model
  for (const move of moves) {
    const next = after(now, move)
    if (typeof next === 'string') return undefined
    now = next
  }
  return now
}

/** The texts of the requests that have changed, and now and then of one that should not have. */
async function look(walk: Walk, model: Model, moves: readonly Move[]): Promise<string[]> {
  const { place, stage, versions } = walk
  if (walk.isEnding) return []
  const [move] = moves
  const another = move && move.text % 4 === 0 ? move.text % 3 : -1
  const wrong: string[] = []
  for (const [at, request] of model.requests.entries())
    if (at === another || seenOf(request) !== seenOf(walk.model.requests[at]))
      wrong.push(...(await compareTexts(stage, model, at, versions)))
  if (moves.some(({ does }) => does === 'approve'))
    wrong.push(...(await compareMemory(place.inner, stage, model)))
  return wrong
}

/** What its texts are read for. */
const seenOf = (request: Request | undefined): string =>
  JSON.stringify([request?.status, request?.segments])

/** Whatever happened, what is open can be brought to its end. */
async function comeToTheEnd(walk: Walk, number: number, steps: Step[]): Promise<string[]> {
  const { place, stage } = walk
  // Everything is looked at in the end.
  walk.isEnding = true
  const all = () => walk.model.requests.map((_, at) => at)
  let text = number
  const go = async (does: Move['does'], by: Move['by'], on: readonly number[]) => {
    text += 1
    const step = { moves: [{ does, by, on, text, part: 0 }] }
    steps.push(step)
    return take(walk, step)
  }
  const isWaiting = ({ status }: Request) =>
    !['REVIEW_TRANSLATION', 'TRANSLATION_APPROVED', 'CANCELLED'].includes(status)
  const says: string[] = []
  if (walk.model.archived) says.push(...(await go('unarchive', 'connector', [0])))
  if (walk.model.requests.length === 0) says.push(...(await go('add', 'connector', [0])))
  if (walk.model.job === 'CREATED') says.push(...(await go('submit', 'connector', [0])))
  if (walk.model.job === 'COMPLETED') says.push(...(await go('reopen', 'connector', [0])))
  if (walk.model.job !== 'CANCELLED') {
    for (const at of all()) {
      const request = walk.model.requests[at]
      if (says.length > 0 || !request || !isWaiting(request)) continue
      says.push(...(await go(request.kind === 'file' ? 'file' : 'content', 'program', [at])))
      if (says.length === 0) says.push(...(await go('deliver', 'program', [at])))
    }
    const inReview = all().filter((at) => walk.model.requests[at]?.status === 'REVIEW_TRANSLATION')
    if (says.length === 0 && inReview.length > 0)
      says.push(...(await go('approve', 'connector', inReview)))
  }
  if (says.length > 0) return says
  for (const at of all()) says.push(...(await compareTexts(stage, walk.model, at, walk.versions)))
  says.push(...(await compareMemory(place.inner, stage, walk.model)))
  const broken = await findBrokenLaws(place.inner.db.read, [stage.jobId])
  // Not the order by time: one of two nodes may learn a moment later that the clock was moved.
  return [...says, ...broken.filter((one) => !one.includes(' has no path: '))]
}

/** Leaves out steps as long as the rest still leads to a finding. */
async function shorten(
  place: WalkPlace,
  isCut: boolean,
  steps: readonly Step[],
): Promise<{ readonly steps: readonly Step[]; readonly says?: readonly string[] }> {
  let least = steps
  let says = await replay(place, isCut, steps)
  if (!says) return { steps }
  let left = shortened
  for (let size = Math.ceil(least.length / 2); size >= 1 && left > 0; ) {
    let isShorter = false
    for (let from = 0; from < least.length && left > 0; from += size) {
      const fewer = least.filter((_, at) => at < from || at >= from + size)
      if (fewer.length === 0) continue
      left -= 1
      const found = await replay(place, isCut, fewer)
      if (!found) continue
      least = fewer
      says = found
      isShorter = true
      break
    }
    if (!isShorter) size = size === 1 ? 0 : Math.floor(size / 2)
    if (size === 0) break
  }
  return { steps: least, says }
}

/** The finding of these steps on a new job; undefined if there is none. */
async function replay(
  place: WalkPlace,
  isCut: boolean,
  steps: readonly Step[],
): Promise<string[] | undefined> {
  const walk = await begin(place, isCut)
  for (const step of steps) {
    const says = await take(walk, step)
    if (says.length > 0) return says
  }
  const says: string[] = []
  for (const at of walk.model.requests.keys())
    says.push(...(await compareTexts(walk.stage, walk.model, at, walk.versions)))
  return says.length > 0 ? says : undefined
}

const moveSaid = ({ by, does, on, also, twice }: Move): string =>
  `${by} ${does} ${on.join('+')}${also ? ` (${also})` : ''}${twice ? ' twice' : ''}`
const written = ({ moves, dies }: Step): string =>
  `${moves.map(moveSaid).join(' | at once ')}${dies === undefined ? '' : ` and a node dies at point ${dies}`}`
