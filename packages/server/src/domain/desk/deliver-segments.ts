/**
 * Delivers the targets of a request as its translation, and shows what would be delivered. The content is joined before the
 * transaction, which takes it only if no target has changed in the meantime.
 */
import { type AssetTask, type FileAnswer, HubError, type SegmentDelivery } from '@dragoman/contract'
import type { Hub } from '../../hub.ts'
import type { Call } from '../access/caller.ts'
import { once } from '../access/once.ts'
import { mediaTypeOf } from '../files/media-types.ts'
import { describeNamed, type OneTask, reachTask } from '../handover/asset-tasks.ts'
import { blobOf, placeTranslation, storeTranslation } from '../handover/deliver-batch.ts'
import { lockProviderJob, reachProviderJob } from '../handover/provider-jobs.ts'
import { checkAct } from '../jobs/find-job.ts'
import { contentFileName, writeFields } from '../requests/content-file.ts'
import { mustFindRequest } from '../requests/find-request.ts'
import { freeReplaced } from '../requests/free-translations.ts'
import { moveRequests } from '../requests/move-requests.ts'
import type { WholeRequest } from '../requests/request.ts'
import { mustPass } from './check-desk.ts'
import { mustHold } from './claims.ts'
import { draftsById, stateOf, targetOf } from './describe-segment.ts'
import { joinDesk } from './join-desk.ts'
import { pathOf } from './list-segments.ts'
import { openDesk } from './open-desk.ts'
import { lockRequest, noteDelivery, selectDraftMark, selectDrafts } from './segment-rows.ts'

export async function deliverSegments(
  hub: Hub,
  call: Call,
  at: OneTask,
  { kept = [] }: SegmentDelivery = {},
): Promise<AssetTask> {
  checkAct(await reachProviderJob(hub, call, at.providerId, at.jobId), 'deliver')
  const request = await reachTask(hub, call, at)
  await mustHold(hub.engine.read, call, at, request)
  const path = pathOf(request)
  const { segments, drafts, mark } = await readDrafts(hub, request)
  const open = segments.filter((one) => !isDone(stateOf(one, drafts.get(one.segmentId)))).length
  if (open > 0) throw new HubError('SEGMENTS_OPEN', { open }, { also: { open } })
  const warnings = await mustPass(hub, request, { segments, drafts, kept })
  const isSame = [...drafts.values()].every(({ target, delivered }) => equal(target, delivered))
  const { translated, contentType } = await joinDesk(hub, request, segments, (one) =>
    targetOf(one, drafts.get(one.segmentId)),
  )
  const stored = await storeTranslation(hub, request, translated, contentType)
  /** False also if a repeated call got the answer of the first one. */
  let isUsed = false
  const drop = async () => {
    for (const blobId of blobOf(stored)) await hub.blobs.remove(blobId)
  }
  try {
    const task = await once(hub, call, async (tx) => {
      isUsed = false
      const change = { hub, tx, causeId: call.traceId }
      const job = await lockProviderJob(tx, call, at.providerId, at.jobId)
      checkAct(job, 'deliver')
      await lockRequest(tx, path)
      const fresh = await mustFindRequest(tx, path.siteId, path.jobId, path.requestId)
      await mustHold(tx, call, at, fresh)
      const version = await selectDraftMark(tx, path)
      // The same again: perhaps the answer to the first call was lost.
      if (version === mark && isSame && fresh.status === 'REVIEW_TRANSLATION') return describeNamed(hub, tx, fresh)
      if (version !== mark) throw new HubError('VERSION_CONFLICT', { sent: mark, version })
      const also = { ...(await placeTranslation(change, job, request, stored)), warnings, forced: 0 }
      const { requests } = await moveRequests(change, job, [{ request: fresh, also }], { on: 'deliver' })
      await freeReplaced(change, job, [{ before: fresh, after: also }])
      await noteDelivery(tx, path)
      isUsed = true
      return describeNamed(hub, tx, requests[0] ?? fresh)
    })
    if (!isUsed) await drop()
    return task
  } catch (error) {
    // After any other error the row may be there all the same.
    if (error instanceof HubError) await drop()
    throw error
  }
}

const equal = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other)

const isDone = (state: string): boolean => state === 'TRANSLATED' || state === 'APPROVED'

async function readDrafts(hub: Hub, request: WholeRequest) {
  const path = pathOf(request)
  // Before the drafts: one that is written in between makes the delivery fail, not wrong.
  const mark = await selectDraftMark(hub.engine.read, path)
  const segments = await openDesk(hub, request)
  return { mark, segments, drafts: draftsById(hub, await selectDrafts(hub.engine.read, path)) }
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
