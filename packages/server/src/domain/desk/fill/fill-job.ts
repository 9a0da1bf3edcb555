/**
 * The task of the hand-over: fills every request of a job as its provider asks for it. People may
 * begin meanwhile; what they write stays. A limit of the engine makes the rest wait for it.
 */
import { findMove, requestMoves } from '@dragoman/contract'
import type { Hub } from '../../../hub.ts'
import { finishTask, keepTask, postponeTask, type Task } from '../../../store/tasks/hold-tasks.ts'
import { countBytes } from '../../access/site-bytes.ts'
import { mustFindEngine } from '../../engines/find-engine.ts'
import { findProviderIfAny } from '../../engines/providers.ts'
import { type FillPayload, fillOf } from '../../handover/fill-later.ts'
import { findIfAny } from '../../jobs/find-job.ts'
import { findRequestIfAny, lockRequestIfAny } from '../../jobs/requests/find-request.ts'
import type { OneRequest } from '../../jobs/requests/request.ts'
import { readRange } from '../../jobs/requests/requests-of-job.ts'
import { ifSegments } from '../team/count-desk.ts'
import { fillDesk } from './fill-desk.ts'
import { type FillEngine, goesOnAt, openFillEngine } from './open-fill-engine.ts'

/** Requests that are read at once. */
const batchSize = 100

/** Nobody has begun to deliver it. */
const mayFill = ({ status }: Pick<OneRequest, 'status'>): boolean =>
  findMove(requestMoves, status, 'deliver') !== undefined && status !== 'TRANSLATION_APPROVED'

export async function fillJob(hub: Hub, task: Task): Promise<'settled'> {
  const { siteId, jobId } = task.payload as FillPayload
  const { read } = hub.db
  const job = await findIfAny(read, siteId, jobId)
  const provider = job?.provider_id
    ? await findProviderIfAny(read, siteId, job.provider_id)
    : undefined
  const fill = provider && fillOf(provider)
  const engine = fill?.from.includes('ENGINE')
    ? openFillEngine(
        hub,
        await mustFindEngine(read, siteId, {
          providerId: fill.providerId,
          path: 'fill/providerId',
        }),
      )
    : undefined
  for (let after = 0; fill; ) {
    const range = { after, until: Number.MAX_SAFE_INTEGER, limit: batchSize }
    const requests = await readRange(read, siteId, jobId, range)
    for (const { request_id } of requests) {
      const request = await findRequestIfAny(read, siteId, jobId, request_id)
      if (!request || !mayFill(request)) continue
      await ifSegments(() =>
        fillDesk(hub, request, fill, { engine, changedBy: 'hub', locked: locked(hub, request) }),
      )
      await hub.db.transact((tx) => keepTask(tx, task))
    }
    after = requests.at(-1)?.position ?? after
    if (requests.length < batchSize) break
  }
  return settle(hub, task, engine)
}

/** A request that was delivered or taken away in the meantime is left alone. */
const locked =
  (
    hub: Hub,
    { site_id, job_id, request_id }: OneRequest,
  ): Parameters<typeof fillDesk>[3]['locked'] =>
  (write) =>
    hub.db.transact(async (tx) => {
      const now = await lockRequestIfAny(tx, site_id, job_id, request_id)
      if (!now || !mayFill(now)) return
      await countBytes(hub.db, tx, site_id, await write(tx, now))
    })

async function settle(hub: Hub, task: Task, engine: FillEngine | undefined): Promise<'settled'> {
  const stopped = engine?.stopped()
  const until = stopped && goesOnAt(stopped)
  // Tried again as any task that fails.
  if (stopped && until === undefined) throw stopped
  await hub.db.transact(async (tx) => {
    if (until === undefined) await finishTask(tx, task)
    else await postponeTask(tx, task, until)
  })
  return 'settled'
}
