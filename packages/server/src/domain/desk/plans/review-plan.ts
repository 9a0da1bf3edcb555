/**
 * Which segments of a job to review, at random, until a promise about its errors is proved or
 * cannot be kept (contract, section 18). The seed is drawn with the first reading of what is
 * delivered now: a translator cannot know the sample before the delivery, and a new delivery has a
 * sample of its own.
 */
import { hash, randomBytes } from 'node:crypto'
import type { ReviewPlan, ReviewPlanQuery } from '@dragoman/contract'
import { LRUCache } from 'lru-cache'
import type { Hub } from '../../../hub.ts'
import { perHub } from '../../../process/caches.ts'
import type { Call } from '../../access/caller.ts'
import { requestsOf } from '../../handover/quoting/quote-job.ts'
import { mustReach } from '../../jobs/job-activity.ts'
import { mustFindRequest } from '../../jobs/requests/find-request.ts'
import type { OneRequest } from '../../jobs/requests/request.ts'
import { runSafely } from '../../language/worker/run.ts'
import { type Desk, openDesk } from '../open-desk.ts'
import { draftsAt, pathOf } from '../walk-desk.ts'
import { drawSample } from './draw-sample.ts'
import { isMajor } from './is-major.ts'
import { selectPlan, writePlan } from './plan-rows.ts'
import { type Promised, type Read, readPlan, reserve, type Sizes } from './sequential-plan.ts'

const module = new URL('./sequential-plan.ts', import.meta.url)
const cachedSizes = perHub(() => new LRUCache<string, Sizes>({ max: 500 }))

type Delivered = { readonly request: OneRequest; readonly desk: Desk; readonly first: number }
type Place = { readonly request: OneRequest; readonly segmentId: string }

export async function findReviewPlan(
  hub: Hub,
  call: Call,
  jobId: string,
  { majorPerCent = 2, confidence = 95 }: ReviewPlanQuery,
): Promise<ReviewPlan> {
  const { siteId } = call.caller
  const job = await mustReach(hub.db.read, siteId, jobId)
  const delivered = await deliveredOf(hub, job.site_id, jobId)
  const last = delivered.at(-1)
  const segments = last ? last.first + last.desk.length : 0
  const allowed = Math.floor((segments * majorPerCent) / 100 + 1e-9)
  const promise = { segments, allowed, majorPerCent, confidence }
  if (segments === 0)
    return { segments, sample: [], reviewed: 0, found: 0, state: 'MORE', says: nothingDelivered }
  const sizes = await sizesOf(hub, siteId, {
    segments,
    allowed,
    error: reserve * (1 - confidence / 100),
  })
  const seed = await seedOf(hub, siteId, jobId, delivered)
  const drawn = drawSample(seed, segments, sizes.at(-1) ?? segments)
  const places = (from: number, to: number) =>
    drawn.slice(from, to).map((place) => placeIn(delivered, place))
  const read = readPlan(sizes, await verdictsOf(hub, places, drawn.length))
  const sample = places(0, read.size).map(({ request, segmentId }) => ({
    requestId: request.request_id,
    segmentId,
  }))
  const { reviewed, found, state } = read
  return { segments, sample, reviewed, found, state, says: says(promise, read) }
}

const nothingDelivered = 'Nothing of the job is delivered yet, so there is nothing to review.'

/** Requests that are in review or approved, with their segments one after the other. */
async function deliveredOf(hub: Hub, siteId: string, jobId: string): Promise<Delivered[]> {
  const job = await mustReach(hub.db.read, siteId, jobId)
  const delivered: Delivered[] = []
  let first = 0
  for (const { request_id: requestId, status } of await requestsOf(hub.db.read, job)) {
    if (status !== 'REVIEW_TRANSLATION' && status !== 'TRANSLATION_APPROVED') continue
    const request = await mustFindRequest(hub.db.read, siteId, jobId, requestId)
    const desk = await openDesk(hub, request)
    delivered.push({ request, desk, first })
    first += desk.length
  }
  return delivered
}

