/**
 * Delivers the targets of a request as its translation, and shows what would be delivered. The
 * content is joined before the transaction.
 */
import {
  type AssetTask,
  type FileAnswer,
  HubError,
  type KeptCheck,
  type SegmentDelivery,
  type TextParts,
} from '@dragoman/contract'
import type { Hub } from '../../hub.ts'
import type { DraftRow } from '../../store/tables.ts'
import { openPauses } from '../../turns/pauses.ts'
import type { Call } from '../access/caller.ts'
import { mediaTypeOf } from '../files/media-types.ts'
import { sealNote } from '../files/seals/notes.ts'
import { describeNamed, type OneTask, reachTask, reachWithJob } from '../handover/asset-tasks.ts'
import { storeTranslation } from '../handover/deliver-batch.ts'
import { checkAct } from '../jobs/find-job.ts'
import { contentFileName, writeFields } from '../jobs/requests/content-file.ts'
import type { OneRequest } from '../jobs/requests/request.ts'
import { openPager, type Pages } from '../language/worker/pages.ts'
import { type Judging, mustPass, openJudge } from './check-desk.ts'
import { mustHold } from './claims.ts'
import { commitDeliveries } from './commit-deliveries.ts'
import {
  type Draft,
  emptyRow,
  isDone,
  isSameTarget,
  stateOf,
  targetOf,
  versionOf,
} from './describe-segment.ts'
import type { DeskSegment } from './desk-segments.ts'
import { openEffort } from './effort.ts'
import { joinDesk } from './join-desk.ts'
import type { Joining } from './join-file.ts'
import { selectDrafts } from './segment-rows.ts'
import { type OpenTargets, openTargets, pathOf, type Walked } from './walk-desk.ts'

export async function deliverSegments(
  hub: Hub,
  call: Call,
  at: OneTask,
  { kept = [] }: SegmentDelivery = {},
): Promise<AssetTask> {
  const { job, request } = await reachWithJob(hub, call, at)
  checkAct(job, 'deliver')
  await mustHold(hub.db.read, call, request, 'segments')
  const targets = await openTargets(hub, request)
  const { desk, mark } = targets
  await mustBeDone(request, targets)
  const keeping = bySegment(kept)
  const judge = await openJudge(hub, request, desk)
  const joining = openPager<Joining>()
  const effort = openEffort(hub, request, desk)
  const rows: DraftRow[] = []
  let isSame = true
  const pause = openPauses()
  for await (const slice of targets.walk()) {
    const judged: Judging[] = []
    for (const { segment, place, draft } of slice) {
      const target = targetOf(segment, draft)
      isSame &&= isDelivered(segment, draft)
      if (!target) continue
      const own = keeping.get(segment.segmentId)
      const all = own ? keptOf(draft, own) : draft?.kept
      judged.push({ segment, place, target, kept: all })
      joining.add({ unit: segment.unit, tags: segment.tags, target })
      effort.add(segment, draft, target)
      await pause()
    }
    await judge.add(judged)
    for (const row of await rowsWithKept(hub, request, slice, keeping)) rows.push(row)
  }
  const warnings = await mustPass(judge)
  const { translated, contentType } = await joinDesk(hub, request, joining.finish())
  const stored = await storeTranslation(hub, request, translated, contentType)
  const prepared = [
    {
      request,
      stored,
      warnings,
      targets: { mark, isSame, rows, bytes: 0, effort: effort.rows(), edits: effort.edits() },
    },
  ]
  return commitDeliveries(hub, call, { at, prepared, as: 'segments' }, (tx, [now]) =>
    describeNamed(hub, tx, now ?? request),
  )
}

async function mustBeDone(request: OneRequest, { walk }: OpenTargets): Promise<void> {
  let open = 0
  for await (const slice of walk())
    open += slice.filter(({ segment, draft }) => !isDone(stateOf(segment, draft, request))).length
  if (open > 0) throw new HubError('SEGMENTS_OPEN', { open }, { also: { open } })
}

const isDelivered = (segment: DeskSegment, draft: Draft | undefined): boolean => {
  if (!draft?.target) return segment.origin === 'DELIVERY'
  const delivered = draft.delivered ?? (segment.origin === 'DELIVERY' ? segment.target : undefined)
  return isSameTarget(draft.target, delivered)
}

type Kept = NonNullable<SegmentDelivery['kept']>

function bySegment(kept: Kept): ReadonlyMap<string, Kept> {
  const found = new Map<string, Kept>()
  for (const one of kept) {
    const own = found.get(one.segmentId)
    if (own) own.push(one)
    else found.set(one.segmentId, [one])
  }
  return found
}

/** What is kept now counts instead of what was kept of the same check. */
function keptOf(draft: Draft | undefined, own: Kept): KeptCheck[] {
  const checks = new Set(own.map(({ check }) => check))
  return [
    ...(draft?.kept ?? []).filter(({ check }) => !checks.has(check)),
    ...own.map(({ check, reason }) => ({ check, reason })),
  ]
}

/** What is kept at the delivery stands at its segments, beside what was kept before. */
async function rowsWithKept(
  hub: Hub,
  request: OneRequest,
  slice: readonly Walked[],
  keeping: ReadonlyMap<string, Kept>,
): Promise<DraftRow[]> {
  const named = slice.flatMap(({ segment, draft }) => {
    const own = keeping.get(segment.segmentId)
    return own ? [{ segmentId: segment.segmentId, draft, all: keptOf(draft, own) }] : []
  })
  if (named.length === 0) return []
  const path = pathOf(request)
  const ids = named.map(({ segmentId }) => segmentId)
  const known = new Map(
    (await selectDrafts(hub.db.read, path, ids)).map((row) => [row.segment_id, row]),
  )
  return named.map(({ segmentId, draft, all }) => ({
    ...(known.get(segmentId) ?? emptyRow(path, segmentId)),
    version: versionOf(request, draft) + 1,
    kept: sealNote(hub, JSON.stringify(all)),
  }))
}

/** The translation as it would be delivered now. */
export async function previewTranslation(hub: Hub, call: Call, at: OneTask): Promise<FileAnswer> {
  const request = await reachTask(hub, call, at)
  const { walk } = await openTargets(hub, request)
  const joining = await packTargets(walk(), ({ segment, draft }) => targetOf(segment, draft))
  const { translated, contentType } = await joinDesk(hub, request, joining)
  const fileName = request.file_name ?? contentFileName(request.request_name)
  const bytes = 'fields' in translated ? writeFields([...translated.fields]) : translated.bytes
  return { fileName, contentType: contentType ?? mediaTypeOf(fileName), bytes: inOnePiece(bytes) }
}

async function* inOnePiece(bytes: Uint8Array | string) {
  yield bytes
}

/** The targets of a desk, for `joinDesk`. */
export async function packTargets(
  slices: AsyncIterable<readonly Walked[]>,
  target: (one: Walked) => TextParts | undefined,
): Promise<Pages> {
  const joining = openPager<Joining>()
  const pause = openPauses()
  for await (const slice of slices)
    for (const one of slice) {
      const text = target(one)
      const { unit, tags } = one.segment
      if (text) joining.add({ unit, tags, target: text })
      await pause()
    }
  return joining.finish()
}
