/**
 * Jobs as their provider sees them (contract, section 8): only jobs sent to one of the caller's
 * providers, with the provider's names for statuses and a shortened description.
 */
import {
  formatTime,
  HubError,
  isAlready,
  isSentToProvider,
  jobMoves,
  jobStatuses,
  jobStatusesNamed,
  limits,
  type ProviderJob,
  type ProviderJobChange,
  providerJobAsks,
  providerJobNames,
} from '@dragoman/contract'
import type { Hub } from '../../hub.ts'
import type { Db } from '../../store/database.ts'
import { mustMatch, openCursor, type Page, sealCursor } from '../../store/page.ts'
import type { JobRow } from '../../store/tables.ts'
import { type Call, mayCall } from '../access/caller.ts'
import { mustFindProvider } from '../engines/providers.ts'
import { openNote } from '../files/seals/notes.ts'
import { checkAct, findStateIfAny, type JobState, lockJob, mustFindJob } from '../jobs/find-job.ts'
import { activity, touchJob } from '../jobs/job-activity.ts'
import { readSentJobs } from '../jobs/list-jobs.ts'
import { cancelRequests } from '../jobs/managing/cancel-job.ts'
import { moveJob } from '../jobs/move.ts'
import { countSeen, jobsSeen } from '../jobs/work.ts'
import { mustManage } from './hold-task.ts'
import { countInJobs, type JobCounts } from './provider-job-rows.ts'

/**
 * Fails unless the caller owns the provider. A provider of someone else answers like an unknown
 * one.
 */
export async function mustOwnProvider(db: Db, call: Call, providerId: string): Promise<void> {
  mustBeIts(call, providerId)
  await mustFindProvider(db, call.caller.siteId, providerId)
}

function mustBeIts({ caller }: Call, providerId: string): void {
  if (!mayCall(caller, 'admin') && !caller.providerIds.includes(providerId))
    throw new HubError('PROVIDER_NOT_FOUND', { providerId })
}

/** A provider sees a job only once it was sent. */
export function mustBeSent(job: JobState, providerId: string): void {
  if (job.provider_id !== providerId || !isSentToProvider(job.status))
    throw new HubError('JOB_NOT_FOUND', { jobId: job.job_id })
}

/** The provider of a job that was sent. */
export function providerOf({ job_id, provider_id }: JobRow): string {
  if (provider_id === null) throw new Error(`Job ${job_id} was sent without a provider.`)
  return provider_id
}

export async function lockProviderJob(
  tx: Db,
  call: Call,
  providerId: string,
  jobId: string,
): Promise<JobRow> {
  await mustOwnProvider(tx, call, providerId)
  const job = await lockJob(tx, call.caller.siteId, jobId)
  mustBeSent(job, providerId)
  return job
}

/** The job, if its contents may be read. */
export const reachProviderJob = async (
  hub: Hub,
  call: Call,
  providerId: string,
  jobId: string,
): Promise<JobState> =>
  (await reachWith(hub.db.read, call, { providerId, jobId }, async () => {})).job

/**
 * And what `read` finds or locks, which comes first. PostgreSQL is asked for both at once, so
 * `read` must not fail if it finds nothing.
 */
export async function reachWith<T>(
  db: Db,
  call: Call,
  { providerId, jobId }: { readonly providerId: string; readonly jobId: string },
  read: (db: Db) => Promise<T>,
): Promise<{ job: JobState; found: T }> {
  const { siteId } = call.caller
  mustBeIts(call, providerId)
  const [found, job] = await Promise.all([read(db), findStateIfAny(db, siteId, jobId)])
  // A provider with jobs is never removed.
  if (job?.provider_id !== providerId) await mustFindProvider(db, siteId, providerId)
  if (!job) throw new HubError('JOB_NOT_FOUND', { jobId })
  mustBeSent(job, providerId)
  checkAct(job, 'reachContents')
  return { job, found }
}

type Listing = {
  navNext?: string
  pageSize?: number
  statusCode?: readonly string[]
  filter?: string
  isAcknowledged?: boolean
}
type ProviderJobsQuery = Pick<Listing, 'statusCode' | 'filter' | 'isAcknowledged'>

