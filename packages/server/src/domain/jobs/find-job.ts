/** Finds one job of the caller's site. An id of another site fails like an unknown id. */
import {
  type Act,
  type FormatOptions,
  HubError,
  type JsonBytes,
  refusalFor,
} from '@dragoman/contract'
import type { Hub } from '../../hub.ts'
import type { Db } from '../../store/database.ts'
import type { JobRow } from '../../store/tables.ts'
import type { Call } from '../access/caller.ts'
import { writeJob } from './job-json-cache.ts'
import {
  type JobState,
  selectJob,
  selectJobLocked,
  selectState,
  sumContentBytes,
} from './job-rows.ts'

export type { JobState } from './job-rows.ts'

export async function findJob(
  hub: Hub,
  call: Call,
  jobId: string,
  asked: { aggregateRequests?: boolean } = {},
): Promise<JsonBytes> {
  return (await writeJob(hub, call.caller, jobId, asked.aggregateRequests)) ?? missing(jobId)
}

export async function mustFindJob(db: Db, siteId: string, jobId: string): Promise<JobRow> {
  return (await selectJob(db, siteId, jobId)) ?? missing(jobId)
}

/** Locks the job for a change in this transaction and checks that its status allows the act. */
export async function mustAllow(tx: Db, siteId: string, jobId: string, act: Act): Promise<JobRow> {
  const job = (await selectJobLocked(tx, siteId, jobId)) ?? missing(jobId)
  checkAct(job, act)
  return job
}

/** Refuses the act if the table in allowed.ts does. */
export function checkAct(job: Omit<JobState, 'provider_id'>, act: Act): void {
  const code = refusalFor(act, job.status, job.archive_status)
  if (code)
    throw new HubError(code, {
      jobId: job.job_id,
      status: job.status,
      archiveStatus: job.archive_status,
    })
}

/** The job, if it still exists: for tasks, whose job may have been deleted. */
export const findIfAny = selectJob
export const findStateIfAny = selectState
export const lockIfAny = selectJobLocked
export const contentBytesOf = sumContentBytes

/** How the job's files are read: what is text in them, and whether it is cut into sentences. */
export async function readingOf(
  db: Db,
  siteId: string,
  jobId: string,
): Promise<{ options: FormatOptions | undefined; isCut: boolean }> {
  const job = await selectJob(db, siteId, jobId)
  const options = job?.format_options
    ? (JSON.parse(job.format_options) as FormatOptions)
    : undefined
  return { options, isCut: job?.segmentation === 'SENTENCES' }
}

/** Locks the job, whatever its status. */
export async function lockJob(tx: Db, siteId: string, jobId: string): Promise<JobRow> {
  return (await selectJobLocked(tx, siteId, jobId)) ?? missing(jobId)
}

function missing(jobId: string): never {
  throw new HubError('JOB_NOT_FOUND', { jobId })
}
