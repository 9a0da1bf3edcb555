/**
 * Delivers the targets of a request as its translation, and shows what would be delivered. The
 * content is joined before the transaction.
 */
import { type AssetTask, type FileAnswer, HubError, type SegmentDelivery } from '@dragoman/contract'
import type { Hub } from '../../hub.ts'
import type { Call } from '../access/caller.ts'
import { mediaTypeOf } from '../files/media-types.ts'
import { describeNamed, type OneTask, reachTask, reachWithJob } from '../handover/asset-tasks.ts'
import { storeTranslation } from '../handover/deliver-batch.ts'
import { checkAct } from '../jobs/find-job.ts'
import { contentFileName, writeFields } from '../jobs/requests/content-file.ts'
import type { OneRequest } from '../jobs/requests/request.ts'
import { mustPass } from './check-desk.ts'
import { mustHold } from './claims.ts'
import { commitDeliveries } from './commit-deliveries.ts'
import { draftsById, isDone, stateOf, targetOf } from './describe-segment.ts'
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
  const { segments, drafts, mark } = await readDrafts(hub, request)
  const open = segments.filter((one) => !isDone(stateOf(one, drafts.get(one.segmentId)))).length
  if (open > 0) throw new HubError('SEGMENTS_OPEN', { open }, { also: { open } })
  const warnings = await mustPass(hub, request, { segments, drafts, kept })
  const isSame = [...drafts.values()].every(({ target, delivered }) => equal(target, delivered))
  const finalOf = (one: DeskSegment) => targetOf(one, drafts.get(one.segmentId))
  const effort = await measureEffort(hub, request, { segments, drafts, targetOf: finalOf })
  const { translated, contentType } = await joinDesk(hub, request, segments, finalOf)
  const stored = await storeTranslation(hub, request, translated, contentType)
  const prepared = [
    { request, stored, warnings, targets: { mark, isSame, rows: [], bytes: 0, effort } },
  ]
  return commitDeliveries(hub, call, { at, prepared }, (tx, [now]) =>
    describeNamed(hub, tx, now ?? request),
  )
}

const equal = (one: unknown, other: unknown): boolean =>
  JSON.stringify(one) === JSON.stringify(other)

export async function readDrafts(hub: Hub, request: OneRequest) {
  const path = pathOf(request)
  // Before the drafts: one that is written in between makes the delivery fail, not wrong.
  const mark = await selectDraftMark(hub.db.read, path)
  const segments = await openDesk(hub, request)
  return { mark, segments, drafts: draftsById(hub, await selectDrafts(hub.db.read, path)) }
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
