/** Changes and deletes requests of a job before submission; several at once all or none. */
import type { Endpoints, Input, JobRequest, RequestChange } from '@dragoman/contract'
import type { Hub } from '../../hub.ts'
import type { Page } from '../../store/page.ts'
import { openPauses } from '../../store/pauses.ts'
import { yieldWholeTurn } from '../../yield-for-bytes.ts'
import type { Call } from '../access/caller.ts'
import { mustFitBytes } from '../access/site-bytes.ts'
import { mustAllow } from '../jobs/find-job.ts'
import { touchJob } from '../jobs/job-activity.ts'
import { sumOf } from './content-rows.ts'
import { describeRequest, describeWritten } from './describe-request.ts'
import { detectFormats, formatColumns } from './detect-formats.ts'
import { mustFindRequest, mustFindRequests } from './find-request.ts'
import type { RequestWithFile } from './request.ts'
import { mustFitCall } from './request-metadata.ts'
import { removeRequest, replaceRequests } from './request-rows.ts'
import { checkSource, newContents, refusal, resolveSources, type SourceColumns } from './request-source.ts'
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
  const pause = openPauses(yieldWholeTurn)
  for (const [at, change] of body.entries()) {
    checkSource(change, `[${at}]`, false)
    const wait = pause()
    if (wait) await wait
  }
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
  const sources = [...new Set(changes.map(({ change }) => change))]
  const detected = await detectFormats(hub, siteId, jobId, sources)
  const made = await newContents(hub, siteId, jobId, sources)
  const metadata = await writeMetadata(changes)
  return hub.engine.transact(async (tx) => {
    await mustAllow(tx, siteId, jobId, 'changeRequests')
    const ids = changes.map(({ requestId }) => requestId)
    const before = await mustFindRequests(tx, siteId, jobId, ids)
    const columnsOf = await resolveSources(tx, siteId, jobId, sources, made)
    const contents = [...made.values()]
    await mustFitContents(tx, call, jobId, contents.length)
    if (contents.length > 0) await mustFitBytes(hub, tx, call.caller, sumOf(contents))
    await addContents(hub, tx, siteId, jobId, contents)
    const now = hub.clock.now()
    const after = before.map((row, at) => {
      const change = changes[at]?.change ?? {}
      const given = {
        source: columnsOf(change),
        format: formatColumns(detected, change),
        metadata: metadata.get(change),
      }
      return changed(row, change, given, now)
    })
    const different = after.filter((row, at) => row !== before[at])
    await replaceRequests(tx, different)
    if (different.length > 0) await touchJob({ hub, tx }, { site_id: siteId, job_id: jobId })
    return describeAll(after, changes, metadata)
  })
}

/** The metadata of the changes as JSON, without the empty ones: deployed clients send `{}` with every change. */
type Written = ReadonlyMap<RequestChange, string>

async function writeMetadata(changes: readonly Change[]): Promise<Written> {
  const written = new Map<RequestChange, string>()
  const pause = openPauses(yieldWholeTurn)
  let bytes = 0
  for (const { change } of changes) {
    const { extendedMetadata } = change
    if (extendedMetadata === undefined || Object.keys(extendedMetadata).length === 0) continue
    const text = written.get(change) ?? JSON.stringify(extendedMetadata)
    written.set(change, text)
    bytes += Buffer.byteLength(text)
    mustFitCall(bytes)
    const wait = pause()
    if (wait) await wait
  }
  return written
}

async function describeAll(
  rows: readonly RequestWithFile[],
  changes: readonly Change[],
  metadata: Written,
): Promise<JobRequest[]> {
  const requests: JobRequest[] = []
  const pause = openPauses()
  for (const [at, row] of rows.entries()) {
    const change = changes[at]?.change
    requests.push(describeWritten(row, change && metadata.has(change) ? change.extendedMetadata : undefined))
    const wait = pause()
    if (wait) await wait
  }
  return requests
}

function mustDiffer(changes: readonly Change[]): void {
  const seen = new Set<string>()
  for (const { requestId, path } of changes) {
    if (seen.has(requestId)) throw refusal(path, `names the request ${requestId} a second time`)
    seen.add(requestId)
  }
}

type Given = {
  readonly source: SourceColumns | undefined
  readonly format: ReturnType<typeof formatColumns>
  readonly metadata: string | undefined
}

/** Returns the changed row, or the same object if nothing changes. */
function changed(
  row: RequestWithFile,
  change: RequestChange,
  { source, format, metadata }: Given,
  now: number,
): RequestWithFile {
  const given: Partial<RequestWithFile> = {
    ...(change.requestName !== undefined && { request_name: change.requestName }),
    ...(change.sourceNativeId !== undefined && { source_native_id: change.sourceNativeId }),
    ...(change.sourceNativeLanguageCode !== undefined && { source_language: change.sourceNativeLanguageCode }),
    ...(change.targetNativeId !== undefined && { target_native_id: change.targetNativeId }),
    ...(change.targetNativeLanguageCode !== undefined && { target_language: change.targetNativeLanguageCode }),
    ...(change.wordCount !== undefined && { word_count: change.wordCount }),
    ...(metadata !== undefined && { extended_metadata: metadata }),
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
