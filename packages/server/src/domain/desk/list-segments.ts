/** Lists the segments of a request, for its provider and for its connector and reviewers. */
import { HubError, limits, type SegmentsQuery, type TextParts } from '@dragoman/contract'
import type { Hub } from '../../hub.ts'
import { openCursor, type Page, sealCursor } from '../../store/page.ts'
import { openPauses } from '../../turns/pauses.ts'
import type { Call } from '../access/caller.ts'
import { type OneTask, peopleNames, reachTask } from '../handover/asset-tasks.ts'
import { mustReach } from '../jobs/job-activity.ts'
import { pageSizeOf } from '../jobs/lists/position-pages.ts'
import { formerTargets } from '../jobs/requests/deliveries/former-targets.ts'
import { mustFindRequest } from '../jobs/requests/find-request.ts'
import { textsBefore } from '../jobs/requests/newer/carry-over.ts'
import type { OneRequest } from '../jobs/requests/request.ts'
import type { Confirmed } from '../language/memory/unedited-matches.ts'
import { checkSegments } from './check-desk.ts'
import { addComments } from './comments/segment-comments.ts'
import { isWaiting, readCorrections } from './corrections/read-corrections.ts'
import {
  type DescribedSegment,
  deliveredOnly,
  describeSegment,
  isDone,
  type Placed,
  type Side,
  stateOf,
  targetOf,
} from './describe-segment.ts'
import type { DeskSegment } from './desk-segments.ts'
import { type Desk, openDesk } from './open-desk.ts'
import { pathOf, type Walked, walkDesk } from './walk-desk.ts'

export async function listSegments(
  hub: Hub,
  call: Call,
  at: OneTask,
  asked: SegmentsQuery,
): Promise<Page<DescribedSegment>> {
  return list(hub, await reachTask(hub, call, at), asked, 'provider')
}

export async function listRequestSegments(
  hub: Hub,
  call: Call,
  { jobId, requestId }: { readonly jobId: string; readonly requestId: string },
  asked: SegmentsQuery,
): Promise<Page<DescribedSegment>> {
  const { siteId } = call.caller
  await mustReach(hub.db.read, siteId, jobId)
  return list(hub, await mustFindRequest(hub.db.read, siteId, jobId, requestId), asked, 'connector')
}

type Filter = Pick<SegmentsQuery, 'state' | 'check' | 'text' | 'risk'>
type SortedFilter = Filter & Pick<SegmentsQuery, 'sort'>

async function list(
  hub: Hub,
  request: OneRequest,
  asked: SegmentsQuery,
  side: Side,
): Promise<Page<DescribedSegment>> {
  const desk = await openDesk(hub, request)
  const of = `segments:${request.request_id}`
  const cursor = asked.navNext
    ? openCursor(hub.vault, request.site_id, of, asked.navNext)
    : undefined
  const { state, check, text, risk, sort }: SortedFilter = cursor?.filter
    ? JSON.parse(cursor.filter)
    : asked
  const wanted: Filter = {
    ...(state?.length && { state }),
    ...(check?.length && { check }),
    ...(text && { text }),
    ...(risk !== undefined && { risk }),
  }
  const isFiltered = Object.keys(wanted).length > 0
  const page = openPage(pageSizeOf(asked))
  const from = Number(cursor?.key[0] ?? 0)
  const way = {
    from,
    order: sort === 'RISK' ? await riskiestFirst(desk, side) : undefined,
    size: isFiltered ? page.size * 2 : page.size,
  }
  const pause = openPauses()
  let at = from
  for await (const slice of walkDesk(hub, request, desk, way)) {
    const corrections = await readCorrections(
      hub,
      pathOf(request),
      slice.map(({ segment }) => segment.segmentId),
    )
    const some = slice.map(
      (one): Seen => ({
        ...seenBy(side, desk, request, one),
        correction: corrections.get(one.segment.segmentId),
      }),
    )
    const near: Seen[] = []
    for (const one of some) {
      if (isWanted(wanted, one)) near.push(one)
      await pause()
    }
    const items = await describe(hub, request, { desk, near, side })
    const known = new Map(near.map((one, index) => [one, items[index]]))
    for (const one of some) {
      if (page.isFull()) break
      at += 1
      const item = known.get(one)
      if (item && (!check?.length || item.checks.some((found) => check.includes(found.check))))
        page.add(item)
    }
    if (page.isFull()) break
  }
  const { items } = page
  await nameChangers(hub, items)
  await addComments(hub, pathOf(request), side, items)
  if (at >= desk.length) return { items }
  const kept: SortedFilter = { ...wanted, ...(sort && { sort }) }
  const filter = Object.keys(kept).length > 0 ? JSON.stringify(kept) : undefined
  return {
    items,
    next: sealCursor(hub.vault, request.site_id, {
      list: of,
      key: [at],
      ...(filter && { filter }),
    }),
  }
}

/** A page ends with its size, or with so much text. */
function openPage(size: number) {
  const items: DescribedSegment[] = []
  let characters = 0
  return {
    size,
    items,
    isFull: () => items.length >= size || characters >= limits.segmentPageBytes,
    add: (item: DescribedSegment) => {
      items.push(item)
      characters += JSON.stringify(item).length
    },
  }
}

type Seen = Known & Pick<Placed, 'desk' | 'correction'> & { readonly place: number }

