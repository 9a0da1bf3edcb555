/**
 * Submits a job (contract, sections 5 and 11). All checks run first; then one transaction moves the
 * job and its requests to SENDING and adds the task that sends them. If the process dies after
 * that, the task remains.
 */
import {
  findMove,
  HubError,
  isAlready,
  type Job,
  jobMoves,
  movesFrom,
  type RequestMove,
  requestMoves,
} from '@dragoman/contract'
import type { Change, Hub } from '../../hub.ts'
import type { Db } from '../../store/database.ts'
import { newTrackingId } from '../../store/ids.ts'
import type { JobRow, ProviderRow } from '../../store/tables.ts'
import { addTasks } from '../../store/tasks/add-tasks.ts'
import { finishTask, type Task } from '../../store/tasks/hold-tasks.ts'
import { unparkKey } from '../../store/tasks/reschedule-groups.ts'
import { type Call, creatorOf } from '../access/caller.ts'
import { once } from '../access/once.ts'
import type { Beyond } from '../engines/drivers/driver.ts'
import { driverOf } from '../engines/drivers/drivers.ts'
import { listEnabledProviders, mustFindProvider, mustTakeWork } from '../engines/providers.ts'
import { describeJob } from '../jobs/describe-job.ts'
import { checkAct, findIfAny, lockIfAny, lockJob } from '../jobs/find-job.ts'
import { fixCodes } from '../jobs/fix-codes.ts'
import { activity, writeSentOn } from '../jobs/job-activity.ts'
import { moveJob } from '../jobs/move.ts'
import { queueNewWork } from '../jobs/queue-mail.ts'
import { moveBatchSize, moveRequests } from '../jobs/requests/move-requests.ts'
import { carryOver } from '../jobs/requests/newer/carry-over.ts'
import { supersedeOlder } from '../jobs/requests/newer/supersede.ts'
import {
  countOpen,
  measureRequests,
  readMovable,
  readUnready,
} from '../jobs/requests/requests-of-job.ts'
import { followSoon, mustHaveHopsLeft, sentOn } from '../jobs/sent-on.ts'
import { mustTakeUpdates } from '../listeners/updates/updates.ts'
import { mustAcceptAllMetadata } from './accept-metadata.ts'
import { announceAssets } from './announce-assets.ts'
import { fillLater } from './fill-later.ts'
import { providerOf } from './provider-jobs.ts'
import { askLanguages, mustSpeak } from './provider-languages.ts'
import { quoteLater } from './quoting/quote-job.ts'
import { mustStillHold, RouteChanged, routeJob } from './routing/route-job.ts'
import { translateLater } from './translate-requests.ts'

const sendTask = 'send-job'

/**
 * How often a job or rules that change between the choice of a provider and the submission are
 * looked at again.
 */
const maxRoutes = 10

export async function submitJob(
  hub: Hub,
  call: Call,
  jobId: string,
  asked: { providerId?: string } = {},
): Promise<Job> {
  for (let tried = 1; ; tried += 1) {
    try {
      return await submitOnce(hub, call, jobId, asked)
    } catch (error) {
      if (!(error instanceof RouteChanged)) throw error
      if (tried === maxRoutes)
        throw new HubError('SERVICE_UNAVAILABLE', {
          because: 'the job or the routing rules keep changing.',
        })
    }
  }
}

