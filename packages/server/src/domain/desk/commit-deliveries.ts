/**
 * Delivers translations that are stored already, of one asset task or of many, in one transaction:
 * all of them or none. What was prepared from targets is taken only if no target has changed in the
 * meantime.
 */
import { HubError } from '@dragoman/contract'
import type { Change, Hub } from '../../hub.ts'
import type { Db } from '../../store/database.ts'
import type { DraftRow, EngineEffortRow, JobRow, RiskVerdictRow } from '../../store/tables.ts'
import type { Call } from '../access/caller.ts'
import { once } from '../access/once.ts'
import { storeBytes } from '../access/site-bytes.ts'
import { type MachineEdit, measureEdits, teach } from '../engines/quality/learn-risk.ts'
import { standsDelivered, type TaskPath } from '../handover/asset-tasks.ts'
import { blobOf, placeTranslation, type StoredTranslation } from '../handover/deliver-batch.ts'
import { lockProviderJob } from '../handover/provider-jobs.ts'
import { checkAct } from '../jobs/find-job.ts'
import { type Delivering, deliverRequests } from '../jobs/requests/deliveries/deliver-requests.ts'
import { readFormers } from '../jobs/requests/deliveries/former-targets.ts'
import { mustFindRequest } from '../jobs/requests/find-request.ts'
import type { RequestWithFile, WholeRequest } from '../jobs/requests/request.ts'
import { type Holding, mustHold } from './claims.ts'
import { replaceEffort } from './effort-rows.ts'
import { lockRequest, selectDraftMark, writeDrafts } from './segment-rows.ts'
import { pathOf } from './walk-desk.ts'

export type Prepared = {
  readonly request: RequestWithFile
  readonly stored: StoredTranslation
  /** Sentences for the reviewer, as JSON. */
  readonly warnings: string | null
  /** Absent if the translation came as a file. */
  readonly targets?: {
    /** As it was before the targets were read. */
    readonly mark: number
    /** Whether they have been delivered as they are. */
    readonly isSame: boolean
    /** Targets to write before they are delivered, and the bytes that they add. */
    readonly rows: readonly DraftRow[]
    readonly bytes: number
    /** This is what people changed in the suggestions of engines. */
    readonly effort: readonly EngineEffortRow[]
    readonly edits: readonly MachineEdit[]
  }
}

type Delivery = {
  readonly at: TaskPath
  readonly prepared: readonly Prepared[]
  readonly as?: Holding
}

/** `answer` gets the requests in the order given, as they are now. */
export async function commitDeliveries<T>(
  hub: Hub,
  call: Call,
  { at, prepared, as }: Delivery,
  answer: (tx: Db, requests: readonly WholeRequest[]) => Promise<T>,
): Promise<T> {
  /** Nothing also if a repeated call got the answer of the first one. */
  let used = new Set<Prepared>()
  const drop = async () => {
    for (const one of prepared)
      if (!used.has(one)) for (const blobId of blobOf(one.stored)) await hub.blobs.remove(blobId)
  }
  try {
    const formers = await readFormers(
      hub,
      prepared.map(({ request }) => request),
    )
    const taught = new Map<Prepared, readonly RiskVerdictRow[]>()
    for (const one of prepared)
      if (one.targets) taught.set(one, await measureEdits(hub, placeOf(one), one.targets.edits))
    const given = await once(hub, call, async (tx) => {
      used = new Set()
      const change = { hub, tx, causeId: call.traceId }
      const job = await lockProviderJob(tx, call, at.providerId, at.jobId)
      checkAct(job, 'deliver')
      const requests: WholeRequest[] = []
      const delivering: Delivering<WholeRequest>[] = []
      for (const one of prepared) {
        const fresh = await freshOf(tx, call, one, as)
        requests.push(fresh)
        if (await isThere(tx, one, fresh)) continue
        used.add(one)
        const also = await place(change, call, job, one)
        delivering.push({ request: fresh, also, fromDesk: one.targets !== undefined })
      }
      const moved = await deliverRequests(change, job, delivering, formers)
      for (const { request, targets } of used)
        if (targets) await replaceEffort(tx, pathOf(request), targets.effort)
      await teach(
        change,
        [...used].flatMap((one) => taught.get(one) ?? []),
      )
      const now = new Map(moved.requests.map((request) => [request.request_id, request]))
      return answer(
        tx,
        requests.map((request) => now.get(request.request_id) ?? request),
      )
    })
    await drop()
    return given
  } catch (error) {
    // After any other error the rows may be there all the same.
    if (error instanceof HubError) {
      used = new Set()
      await drop()
    }
    throw error
  }
}

const placeOf = ({ request }: Prepared) => ({
  place: { site_id: request.site_id, job_id: request.job_id, request_id: request.request_id },
  languages: { sourceLanguage: request.source_language, targetLanguage: request.target_language },
})

async function freshOf(
  tx: Db,
  call: Call,
  { request }: Prepared,
  as: Holding | undefined,
): Promise<WholeRequest> {
  const path = pathOf(request)
  await lockRequest(tx, path)
  const fresh = await mustFindRequest(tx, path.siteId, path.jobId, path.requestId)
  await mustHold(tx, call, fresh, as)
  return fresh
}

/** The same again: perhaps the answer to the first call was lost. */
async function isThere(
  tx: Db,
  { request, targets }: Prepared,
  fresh: WholeRequest,
): Promise<boolean> {
  if (!targets) return false
  const version = await selectDraftMark(tx, pathOf(request), fresh)
  if (version !== targets.mark)
    throw new HubError('VERSION_CONFLICT', { sent: targets.mark, version })
  return targets.isSame && standsDelivered(fresh)
}

async function place(
  change: Change,
  call: Call,
  job: JobRow,
  { request, stored, warnings, targets }: Prepared,
) {
  const { hub, tx } = change
  if (targets && targets.rows.length > 0) {
    await storeBytes(hub, tx, call.caller, targets.bytes)
    // Under the lock of the request and with the mark as it was, nobody else can have written one.
    if ((await writeDrafts(tx, targets.rows)) < targets.rows.length)
      throw new Error('A draft was not written.')
  }
  return { ...(await placeTranslation(change, job, request, stored)), warnings, forced: 0 }
}
