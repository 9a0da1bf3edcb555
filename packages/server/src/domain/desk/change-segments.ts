/**
 * Writes the targets of segments, all or none. A target is durable once it is answered; a version
 * that is old is refused.
 */
import { findMove, HubError, movesFrom, requestMoves, type SegmentChange } from '@dragoman/contract'
import type { Hub } from '../../hub.ts'
import type { DraftRow, RequestRow } from '../../store/tables.ts'
import { openPauses } from '../../turns/pauses.ts'
import type { Call } from '../access/caller.ts'
import { storeBytes } from '../access/site-bytes.ts'
import { lockWithJob, type OneTask } from '../handover/asset-tasks.ts'
import { lockProviderJob } from '../handover/provider-jobs.ts'
import { checkAct } from '../jobs/find-job.ts'
import { moveRequests } from '../jobs/requests/move-requests.ts'
import type { OneRequest } from '../jobs/requests/request.ts'
import { checkSegments, type Rules, readRules } from './check-desk.ts'
import { mustHold } from './claims.ts'
import {
  type DescribedSegment,
  type Desk as DeskVersion,
  describeSegment,
  draftRow,
  draftsById,
  isDone,
  openDraft,
  versionOf,
} from './describe-segment.ts'
import type { DeskSegment } from './desk-segments.ts'
import { spentOn } from './effort.ts'
import { selectLastWritten } from './effort-rows.ts'
import { mustFindSegment } from './list-segments.ts'
import { cachedDesk, type Desk, deskKey, openDesk } from './open-desk.ts'
import { type RequestPath, selectDrafts, writeDrafts } from './segment-rows.ts'

type Named = SegmentChange & { readonly segmentId: string }
type Placed = { readonly segment: DeskSegment; readonly position: number; readonly change: Named }

export async function changeSegments(
  hub: Hub,
  call: Call,
  at: OneTask,
  changes: readonly Named[],
): Promise<{ items: DescribedSegment[] }> {
  let open: { readonly key: string; readonly desk: Desk } | undefined
  let starts = false
  for (;;) {
    const { request, written, isFirst } = await write(hub, call, at, { changes, starts }, (key) =>
      open?.key === key ? open.desk : cachedDesk(hub, key),
    )
    if (written) return { items: await describe(hub, request, written) }
    if (isFirst) {
      starts = true
      continue
    }
    // No content is read while a transaction is open.
    open = { key: deskKey(request), desk: await openDesk(hub, request) }
  }
}

type Written = {
  readonly placed: readonly Placed[]
  readonly rows: readonly DraftRow[]
  readonly rules: Rules
  readonly path: RequestPath
  readonly desk: Desk
}

type Asked = {
  readonly changes: readonly Named[]
  /** The first written target starts the request, and a move locks the job before all else. */
  readonly starts: boolean
}
type Outcome = {
  readonly request: OneRequest
  readonly written?: Written
  /** Nothing is written yet, because the request must be started with it. */
  readonly isFirst?: true
}

/** Only the request, if its segments are not known. */
function write(
  hub: Hub,
  call: Call,
  at: OneTask,
  { changes, starts }: Asked,
  deskOf: (key: string) => Desk | undefined,
): Promise<Outcome> {
  const path = { siteId: call.caller.siteId, jobId: at.jobId, requestId: at.assetTaskId }
  const ids = changes.map(({ segmentId }) => segmentId)
  return hub.db.transact(async (tx) => {
    const whole = starts ? await lockProviderJob(tx, call, at.providerId, at.jobId) : undefined
    // PostgreSQL is asked for all at once, and locks before it reads.
    const [{ job, request }, known, rules] = await Promise.all([
      lockWithJob(tx, call, at),
      selectDrafts(tx, path, ids),
      readRules(tx, path.siteId),
    ])
    checkAct(job, 'deliver')
    const desk = deskOf(deskKey(request))
    if (!desk) return { request }
    const placed = await place(desk, changes)
    mustBeOpen(request)
    await mustHold(
      tx,
      call,
      request,
      placed.map(({ position }) => position),
    )
    const before = new Map(known.map((row) => [row.segment_id, row]))
    for (const one of placed) mustBeNewest(hub, request, one, before.get(one.segment.segmentId))
    const mustStart =
      findMove(requestMoves, request.status, 'start') !== undefined &&
      changes.some(({ target }) => target.length > 0)
    if (mustStart && !whole) return { request, isFirst: true }
    const { person } = call.caller
    // Effort is measured on what engines suggested.
    const isTimed = placed.some(({ segment }) => segment.suggested)
    const last = person && isTimed ? await selectLastWritten(tx, path, person.personId) : undefined
    const spentMs = spentOn(last, hub.clock.now(), placed.length)
    const rows = placed.map(({ segment: { segmentId, words }, change }) =>
      draftRow(hub, call, {
        path,
        segmentId,
        change,
        words,
        known: before.get(segmentId),
        spentMs,
      }),
    )
    const sum = (some: Iterable<Pick<DraftRow, 'bytes'>>) =>
      [...some].reduce((all, { bytes }) => all + bytes, 0)
    await storeBytes(hub, tx, call.caller, sum(rows) - sum(before.values()))
    if ((await writeDrafts(tx, rows)) < rows.length)
      mustSeeAll(hub, request, placed, await selectDrafts(tx, path, ids))
    if (mustStart && whole)
      await moveRequests({ hub, tx, causeId: call.traceId }, whole, [{ request }], { on: 'start' })
    return { request, written: { placed, rows, rules, path, desk } }
  })
}