async function submitOnce(
  hub: Hub,
  call: Call,
  jobId: string,
  asked: { providerId?: string },
): Promise<Job> {
  const { siteId } = call.caller
  await mustBeSame(hub, siteId, jobId, asked.providerId)
  const route = asked.providerId === undefined ? await routeJob(hub, siteId, jobId) : undefined
  const providerId = asked.providerId ?? route?.providerId
  const spoken = await askLanguages(hub, siteId, jobId, providerId)
  return hub.db.transact(async (tx) => {
    const change = { hub, tx, causeId: call.traceId }
    const job = await lockJob(tx, siteId, jobId)
    checkAct(job, 'moveJob')
    mustHaveProvider(job, asked.providerId)
    if (!findMove(jobMoves, job.status, 'submit'))
      return describeJob(hub, await moveJob(change, job, 'submit'))
    if (asked.providerId === undefined) await mustStillHold(tx, job, route)
    const provider = await mustBeReady(change, call, job, providerId)
    await mustSpeak(tx, job, provider, spoken)
    if (driverOf(provider.type_id)?.sendsTo)
      mustHaveHopsLeft((job.hops ? JSON.parse(job.hops) : []).length + 1)
    const now = hub.clock.now()
    await supersedeOlder(change, job)
    await mustHaveOpen(tx, job)
    const moved = await moveJob(change, job, 'submit', {
      ...activity(hub),
      provider_id: provider.provider_id,
      ...(route && { routed_by: JSON.stringify(route.routedBy) }),
      submitter_id: creatorOf(call.caller),
      submitted_at: now,
      global_tracking_id: newTrackingId(),
    })
    await moveBatch(change, moved, { on: 'submit', limit: Number.MAX_SAFE_INTEGER })
    await addSendTask(change, siteId, jobId)
    await quoteLater(change, moved)
    return describeJob(hub, moved)
  })
}

/** Before an engine is asked for the languages of a provider that this job cannot get any more. */
async function mustBeSame(hub: Hub, siteId: string, jobId: string, providerId?: string) {
  const job = await findIfAny(hub.db.read, siteId, jobId)
  if (job) mustHaveProvider(job, providerId)
}

/** A submission is repeated with the provider that the job has; another one comes too late. */
function mustHaveProvider(job: JobRow, providerId: string | undefined): void {
  const { job_id: jobId, status } = job
  if (providerId === undefined || !isAlready(jobMoves, status, 'submit')) return
  if (providerId === job.provider_id || providerId === job.chain_id) return
  throw new HubError('JOB_ALREADY_SUBMITTED', { jobId, status })
}

/** Requests that others of the same job supersede are no work. */
async function mustHaveOpen(tx: Db, { site_id, job_id }: JobRow): Promise<void> {
  if ((await countOpen(tx, site_id, job_id)) === 0)
    throw new HubError('JOB_EMPTY', { jobId: job_id })
}

const keyOf = (jobId: string): string => `${sendTask}:${jobId}`

async function addSendTask(
  { hub, tx, causeId }: Change,
  siteId: string,
  jobId: string,
): Promise<void> {
  const now = hub.clock.now()
  const payload = { siteId, jobId }
  await addTasks(hub.db, tx, now, [
    { name: sendTask, payload, siteId, key: keyOf(jobId), dueAt: now, causeId },
  ])
}

/**
 * Makes the task of a job that stays in SENDING due now, or adds it if there is none. False if the
 * job has moved on.
 */
export async function sendLater(change: Change, siteId: string, jobId: string): Promise<boolean> {
  const { hub, tx } = change
  const job = await lockIfAny(tx, siteId, jobId)
  if (!job || !findMove(jobMoves, job.status, 'sent')) return false
  await addSendTask(change, siteId, jobId)
  await unparkKey(hub.db, tx, keyOf(jobId), hub.clock.now())
  return true
}

/** Runs every check on a submission and returns the provider. */
async function mustBeReady(
  { hub, tx }: Change,
  call: Call,
  job: JobRow,
  providerId?: string,
): Promise<ProviderRow> {
  const { siteId } = call.caller
  const provider = await chooseProvider(tx, siteId, job, providerId ?? job.provider_id ?? undefined)
  await mustTakeWork(tx, provider)
  const { count } = await measureRequests(tx, siteId, job.job_id)
  if (count === 0) throw new HubError('JOB_EMPTY', { jobId: job.job_id })
  const unready = await readUnready(tx, siteId, job.job_id)
  if (unready) throw new HubError('FILE_NOT_UPLOADED', { fmsFileId: unready.file_id })
  await mustAcceptAllMetadata(tx, job, provider)
  await fixCodes(tx, job)
  await mustTakeUpdates(hub, tx, call)
  return provider
}