/** What the caller asked for, as a cursor keeps it. */
const askedIn = ({ statusCode, filter, isAcknowledged }: ProviderJobsQuery): string | undefined =>
  statusCode?.length || filter || isAcknowledged !== undefined
    ? JSON.stringify({
        ...(statusCode?.length && { statusCode }),
        ...(filter && { filter }),
        ...(isAcknowledged !== undefined && { isAcknowledged }),
      })
    : undefined

export async function listProviderJobs(
  hub: Hub,
  call: Call,
  providerId: string,
  asked: Listing,
): Promise<Page<ProviderJob>> {
  const db = hub.db.read
  const { siteId } = call.caller
  await mustOwnProvider(db, call, providerId)
  const list = `providers:${providerId}:jobs`
  const sent = askedIn(asked)
  const cursor = asked.navNext
    ? mustMatch(
        openCursor(hub.vault, siteId, list, asked.navNext),
        sent === undefined ? {} : { filter: sent },
      )
    : undefined
  const kept = cursor ? cursor.filter : sent
  const {
    statusCode = [],
    filter,
    isAcknowledged,
  } = (kept ? JSON.parse(kept) : {}) as ProviderJobsQuery
  const limit = asked.pageSize ?? limits.pageItems
  const rows = await readSentJobs(db, siteId, {
    providerId,
    statuses:
      statusCode.length > 0
        ? statusCode.flatMap(jobStatusesNamed)
        : jobStatuses.filter(isSentToProvider),
    ...(filter ? { filter } : {}),
    ...(isAcknowledged === undefined ? {} : { acknowledged: isAcknowledged }),
    ...(cursor ? { after: cursor.key } : {}),
    limit: limit + 1,
  })
  const page = rows.slice(0, limit)
  const jobIds = page.map((job) => job.job_id)
  const seen = await jobsSeen(hub, call.caller, jobIds)
  const counts = await countsOf(db, call, jobIds)
  const items = page
    .filter((job) => seen.has(job.job_id))
    .map((job) => describe(hub, job, counts.get(job.job_id)))
  const last = page.at(-1)
  if (rows.length <= limit || !last) return { items }
  const key = [last.created_at, last.job_id]
  return {
    items,
    next: sealCursor(hub.vault, siteId, { list, key, ...(kept ? { filter: kept } : {}) }),
  }
}

export async function findProviderJob(
  hub: Hub,
  call: Call,
  providerId: string,
  jobId: string,
): Promise<ProviderJob> {
  const db = hub.db.read
  await mustOwnProvider(db, call, providerId)
  const job = await mustFindJob(db, call.caller.siteId, jobId)
  mustBeSent(job, providerId)
  return show(hub, db, call, job)
}

/**
 * Moves only the job, except that cancelling it also cancels its requests. A job error creates an
 * update without request ids. If the job already has the status, nothing moves, but the other
 * fields are saved.
 */
export function changeProviderJob(
  hub: Hub,
  call: Call,
  { providerId, jobId }: { readonly providerId: string; readonly jobId: string },
  input: ProviderJobChange,
): Promise<ProviderJob> {
  return hub.db.transact(async (tx) => {
    const change = { hub, tx, causeId: call.traceId }
    if (input.statusCode && providerJobAsks[input.statusCode] === 'cancel') mustManage(call)
    let job = await lockProviderJob(tx, call, providerId, jobId)
    checkAct(job, 'reachContents')
    if (job.status === 'COMPLETED' && (input.statusCode || input.hasError)) checkAct(job, 'deliver')
    const named =
      input.providerReference === undefined ? {} : { provider_reference: input.providerReference }
    if (input.statusCode) {
      const on = providerJobAsks[input.statusCode]
      if (on === 'cancel') job = await cancelRequests(change, job)
      if (!isAlready(jobMoves, job.status, on))
        job = await moveJob(change, job, on, { ...activity(hub), ...named })
      else if (input.providerReference !== undefined) job = await touchJob(change, job, named)
    }
    const errorMessage = input.errorMessage ?? 'The provider reported an error.'
    const isTold = job.has_error === 1 && openNote(hub, job.error_message) === errorMessage
    if (input.hasError && !isTold)
      job = await moveJob(change, job, 'fail', { ...activity(hub), ...named, errorMessage })
    else if (input.hasError === false && job.has_error === 1)
      job = await touchJob(change, job, { ...named, has_error: 0, error_message: null })
    else if (!input.statusCode && isNew(job, named)) job = await touchJob(change, job, named)
    return show(hub, tx, call, job)
  })
}