async function describe(
  hub: Hub,
  request: OneRequest,
  { placed, rows, rules, path, desk }: Written,
): Promise<DescribedSegment[]> {
  const confirmed = placed.filter(({ change }) => isDone(change.state))
  const drafts = draftsById(hub, rows)
  const draftOf = ({ segment }: Placed) => drafts.get(segment.segmentId)
  const checked = await checkSegments(hub, request, {
    confirmed: confirmed.map(({ segment, change }) => ({ segment, target: change.target })),
    targets: placed.map((one) => draftOf(one)?.target),
    among: {
      ...{ path, desk, drafts, side: 'provider' },
      some: placed.map(({ segment, position }) => ({ segment, place: position - 1 })),
    },
    rules,
  })
  return placed.map((one, at) =>
    describeSegment(
      { segment: one.segment, position: one.position, draft: draftOf(one), desk: request },
      'provider',
      checked[at] ?? { checks: [] },
    ),
  )
}

/**
 * Also what is in review or approved may be written and delivered again; what is cancelled is over.
 */
export function mustBeOpen({
  request_id: id,
  status,
}: Pick<RequestRow, 'request_id' | 'status'>): void {
  if (findMove(requestMoves, status, 'deliver')) return
  const from = movesFrom(requestMoves, 'deliver').join(', ')
  throw new HubError('INVALID_TRANSITION', { thing: 'Request', id, status, move: 'writing', from })
}

/** Each change with its segment. A segment named twice, or a tag that it lacks, is refused. */
async function place(desk: Desk, changes: readonly Named[]): Promise<Placed[]> {
  const seen = new Set<string>()
  const pause = openPauses()
  const placed: Placed[] = []
  for (const [index, change] of changes.entries()) {
    const { segmentId, target } = change
    const found = mustFindSegment(desk, segmentId)
    const segment = desk.at(found)
    if (seen.has(segmentId))
      throw invalid(`segments[${index}].segmentId`, `${segmentId} is named twice`)
    seen.add(segmentId)
    const { tags } = segment
    const at = target.findIndex((piece) => typeof piece !== 'string' && piece.tag > tags.length)
    if (at >= 0)
      throw invalid(`segments[${index}].target[${at}].tag`, `the segment has ${tags.length} tags`)
    placed.push({ segment, position: found + 1, change })
    await pause()
  }
  return placed
}

function invalid(path: string, message: string): HubError {
  return new HubError(
    'INVALID_REQUEST',
    { because: `${path}: ${message}.` },
    { details: [{ path, message }] },
  )
}

function mustBeNewest(
  hub: Hub,
  desk: DeskVersion,
  { segment, position, change }: Placed,
  row: DraftRow | undefined,
): void {
  const draft = row && openDraft(hub, row)
  const version = versionOf(desk, draft)
  if (change.version === version) return
  const current = describeSegment({ segment, position, draft, desk }, 'provider', { checks: [] })
  throw new HubError('VERSION_CONFLICT', { sent: change.version, version }, { also: { current } })
}

/** Another call wrote one of them at the same time. */
function mustSeeAll(
  hub: Hub,
  desk: DeskVersion,
  placed: readonly Placed[],
  rows: readonly DraftRow[],
): never {
  const now = new Map(rows.map((row) => [row.segment_id, row]))
  for (const one of placed) mustBeNewest(hub, desk, one, now.get(one.segment.segmentId))
  throw new Error('A draft was not written, and no other call wrote it.')
}