async function chooseProvider(
  tx: Db,
  siteId: string,
  job: JobRow,
  providerId?: string,
): Promise<ProviderRow> {
  if (providerId) return mustFindProvider(tx, siteId, providerId)
  const enabled = await listEnabledProviders(tx, siteId)
  const [only] = enabled
  if (enabled.length === 1 && only) return only
  const because = `the site has ${enabled.length} enabled providers, not exactly one`
  throw new HubError('PROVIDER_REQUIRED', { jobId: job.job_id, because })
}

type Batch = { readonly on: RequestMove; readonly limit: number }

/** Moves up to `limit` requests that can make this move, and returns how many there were. */
async function moveBatch(change: Change, job: JobRow, { on, limit }: Batch): Promise<number> {
  const requests = await readMovable(change.tx, job.site_id, job.job_id, {
    after: 0,
    statuses: movesFrom(requestMoves, on),
    limit,
  })
  const moving = requests.map((request) => ({ request }))
  await moveRequests(change, job, moving, { on })
  return requests.length
}

/**
 * The task: sends requests batch by batch. The transaction of the last batch also moves the job and
 * finishes the task.
 */
export async function sendJob(hub: Hub, task: Task): Promise<'settled'> {
  const { siteId, jobId } = task.payload as { siteId: string; jobId: string }
  const causeId = `task:${task.taskId}`
  await carryOver(hub, { siteId, jobId })
  for (let ended = false; !ended; ) {
    ended = await hub.db.transact(async (tx) => {
      const change = { hub, tx, causeId }
      const job = await lockIfAny(tx, siteId, jobId)
      if (!job || !findMove(jobMoves, job.status, 'sent')) {
        await finishTask(tx, task)
        return true
      }
      const many = await moveBatch(change, job, { on: 'sent', limit: moveBatchSize })
      if (many === moveBatchSize) return false
      await finishTask(tx, task)
      const sent = await moveJob(change, job, 'sent', activity(hub))
      await announceAssets(change, sent)
      await handOver(change, sent)
      return true
    })
  }
  return 'settled'
}

/**
 * Passes the job to the driver of its provider. Human and external providers fetch it themselves.
 */
async function handOver(change: Change, job: JobRow): Promise<void> {
  const provider = await mustFindProvider(change.tx, job.site_id, providerOf(job))
  const driver = driverOf(provider.type_id)
  if (driver?.translate) await translateLater(change, job, driver)
  else if (driver?.sendsTo) await sendOn(change, job, driver.sendsTo(provider))
  else {
    await fillLater(change, job, provider)
    await queueNewWork(change, job)
  }
}

/** Into another round if it is handed over again, unless the job is still followed there. */
async function sendOn(change: Change, job: JobRow, { url }: Beyond): Promise<void> {
  const before = sentOn(job)
  const isSame = before && !before.over && before.providerId === job.provider_id
  const state = isSame
    ? before
    : { url, providerId: providerOf(job), round: (before?.round ?? 0) + 1 }
  await followSoon(change, await writeSentOn(change.tx, job, state))
}

/** Sends the whole job to its provider again. */
export function invokeProvider(hub: Hub, call: Call, providerId: string, jobId: string) {
  const { siteId } = call.caller
  return once(hub, call, async (tx) => {
    await mustTakeWork(tx, await mustFindProvider(tx, siteId, providerId))
    const job = await lockJob(tx, siteId, jobId)
    if (job.provider_id !== providerId) throw new HubError('JOB_NOT_FOUND', { jobId })
    checkAct(job, 'invoke')
    await handOver({ hub, tx, causeId: call.traceId }, job)
    return { providerId, jobId }
  })
}
