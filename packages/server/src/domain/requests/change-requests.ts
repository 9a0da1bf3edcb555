/** Changes and deletes requests of a job before submission; several at once all or none. */
import type { Endpoints, Input, JobRequest, RequestChange } from '@dragoman/contract'
import type { Hub } from '../../hub.ts'
import type { Page } from '../../store/page.ts'
import type { Call } from '../access/caller.ts'
import { mustFitBytes } from '../access/site-bytes.ts'
import { mustAllow } from '../jobs/find-job.ts'
import { touchJob } from '../jobs/job-activity.ts'
import { sumOf } from './content-rows.ts'
import { describeRequest } from './describe-request.ts'
import { detectFormats, formatColumns } from './detect-formats.ts'
import { mustFindRequest, mustFindRequests } from './find-request.ts'
import type { RequestWithFile } from './request.ts'
import { removeRequest, replaceRequests } from './request-rows.ts'
import { checkSource, refusal, resolveSources, type SourceColumns } from './request-source.ts'
import { addContents } from './sealed-contents.ts'
import { mustFitContents } from './source-content.ts'

type Body<N extends keyof Endpoints> = Input<Endpoints[N]>['body']
/** A change of one request, and the path of its id in the body. */
type Change = { readonly requestId: string; readonly change: RequestChange; readonly path: string }

export async function changeRequest(
  hub: Hub,
  call: Call,
  jobId: string,
  requestId: string,
  change: RequestChange,
): Promise<JobRequest> {
  checkSource(change, '', false)
  const [request] = await changeAll(hub, call, jobId, [{ requestId, change, path: '' }])
  if (!request) throw new Error(`The change of request ${requestId} has no result.`)
  return request
}

export async function changeRequests(
  hub: Hub,
  call: Call,
  jobId: string,
  body: Body<'changeRequests'>,
): Promise<Page<JobRequest>> {
  if (!Array.isArray(body)) return sameChange(hub, call, jobId, body.requestIds, body.requestsUpdate)
  for (const [at, change] of body.entries()) checkSource(change, `[${at}]`, false)
  const changes = body.map((change, at) => ({ requestId: change.requestId, change, path: `[${at}].requestId` }))
  return { items: await changeAll(hub, call, jobId, changes) }
}

export const updateFileContent = (hub: Hub, call: Call, jobId: string, body: Body<'updateFileContent'>) =>
  sameChange(hub, call, jobId, body.requestIds, { fmsFileId: body.fmsFileId })

async function sameChange(
  hub: Hub,
  call: Call,
  jobId: string,
  requestIds: readonly string[],
  change: RequestChange,
): Promise<Page<JobRequest>> {
  checkSource(change, 'requestsUpdate', false)
  const changes = requestIds.map((requestId, at) => ({ requestId, change, path: `requestIds[${at}]` }))
  return { items: await changeAll(hub, call, jobId, changes) }
}

/** Returns the changed requests in the order of `changes`. */
async function changeAll(hub: Hub, call: Call, jobId: string, changes: readonly Change[]): Promise<JobRequest[]> {
  const { siteId } = call.caller
  mustDiffer(changes)
  const detected = await detectFormats(
    hub,
    siteId,
    jobId,
    changes.map(({ change }) => change),
  )
  return hub.engine.transact(async (tx) => {
    await mustAllow(tx, siteId, jobId, 'changeRequests')
    const ids = changes.map(({ requestId }) => requestId)
    const before = await mustFindRequests(tx, siteId, jobId, ids)
    const sources = [...new Set(changes.map(({ change }) => change))]
    const { contents, columnsOf } = await resolveSources(hub, tx, siteId, jobId, sources)
    await mustFitContents(tx, call, jobId, contents.length)
    if (contents.length > 0) await mustFitBytes(hub, tx, call.caller, sumOf(contents))
    await addContents(hub, tx, siteId, jobId, contents)
    const now = hub.clock.now()
    const after = before.map((row, at) => {
      const change = changes[at]?.change ?? {}
      return changed(row, change, columnsOf(change), formatColumns(detected, change), now)
    })
    const different = after.filter((row, at) => row !== before[at])
    await replaceRequests(tx, different)
    if (different.length > 0) await touchJob({ hub, tx }, { site_id: siteId, job_id: jobId })
    return after.map(describeRequest)
  })
}

function mustDiffer(changes: readonly Change[]): void {
  const seen = new Set<string>()
  for (const { requestId, path } of changes) {
    if (seen.has(requestId)) throw refusal(path, `names the request ${requestId} a second time`)
    seen.add(requestId)
  }
}

/** Returns the changed row, or the same object if nothing changes. */
function changed(
  row: RequestWithFile,
  change: RequestChange,
  source: SourceColumns | undefined,
  format: ReturnType<typeof formatColumns>,
  now: number,
): RequestWithFile {
  const { extendedMetadata } = change
  const given: Partial<RequestWithFile> = {
    ...(change.requestName !== undefined && { request_name: change.requestName }),
    ...(change.sourceNativeId !== undefined && { source_native_id: change.sourceNativeId }),
    ...(change.sourceNativeLanguageCode !== undefined && { source_language: change.sourceNativeLanguageCode }),
    ...(change.targetNativeId !== undefined && { target_native_id: change.targetNativeId }),
    ...(change.targetNativeLanguageCode !== undefined && { target_language: change.targetNativeLanguageCode }),
    ...(change.wordCount !== undefined && { word_count: change.wordCount }),
    // Deployed clients send `{}` with every change, so `{}` changes nothing.
    ...(extendedMetadata !== undefined &&
      Object.keys(extendedMetadata).length > 0 && { extended_metadata: JSON.stringify(extendedMetadata) }),
    ...source,
    ...((source || change.format !== undefined) && format),
  }
  return Object.keys(given).length === 0 ? row : { ...row, ...given, modified_at: now }
}

export function deleteRequest(hub: Hub, call: Call, jobId: string, requestId: string): Promise<JobRequest> {
  const { siteId } = call.caller
  return hub.engine.transact(async (tx) => {
    await mustAllow(tx, siteId, jobId, 'deleteRequest')
    const row = await mustFindRequest(tx, siteId, jobId, requestId)
    await removeRequest(tx, siteId, jobId, requestId)
    await touchJob({ hub, tx }, { site_id: siteId, job_id: jobId })
    return describeRequest(row)
  })
}