function seenBy(
  side: Side,
  desk: Desk,
  request: OneRequest,
  { segment, place, draft }: Walked,
): Seen {
  const machine = desk.showsMachine ? segment.machine : undefined
  const base = { place, machine, desk: request }
  return side === 'connector'
    ? { ...base, segment: withoutSuggestion(segment), draft: deliveredOnly(draft) }
    : { ...base, segment, draft }
}

async function describe(
  hub: Hub,
  request: OneRequest,
  {
    desk,
    near,
    side,
  }: { readonly desk: Desk; readonly near: readonly Seen[]; readonly side: Side },
): Promise<DescribedSegment[]> {
  const units = near.map(({ segment }) => segment.unit)
  const formers =
    side === 'connector' ? await formerTargets(hub, request, units) : new Map<string, TextParts>()
  const befores = await textsBefore(hub, request, units)
  const targets = near.map(({ segment, draft, correction }) =>
    side === 'connector' && isWaiting(correction, request)
      ? correction.target
      : targetOf(segment, draft),
  )
  const confirmed = near.flatMap(({ segment, draft }, at): Confirmed[] => {
    const target = targets[at]
    return target && isDone(stateOf(segment, draft, request)) ? [{ segment, target }] : []
  })
  const drafts = new Map(
    near.flatMap(({ segment, draft }) => (draft ? [[segment.segmentId, draft]] : [])),
  )
  const checked = await checkSegments(hub, request, {
    confirmed,
    targets,
    among: { path: pathOf(request), desk, some: near, drafts, side },
  })
  return near.map(({ place, ...one }, at) =>
    describeSegment(
      {
        ...one,
        position: place + 1,
        former: formers.get(one.segment.unit),
        before: befores.get(one.segment.unit),
      },
      side,
      checked[at] ?? { checks: [] },
    ),
  )
}

type Known = Pick<Placed, 'segment' | 'draft' | 'machine'>

const riskOf = ({ segment: { openReason }, machine }: Omit<Known, 'draft'>): number =>
  openReason === undefined ? (machine?.risk ?? -1) : 101

const orders = perDesk()
/**
 * The places by risk. What no engine could translate comes before every risk. Edits change nothing:
 * nothing moves while somebody pages.
 */
async function riskiestFirst(desk: Desk, side: Side): Promise<Uint32Array> {
  const known = orders[side].get(desk)
  if (known) return known
  const pause = openPauses()
  const risks = new Float64Array(desk.length)
  const counts = new Map<number, number>()
  for (let place = 0; place < desk.length; place += 1) {
    const segment = side === 'connector' ? withoutSuggestion(desk.at(place)) : desk.at(place)
    const risk = riskOf({ segment, machine: desk.showsMachine ? segment.machine : undefined })
    risks[place] = risk
    counts.set(risk, (counts.get(risk) ?? 0) + 1)
    await pause()
  }
  // A risk is one of a hundred numbers: where the places of each begin is known from their counts.
  const next = new Map<number, number>()
  let begin = 0
  for (const [risk, count] of [...counts].sort(([one], [other]) => other - one)) {
    next.set(risk, begin)
    begin += count
  }
  const order = new Uint32Array(desk.length)
  for (const [place, risk] of risks.entries()) {
    const at = next.get(risk) ?? 0
    order[at] = place
    next.set(risk, at + 1)
    await pause()
  }
  orders[side].set(desk, order)
  return order
}
function perDesk(): Readonly<Record<Side, WeakMap<Desk, Uint32Array>>> {
  return { provider: new WeakMap(), connector: new WeakMap() }
}

/** What engines drafted for people is not delivered yet. */
function withoutSuggestion(segment: DeskSegment): DeskSegment {
  const { target, origin, suggested: _, openReason: __, ...rest } = segment
  return origin === 'DRAFT'
    ? rest
    : { ...rest, ...(target && { target }), ...(origin && { origin }) }
}

async function nameChangers({ db }: Hub, items: readonly DescribedSegment[]): Promise<void> {
  const changed = items.filter(
    ({ origin, changedBy }) => origin === 'PERSON' && changedBy !== undefined,
  )
  const corrected = items.flatMap(({ corrected }) => corrected ?? [])
  const ids = [...changed.map(({ changedBy = '' }) => changedBy), ...corrected.map(({ by }) => by)]
  if (ids.length === 0) return
  const names = await peopleNames(db.read, [...new Set(ids)])
  for (const one of corrected) one.by = names.get(one.by) ?? one.by
  for (const one of changed) {
    const name = names.get(one.changedBy ?? '')
    if (name !== undefined) one.changedByName = name
  }
}

function isWanted(
  { state, text = '', risk }: Filter,
  { segment, draft, machine, desk }: Seen,
): boolean {
  if (state?.length && !state.includes(stateOf(segment, draft, desk))) return false
  if (risk !== undefined && (draft?.target || riskOf({ segment, machine }) < risk)) return false
  const sought = text.toLowerCase()
  if (sought === '') return true
  const target = targetOf(segment, draft) ?? []
  return [segment.key ?? '', plain(segment.source), plain(target)].some((one) =>
    one.toLowerCase().includes(sought),
  )
}

const plain = (text: TextParts): string =>
  text.filter((piece) => typeof piece === 'string').join('')

export function mustFindSegment(desk: Desk, segmentId: string): number {
  const at = desk.placeOf(segmentId)
  if (at === undefined) throw new HubError('SEGMENT_NOT_FOUND', { segmentId })
  return at
}
