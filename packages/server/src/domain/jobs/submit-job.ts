/**
 * Submission (contract, sections 5 and 11): every check before anything moves, then job and requests are SENDING in one
 * transaction with the task that sends them on. Whatever dies afterwards, the task is there.
 */
import { HubError, type Job, type RequestMove, type RequestStatus } from '@dragoman/contract'
import type { Hub } from '../../hub.ts'
import type { Db } from '../../store/engine.ts'
import { newTrackingId } from '../../store/ids.ts'
import type { JobRow, ProviderRow } from '../../store/tables.ts'
import { addTasks } from '../../store/tasks/add-tasks.ts'
import { finishTask, type Task } from '../../store/tasks/hold-tasks.ts'
import type { Call } from '../access/caller.ts'
import { once } from '../access/once.ts'
import { announce } from '../listeners/announce.ts'
import { driverOf } from '../providers/drivers/drivers.ts'
import { listEnabledProviders, mustAcceptMetadata, mustBeEnabled, mustFindProvider } from '../providers/providers.ts'
import { type JobCodes, mustBeVisible } from '../settings/job-codes.ts'
import { mustTakeUpdates } from '../updates/updates.ts'
import { activity } from './change-job.ts'
import { describeJob } from './describe-job.ts'
import { checkAct, lockJob } from './find-job.ts'
import { replaceCodes } from './job-code-rows.ts'
import { selectJobLocked, selectSupportAssetIds } from './job-rows.ts'
import { moveJob } from './move.ts'
import { movedTogether, moveRequests } from './move-requests.ts'
import { quoteLater } from './quote-job.ts'
import { measureRequests, selectMovable, selectUnready } from './request-rows.ts'
import { translateLater } from './translate-requests.ts'

const sendTask = 'send-job'

export function submitJob(hub: Hub, call: Call, jobId: string, asked: { providerId?: string } = {}): Promise<Job> {
  const { siteId, clientId } = call.caller
  return hub.engine.transact(async (tx) => {
    const job = await lockJob(tx, siteId, jobId)
    checkAct(job, 'moveJob')
    if (job.status !== 'CREATED') return describeJob(await moveJob(hub, tx, call.traceId, job, 'submit'))
    const provider = await mustBeReady(hub, tx, call, job, asked.providerId)
    const now = hub.clock.now()
    const moved = await moveJob(hub, tx, call.traceId, job, 'submit', {
      ...activity(hub),
      provider_id: provider.provider_id,
      submitter_id: clientId,
      submitted_at: now,
      global_tracking_id: newTrackingId(),
    })
    await moveStretch(hub, tx, call.traceId, moved, 'CREATED', 'submit', Number.MAX_SAFE_INTEGER)
    const payload = { siteId, jobId }
    const key = `${sendTask}:${jobId}`
    await addTasks(hub.engine, tx, now, [{ name: sendTask, payload, siteId, key, dueAt: now, causeId: call.traceId }])
    await quoteLater(hub, tx, call.traceId, moved)
    return describeJob(moved)
  })
}

/** Everything that can be wrong with a submission; gives back the provider it goes to. */
async function mustBeReady(hub: Hub, tx: Db, call: Call, job: JobRow, providerId?: string): Promise<ProviderRow> {
  const { siteId } = call.caller
  const provider = await chooseProvider(tx, siteId, job, providerId ?? job.provider_id ?? undefined)
  mustBeEnabled(provider)
  const { count } = await measureRequests(tx, siteId, job.job_id)
  if (count === 0) throw new HubError('JOB_EMPTY', { jobId: job.job_id })
  const unready = await selectUnready(tx, siteId, job.job_id)
  if (unready) throw new HubError('FILE_NOT_UPLOADED', { fmsFileId: unready.file_id })
  mustAcceptMetadata(provider, job.extended_metadata ? JSON.parse(job.extended_metadata) : {})
  await fixCodes(hub, tx, job)
  await mustTakeUpdates(hub, tx, call)
  return provider
}

