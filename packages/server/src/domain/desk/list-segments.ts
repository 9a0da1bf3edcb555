/** Lists the segments of a request, for its provider and for its connector and reviewers. */
import { HubError, type SegmentsQuery, type TextParts } from '@dragoman/contract'
import type { Hub } from '../../hub.ts'
import { openCursor, type Page, sealCursor } from '../../store/page.ts'
import { openPauses } from '../../turns/pauses.ts'
import type { Call } from '../access/caller.ts'
import { openMachineWork } from '../engines/machine-work.ts'
import { type OneTask, peopleNames, reachTask } from '../handover/asset-tasks.ts'
import { mustReach } from '../jobs/job-activity.ts'
import { pageSizeOf } from '../jobs/lists/position-pages.ts'
import { formerTargets } from '../jobs/requests/deliveries/former-targets.ts'
import { mustFindRequest } from '../jobs/requests/find-request.ts'
import type { OneRequest, RequestWithFile } from '../jobs/requests/request.ts'
import type { Confirmed } from '../language/memory/unedited-matches.ts'
import { openChecker } from './check-desk.ts'
import {
  type DescribedSegment,
  deliveredOnly,
  describeSegment,
  draftsById,
  isDone,
  type Placed,
  type Side,
  stateOf,
  targetOf,
} from './describe-segment.ts'
import type { DeskSegment } from './desk-segments.ts'
import { indexOf, openDesk } from './open-desk.ts'
import { type RequestPath, selectDrafts } from './segment-rows.ts'

export const pathOf = ({ site_id, job_id, request_id }: RequestWithFile): RequestPath => ({
  siteId: site_id,
  jobId: job_id,
  requestId: request_id,
})

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
  const machineOf = await openMachineWork(hub, request)
  const all = await openDesk(hub, request)
  const segments = side === 'connector' ? seenByConnector(all) : all
  const of = `segments:${request.request_id}`
  const cursor = asked.navNext
    ? openCursor(hub.vault, request.site_id, of, asked.navNext)
    : undefined
  const { state, check, text, risk, sort }: SortedFilter = cursor?.filter
    ? JSON.parse(cursor.filter)
    : asked
  const from = Number(cursor?.key[0] ?? 0)
  const size = pageSizeOf(asked)
  const wanted: Filter = {
    ...(state?.length && { state }),
    ...(check?.length && { check }),
    ...(text && { text }),
    ...(risk !== undefined && { risk }),
  }
  const isFiltered = Object.keys(wanted).length > 0
  const place = (segment: DeskSegment, at: number) => ({
    segment,
    position: at + 1,
    machine: machineOf(segment.unit),
  })
  const end = isFiltered ? segments.length : Math.min(from + size, segments.length)
  const sorted = sort === 'RISK' ? segments.map(place).sort(riskiestFirst) : undefined
  const near =
    sorted?.slice(from, end) ??
    segments.slice(from, end).map((one, index) => place(one, from + index))
  const ids = isFiltered ? undefined : near.map(({ segment }) => segment.segmentId)
  const drafts = draftsById(hub, await selectDrafts(hub.db.read, pathOf(request), ids))
  const draftOf = ({ segmentId }: DeskSegment) =>
    side === 'connector' ? deliveredOnly(drafts.get(segmentId)) : drafts.get(segmentId)
  const formerOf = side === 'connector' ? await formerTargets(hub, request) : () => undefined
  const pause = openPauses()
  const confirmed: Confirmed[] = []
  for (const { segment, machine } of near) {
    const draft = draftOf(segment)
    const target = targetOf(segment, draft)
    if (
      target &&
      isDone(stateOf(segment, draft, request)) &&
      isWanted(wanted, { segment, draft, machine, desk: request })
    )
      confirmed.push({ segment, target })
    await pause()
  }
  const checker = await openChecker(hub, request, {
    confirmed,
    among: { path: pathOf(request), segments, some: near.map(segmentIn), drafts, side },
  })
  const items: DescribedSegment[] = []
  let at = from
  for (; at < segments.length && items.length < size; at += 1) {
    const one = near[at - from] as (typeof near)[0]
    const { segment } = one
    const draft = draftOf(segment)
    if (isWanted(wanted, { ...one, draft, desk: request })) {
      const checked = await checker(segment, targetOf(segment, draft))
      if (!wanted.check || checked.checks.some((found) => wanted.check?.includes(found.check)))
        items.push(
          describeSegment(
            { ...one, draft, desk: request, former: formerOf(segment.unit) },
            side,
            checked,
          ),
        )
    }
    await pause()
  }
  await nameChangers(hub, items)
  if (at >= segments.length) return { items }
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

type Known = Pick<Placed, 'segment' | 'draft' | 'machine'>
type Judged = Known & Pick<Placed, 'desk'>

/**
 * What no engine could translate comes before every risk. Edits change nothing: nothing moves while
 * somebody pages.
 */
const riskiestFirst = (
  one: Known & { position: number },
  other: Known & { position: number },
): number => riskOf(other) - riskOf(one) || one.position - other.position
const riskOf = ({ segment: { openReason }, machine }: Known): number =>
  openReason === undefined ? (machine?.risk ?? -1) : 101

const segmentIn = ({ segment }: Known): DeskSegment => segment

const seen = new WeakMap<readonly DeskSegment[], readonly DeskSegment[]>()
/** The same list for the same desk, because others are kept by it. */
function seenByConnector(all: readonly DeskSegment[]): readonly DeskSegment[] {
  const known = seen.get(all) ?? all.map(withoutSuggestion)
  seen.set(all, known)
  return known
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
  if (changed.length === 0) return
  const names = await peopleNames(db.read, [
    ...new Set(changed.map(({ changedBy = '' }) => changedBy)),
  ])
  for (const one of changed) {
    const name = names.get(one.changedBy ?? '')
    if (name !== undefined) one.changedByName = name
  }
}

function isWanted(
  { state, text = '', risk }: Filter,
  { segment, draft, machine, desk }: Judged,
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

export function mustFindSegment(segments: readonly DeskSegment[], segmentId: string): number {
  const at = indexOf(segments).get(segmentId)
  if (at === undefined) throw new HubError('SEGMENT_NOT_FOUND', { segmentId })
  return at
}
