/** Creates a job in the caller's site: CREATED and active. */
import { addDuration, type Job, type NewJob } from '@dragoman/contract'
import type { Hub } from '../../hub.ts'
import type { Db } from '../../store/database.ts'
import { newJobId } from '../../store/ids.ts'
import type { JobRow } from '../../store/tables.ts'
import type { Call } from '../access/caller.ts'
import { once } from '../access/once.ts'
import { metadataBytes, storeBytes } from '../access/site-bytes.ts'
import { mustAcceptMetadata, mustBeEnabled, mustFindProvider } from '../engines/providers.ts'
import { formatOptionsFor } from '../settings/format-options.ts'
import { jobCodeRows } from '../settings/job-codes.ts'
import { withDueTime } from '../settings/site-settings.ts'
import { describeJob } from './describe-job.ts'
import { insertCodes } from './job-code-rows.ts'
import { fieldsOf, labelRows, noFields } from './job-fields.ts'
import { insertJob } from './job-rows.ts'
import { hubIdOf, mustNotLoop } from './sent-on.ts'

export async function createJob(hub: Hub, call: Call, input: NewJob): Promise<Job> {
  if (input.hops) mustNotLoop(await hubIdOf(hub), input.hops)
  return once(hub, call, (tx) => addJob(hub, tx, call, input))
}

/** The same inside a transaction. */
export async function addJob(hub: Hub, tx: Db, call: Call, input: NewJob): Promise<Job> {
  const { siteId, clientId } = call.caller
  if (input.providerId) {
    const provider = await mustFindProvider(tx, siteId, input.providerId)
    mustBeEnabled(provider)
    if (input.extendedMetadata) mustAcceptMetadata(provider, input.extendedMetadata)
  }
  const formatOptions = await formatOptionsFor(tx, siteId, input.formatOptions)
  const timed = await withDueTime(tx, siteId, input)
  const now = hub.clock.now()
  const row: JobRow = {
    ...noFields,
    ...(fieldsOf(hub, { ...timed, ...(formatOptions && { formatOptions }) }) as Partial<JobRow>),
    ...(input.hops && { hops: JSON.stringify(input.hops) }),
    job_id: newJobId(),
    site_id: siteId,
    job_name: input.jobName,
    status: 'CREATED',
    archive_status: 'ACTIVE',
    archived: 0,
    has_error: 0,
    acknowledged: 0,
    version: 1,
    creator_id: clientId,
    created_at: now,
    modified_at: now,
    activity_at: now,
    archival_at: addDuration(now, hub.config.archiveAfter),
    cause_id: call.traceId,
  }
  await storeBytes(hub, tx, call.caller, metadataBytes(row.extended_metadata))
  await insertJob(tx, row, labelRows(input.labels))
  await insertCodes(tx, siteId, row.job_id, jobCodeRows(input.analysisCodes ?? []))
  return describeJob(hub, row)
}
