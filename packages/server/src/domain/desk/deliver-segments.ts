/**
 * Delivers the targets of a request as its translation, and shows what would be delivered. The
 * content is joined before the transaction.
 */
import { type AssetTask, type FileAnswer, HubError, type SegmentDelivery } from '@dragoman/contract'
import type { Hub } from '../../hub.ts'
import type { DraftRow } from '../../store/tables.ts'
import type { Call } from '../access/caller.ts'
import { mediaTypeOf } from '../files/media-types.ts'
import { sealNote } from '../files/seals/notes.ts'
import { describeNamed, type OneTask, reachTask, reachWithJob } from '../handover/asset-tasks.ts'
import { storeTranslation } from '../handover/deliver-batch.ts'
import { checkAct } from '../jobs/find-job.ts'
import { contentFileName, writeFields } from '../jobs/requests/content-file.ts'
import type { OneRequest } from '../jobs/requests/request.ts'
import { mustPass } from './check-desk.ts'
import { mustHold } from './claims.ts'
import { commitDeliveries } from './commit-deliveries.ts'
import {
  type Draft,
  draftsById,
  emptyRow,
  isDone,
  isSameTarget,
  stateOf,
  targetOf,
  versionOf,
} from './describe-segment.ts'
import type { DeskSegment } from './desk-segments.ts'
import { measureEffort } from './effort.ts'
import { joinDesk } from './join-desk.ts'
import { pathOf } from './list-segments.ts'
import { openDesk } from './open-desk.ts'
import { selectDraftMark, selectDrafts } from './segment-rows.ts'

export async function deliverSegments(
  hub: Hub,
  call: Call,
  at: OneTask,
  { kept = [] }: SegmentDelivery = {},
): Promise<AssetTask> {
  const { job, request } = await reachWithJob(hub, call, at)
  checkAct(job, 'deliver')
  await mustHold(hub.db.read, call, at, request)
  const read = await readDrafts(hub, request)
  const { segments, drafts, mark } = read
  const open = segments.filter(
    (one) => !isDone(stateOf(one, drafts.get(one.segmentId), request)),
  ).length
  if (open > 0) throw new HubError('SEGMENTS_OPEN', { open }, { also: { open } })
  const warnings = await mustPass(hub, request, { segments, drafts, kept })
  const isSame = segments.every((segment) => isDelivered(segment, drafts.get(segment.segmentId)))
  const finalOf = (one: DeskSegment) => targetOf(one, drafts.get(one.segmentId))
  const effort = await measureEffort(hub, request, { segments, drafts, targetOf: finalOf })
  const { translated, contentType } = await joinDesk(hub, request, segments, finalOf)
  const stored = await storeTranslation(hub, request, translated, contentType)
  const rows = rowsWithKept(hub, request, read, kept)
  const prepared = [
    { request, stored, warnings, targets: { mark, isSame, rows, bytes: 0, effort } },
  ]
  return commitDeliveries(hub, call, { at, prepared }, (tx, [now]) =>
    describeNamed(hub, tx, now ?? request),
  )
}

const isDelivered = (segment: DeskSegment, draft: Draft | undefined): boolean => {
  if (!draft?.target) return segment.origin === 'DELIVERY'
  const delivered = draft.delivered ?? (segment.origin === 'DELIVERY' ? segment.target : undefined)
  return isSameTarget(draft.target, delivered)
}

/** What is kept at the delivery stands at its segments, beside what was kept before. */
function rowsWithKept(
  hub: Hub,
  request: OneRequest,
  { rows, drafts, segments }: Awaited<ReturnType<typeof readDrafts>>,
  kept: NonNullable<SegmentDelivery['kept']>,
): DraftRow[] {
  const known = new Map(rows.map((row) => [row.segment_id, row]))
  const named = new Set(kept.map(({ segmentId }) => segmentId))
  return segments.flatMap(({ segmentId }) => {
    if (!named.has(segmentId)) return []
    const draft = drafts.get(segmentId)
    const own = kept.filter((one) => one.segmentId === segmentId)
    const checks = new Set(own.map(({ check }) => check))
    const all = [
      ...(draft?.kept ?? []).filter(({ check }) => !checks.has(check)),
      ...own.map(({ check, reason }) => ({ check, reason })),
    ]
    const row = known.get(segmentId) ?? emptyRow(pathOf(request), segmentId)
    const version = versionOf(request, draft) + 1
    return [{ ...row, version, kept: sealNote(hub, JSON.stringify(all)) }]
  })
}

export async function readDrafts(hub: Hub, request: OneRequest) {
  const path = pathOf(request)
  // Before the drafts: one that is written in between makes the delivery fail, not wrong.
  const mark = await selectDraftMark(hub.db.read, path, request)
  const segments = await openDesk(hub, request)
  const rows = await selectDrafts(hub.db.read, path)
  return { mark, segments, rows, drafts: draftsById(hub, rows) }
}

/** The translation as it would be delivered now. */
export async function previewTranslation(hub: Hub, call: Call, at: OneTask): Promise<FileAnswer> {
  const request = await reachTask(hub, call, at)
  const { segments, drafts } = await readDrafts(hub, request)
  const { translated, contentType } = await joinDesk(hub, request, segments, (one) =>
    targetOf(one, drafts.get(one.segmentId)),
  )
  const fileName = request.file_name ?? contentFileName(request.request_name)
  const bytes = 'fields' in translated ? writeFields([...translated.fields]) : translated.bytes
  return { fileName, contentType: contentType ?? mediaTypeOf(fileName), bytes: inOnePiece(bytes) }
}

async function* inOnePiece(bytes: Uint8Array | string) {
  yield bytes
}
