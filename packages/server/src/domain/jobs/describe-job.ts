/**
 * A job as the API shows it. Absent values are left out (contract, section 4); the door adds
 * aliases.
 */
import { formatTime, type Job } from '@dragoman/contract'
import type { Hub } from '../../hub.ts'
import type { Db } from '../../store/database.ts'
import type { JobRow } from '../../store/tables.ts'
import type { Caller } from '../access/caller.ts'
import { openNote } from '../files/seals/notes.ts'
import { countRequests } from './job-rows.ts'
import { shownUpstream } from './sent-on.ts'
import { languagesOf } from './work.ts'

type Aggregate = NonNullable<Job['aggregateRequests']>

export function describeJob(hub: Hub, row: JobRow): Job {
  const [description, message] = [openNote(hub, row.description), openNote(hub, row.error_message)]
  const job: Job = {
    jobId: row.job_id,
    jobName: row.job_name,
    statusCode: row.status,
    hasError: row.has_error === 1,
    creatorId: row.creator_id,
    siteId: row.site_id,
    createdDate: formatTime(row.created_at),
    modifiedDate: formatTime(row.modified_at),
    activityDate: formatTime(row.activity_at),
    estimatedArchivalDate: formatTime(row.archival_at),
    archived: row.archived === 1,
    archiveStatus: row.archive_status,
    segmentation: row.segmentation ?? 'PARAGRAPHS',
  }
  if (description !== null) job.description = description
  if (message !== null) job.latestErrorMessage = message
  if (row.submitter_id !== null) job.submitterId = row.submitter_id
  if (row.provider_id !== null) job.providerId = row.provider_id
  if (row.chain_id !== null) job.chainId = row.chain_id
  if (row.hops !== null) job.hops = JSON.parse(row.hops)
  if (row.upstream !== null) job.upstream = shownUpstream(row.upstream)
  if (row.routed_by !== null) job.routedBy = JSON.parse(row.routed_by)
  if (row.provider_reference !== null) job.providerReference = row.provider_reference
  if (row.po_reference !== null) job.poReference = row.po_reference
  if (row.due_at !== null) job.dueDate = formatTime(row.due_at)
  if (row.submitted_at !== null) job.submittedDate = formatTime(row.submitted_at)
  if (row.custom_data !== null) job.customData = row.custom_data
  if (row.should_quote !== null) job.shouldQuote = row.should_quote === 1
  if (row.connector_name !== null) job.connectorName = row.connector_name
  if (row.connector_version !== null) job.connectorVersion = row.connector_version
  if (row.service_type !== null) job.serviceType = row.service_type
  if (row.extended_metadata !== null) job.extendedMetadata = JSON.parse(row.extended_metadata)
  if (row.format_options !== null) job.formatOptions = JSON.parse(row.format_options)
  if (row.labels !== null) job.labels = JSON.parse(row.labels)
  if (row.global_tracking_id !== null) job.globalTrackingId = row.global_tracking_id
  if (row.source_language !== null) job.sourceNativeLanguageCode = row.source_language
  if (row.target_languages !== null)
    job.targetNativeLanguageCodes = JSON.parse(row.target_languages)
  if (row.analysis_codes !== null) job.analysisCodes = JSON.parse(row.analysis_codes)
  return job
}

/**
 * Counts each job's requests by status, of those that the caller sees. A job without requests gets
 * zeros.
 */
export async function aggregateRequests(
  db: Db,
  caller: Pick<Caller, 'siteId' | 'work'>,
  jobIds: readonly string[],
): Promise<Map<string, Aggregate>> {
  const found = new Map<string, Aggregate>(
    jobIds.map((jobId) => [jobId, { total: 0, withErrors: 0, byStatusCode: {} }]),
  )
  for (const count of await countRequests(db, caller.siteId, jobIds, languagesOf(caller))) {
    const aggregate = found.get(count.job_id)
    if (!aggregate) continue
    aggregate.total += count.total
    aggregate.withErrors += count.with_errors
    aggregate.byStatusCode[count.status] = count.total
  }
  return found
}