/** Whether the change says anything that the job does not say yet. */
const isNew = (job: JobRow, { provider_reference: given }: { provider_reference?: string }) =>
  given !== undefined && given !== job.provider_reference

export function acknowledgeProviderJob(
  hub: Hub,
  call: Call,
  providerId: string,
  jobId: string,
): Promise<ProviderJob> {
  return hub.db.transact(async (tx) => {
    const job = await lockProviderJob(tx, call, providerId, jobId)
    checkAct(job, 'reachContents')
    if (job.acknowledged === 1) return show(hub, tx, call, job)
    return show(hub, tx, call, await touchJob({ hub, tx }, job, { acknowledged: 1 }))
  })
}

/** Counts only the requests that the caller sees. */
async function countsOf(db: Db, { caller }: Call, jobIds: readonly string[]) {
  const counts = await countInJobs(db, caller.siteId, jobIds)
  const seen = await countSeen(db, caller, jobIds)
  for (const [jobId, count] of seen ? counts : []) count.requests = seen?.get(jobId) ?? 0
  return counts
}

async function show(hub: Hub, db: Db, call: Call, job: JobRow): Promise<ProviderJob> {
  return describe(hub, job, (await countsOf(db, call, [job.job_id])).get(job.job_id))
}

function describe(
  hub: Hub,
  job: JobRow,
  counts: JobCounts = { requests: 0, assets: 0 },
): ProviderJob {
  const [description, message] = [openNote(hub, job.description), openNote(hub, job.error_message)]
  const shown: ProviderJob = {
    jobId: job.job_id,
    jobName: job.job_name,
    statusCode: providerJobNames[job.status] as ProviderJob['statusCode'],
    hasError: job.has_error === 1,
    creatorId: job.creator_id,
    siteId: job.site_id,
    archived: job.archived === 1,
    providerId: providerOf(job),
    createdDate: formatTime(job.created_at),
    modifiedDate: formatTime(job.modified_at),
    assetTaskCount: counts.requests,
    supportAssetTaskCount: counts.assets,
    isAcknowledged: job.acknowledged === 1,
  }
  // Cut by code points, so that no character is split.
  if (description !== null)
    shown.description = [...description].slice(0, limits.descriptionCharacters).join('')
  if (message !== null) shown.latestErrorMessage = message
  if (job.submitter_id !== null) shown.submitterId = job.submitter_id
  if (job.labels !== null) shown.labels = JSON.parse(job.labels)
  if (job.provider_reference !== null) shown.providerReference = job.provider_reference
  if (job.po_reference !== null) shown.poReference = job.po_reference
  if (job.due_at !== null) shown.dueDate = formatTime(job.due_at)
  if (job.submitted_at !== null) shown.submittedDate = formatTime(job.submitted_at)
  if (job.should_quote !== null) shown.shouldQuote = job.should_quote === 1
  if (job.service_type !== null) shown.serviceType = job.service_type
  if (job.connector_name !== null) shown.connectorName = job.connector_name
  if (job.connector_version !== null) shown.connectorVersion = job.connector_version
  if (job.analysis_codes !== null) shown.analysisCodes = JSON.parse(job.analysis_codes)
  if (job.custom_data !== null) shown.customData = job.custom_data
  if (job.extended_metadata !== null) shown.extendedMetadata = JSON.parse(job.extended_metadata)
  if (job.global_tracking_id !== null) shown.globalTrackingId = job.global_tracking_id
  return shown
}
