/** Changes a job before submission, and deletes a job that is not in progress. */
import type { Job, JobChange } from '@dragoman/contract'
import type { Hub } from '../../hub.ts'
import type { Call } from '../access/caller.ts'
import { metadataBytes, storeBytes } from '../access/site-bytes.ts'
import { mustAcceptMetadata, mustFindProvider } from '../engines/providers.ts'
import { formatOptionsFor } from '../settings/format-options.ts'
import { jobCodeRows } from '../settings/job-codes.ts'
import { withDueTime } from '../settings/site-settings.ts'
import { describeJob } from './describe-job.ts'
import { mustAllow } from './find-job.ts'
import { activity } from './job-activity.ts'
import { replaceCodes } from './job-code-rows.ts'
import { fieldsOf, labelRows } from './job-fields.ts'
import { replaceLabels, updateJob } from './job-rows.ts'
import { removeLockedJob } from './remove-job.ts'

export function changeJob(hub: Hub, call: Call, jobId: string, given: JobChange): Promise<Job> {
  const { siteId } = call.caller
  const input = withoutEmpty(given)
  return hub.db.transact(async (tx) => {
    const job = await mustAllow(tx, siteId, jobId, 'changeJob')
    const providerId = input.providerId ?? job.provider_id
    if (providerId && (input.providerId || input.extendedMetadata)) {
      const provider = await mustFindProvider(tx, siteId, providerId)
      const metadata =
        input.extendedMetadata ?? (job.extended_metadata && JSON.parse(job.extended_metadata))
      if (metadata) mustAcceptMetadata(provider, metadata)
    }
    const { formatOptions: given } = input
    const formatOptions = given && (await formatOptionsFor(tx, siteId, given))
    const timed = await withDueTime(tx, siteId, input)
    const change = fieldsOf(hub, { ...timed, ...(formatOptions && { formatOptions }) })
    if (Object.keys(change).length === 0) return describeJob(hub, job)
    if (change.extended_metadata !== undefined) {
      const more = metadataBytes(change.extended_metadata) - metadataBytes(job.extended_metadata)
      await storeBytes(hub, tx, call.caller, more)
    }
    if (input.labels) await replaceLabels(tx, siteId, jobId, labelRows(input.labels))
    if (input.analysisCodes) await replaceCodes(tx, siteId, jobId, jobCodeRows(input.analysisCodes))
    return describeJob(hub, await updateJob(tx, siteId, jobId, { ...change, ...activity(hub) }))
  })
}

/**
 * Deployed clients send `{}` for metadata and labels with every change, so `{}` changes nothing.
 * The list `[]` removes all labels.
 */
function withoutEmpty(input: JobChange): JobChange {
  const { extendedMetadata, labels, ...rest } = input
  return {
    ...rest,
    ...(isEmptyObject(extendedMetadata) ? {} : { extendedMetadata }),
    ...(isEmptyObject(labels) ? {} : { labels }),
  }
}

const isEmptyObject = (value: object | undefined): boolean =>
  value === undefined || (!Array.isArray(value) && Object.keys(value).length === 0)

export function deleteJob(hub: Hub, call: Call, jobId: string): Promise<Job> {
  const { siteId } = call.caller
  return hub.db.transact(async (tx) => {
    const job = await mustAllow(tx, siteId, jobId, 'deleteJob')
    await removeLockedJob({ hub, tx, causeId: call.traceId }, job)
    return describeJob(hub, job)
  })
}