/** From here on the job's analysis codes are the ones that its site had now. */
async function fixCodes(_hub: Hub, tx: Db, { site_id, job_id, analysis_codes }: JobRow): Promise<void> {
  if (analysis_codes === null) return
  const codes = JSON.parse(analysis_codes) as JobCodes
  await replaceCodes(tx, site_id, job_id, await mustBeVisible(tx, site_id, codes))
}

async function chooseProvider(tx: Db, siteId: string, job: JobRow, providerId?: string): Promise<ProviderRow> {
  if (providerId) return mustFindProvider(tx, siteId, providerId)
  const enabled = await listEnabledProviders(tx, siteId)
  const [only] = enabled
  if (enabled.length === 1 && only) return only
  throw new HubError('PROVIDER_REQUIRED', { jobId: job.job_id, count: enabled.length })
}

/** Those that stand so, as many as are wanted at the most; says how many there were. */
async function moveStretch(
  hub: Hub,
  tx: Db,
  causeId: string,
  job: JobRow,
  status: RequestStatus,
  on: RequestMove,
  limit: number,
): Promise<number> {
  const requests = await selectMovable(tx, job.site_id, job.job_id, { after: 0, status, limit })
  const moving = requests.map((request) => ({ request }))
  await moveRequests(hub, tx, causeId, job, moving, on)
  return requests.length
}

/** The task: requests stretch by stretch, and with the last one the job itself, in the transaction that ends the task. */
export async function sendJob(hub: Hub, task: Task): Promise<'settled'> {
  const { siteId, jobId } = task.payload as { siteId: string; jobId: string }
  const causeId = `task:${task.taskId}`
  for (let ended = false; !ended; ) {
    ended = await hub.engine.transact(async (tx) => {
      const job = await selectJobLocked(tx, siteId, jobId)
      if (job?.status !== 'SENDING') {
        await finishTask(tx, task)
        return true
      }
      const many = await moveStretch(hub, tx, causeId, job, 'SENDING', 'sent', movedTogether)
      if (many === movedTogether) return false
      await finishTask(tx, task)
      const sent = await moveJob(hub, tx, causeId, job, 'sent', activity(hub))
      await tellOfAssets(hub, tx, causeId, sent)
      await handOver(hub, tx, causeId, sent)
      return true
    })
  }
  return 'settled'
}

/** The connector heard of each when it was made; now they are the provider's business too. */
async function tellOfAssets(hub: Hub, tx: Db, causeId: string, job: JobRow): Promise<void> {
  const assets = await selectSupportAssetIds(tx, job.site_id, job.job_id)
  const event = { kind: 'support-asset', job, only: 'provider' } as const
  await announce(
    hub,
    tx,
    causeId,
    assets.map((supportassetId) => ({ ...event, supportassetId })),
  )
}

/** Gives a job to what drives its provider; people and outside providers come and fetch it themselves. */
async function handOver(hub: Hub, tx: Db, causeId: string, job: JobRow): Promise<void> {
  const provider = await mustFindProvider(tx, job.site_id, job.provider_id ?? '')
  const driver = driverOf(provider.type_id)
  if (driver?.translate) await translateLater(hub, tx, causeId, job, driver)
}

/** Re-delivery: the whole job once more, to the provider that has it. */
export function invokeProvider(hub: Hub, call: Call, providerId: string, jobId: string) {
  const { siteId } = call.caller
  return once(hub, call, async (tx) => {
    mustBeEnabled(await mustFindProvider(tx, siteId, providerId))
    const job = await lockJob(tx, siteId, jobId)
    if (job.provider_id !== providerId) throw new HubError('JOB_NOT_FOUND', { jobId })
    checkAct(job, 'invoke')
    await handOver(hub, tx, call.traceId, job)
    return { providerId, jobId }
  })
}