function placeIn(delivered: readonly Delivered[], place: number): Place {
  const found = delivered.findLast(({ first }) => first <= place)
  if (!found) throw new Error(`No segment of the job stands at ${place}.`)
  return { request: found.request, segmentId: found.desk.at(place - found.first).segmentId }
}

async function sizesOf(hub: Hub, siteId: string, promised: Promised): Promise<Sizes> {
  const key = JSON.stringify(promised)
  const known = cachedSizes(hub).get(key)
  if (known) return known
  const sizes = await runSafely<number[]>(module, 'planSizes', [promised], { siteId })
  cachedSizes(hub).set(key, sizes)
  return sizes
}

/** Kept until something else is delivered. */
async function seedOf(
  hub: Hub,
  siteId: string,
  jobId: string,
  delivered: readonly Delivered[],
): Promise<string> {
  const versions = delivered.map(({ request, desk }) => [
    request.request_id,
    request.translation_file_id ?? request.translation_content_id,
    request.desk_version,
    desk.length,
  ])
  const mark = hash('sha256', JSON.stringify(versions), 'base64url')
  const known = await selectPlan(hub.db.read, siteId, jobId)
  if (known?.mark === mark) return known.seed
  return hub.db.transact(async (tx) => {
    const seed = randomBytes(24).toString('base64url')
    await writePlan(tx, { site_id: siteId, job_id: jobId, mark, seed })
    return (await selectPlan(tx, siteId, jobId))?.seed ?? seed
  })
}

const verdictsAtOnce = 200

/** In the order of the sample, up to the first segment without one. */
async function verdictsOf(
  hub: Hub,
  places: (from: number, to: number) => readonly Place[],
  most: number,
): Promise<boolean[]> {
  const verdicts: boolean[] = []
  for (let from = 0; from < most; from += verdictsAtOnce) {
    const some = places(from, from + verdictsAtOnce)
    const known = await verdictsAt(hub, some)
    for (const place of some) {
      const isBad = known.get(keyOf(place))
      if (isBad === undefined) return verdicts
      verdicts.push(isBad)
    }
  }
  return verdicts
}

const keyOf = ({ request, segmentId }: Place): string => `${request.request_id} ${segmentId}`

async function verdictsAt(
  hub: Hub,
  places: readonly Place[],
): Promise<ReadonlyMap<string, boolean>> {
  const known = new Map<string, boolean>()
  for (const request of new Set(places.map((place) => place.request))) {
    const own = places.filter((place) => place.request === request)
    const ids = own.map(({ segmentId }) => segmentId)
    const drafts = await draftsAt(hub, pathOf(request), ids)
    for (const place of own) {
      const review = drafts.get(place.segmentId)?.review
      if (review) known.set(keyOf(place), isMajor(review))
    }
  }
  return known
}

type Saying = Pick<Promised, 'segments' | 'allowed'> & {
  readonly majorPerCent: number
  readonly confidence: number
}

const number = new Intl.NumberFormat('en-GB')
const many = (count: number, one: string): string =>
  `${number.format(count)} ${count === 1 ? one : `${one}s`}`

/** The sentence for the customer. */
function says(
  { segments, allowed, majorPerCent, confidence }: Saying,
  { state, reviewed, found, size }: Read,
): string {
  const promise = `at most ${majorPerCent} per cent of the ${many(segments, 'segment')} have a major error`
  const seen = `Of ${many(reviewed, 'segment')} that were drawn at random and reviewed, ${number.format(found)} had a major error`
  if (state === 'PROVED') return `${seen}: it is ${confidence} per cent sure that ${promise}.`
  if (state === 'FAILED')
    return `${seen}, and ${number.format(allowed)} would be allowed among all: it is not true that ${promise}.`
  const begun = reviewed === 0 ? '' : `${seen}. `
  return `${begun}Review ${many(size - reviewed, 'segment')} more in the order of the sample: without another major error it is then ${confidence} per cent sure that ${promise}.`
}
