/** Changes and deletes requests of a job before submission; several at once all or none. */
import type { Endpoints, Input, JobRequest, RequestChange } from '@dragoman/contract'
import type { Hub } from '../../../hub.ts'
import type { RequestRow } from '../../../store/tables.ts'
import { openPauses, yieldWholeTurn } from '../../../turns/pauses.ts'
import type { Call } from '../../access/caller.ts'
import { countBytes, metadataBytes } from '../../access/site-bytes.ts'
import { mustAllow } from '../find-job.ts'
import { touchJob } from '../job-activity.ts'
import { describeLight, describeRequest } from './describe-request.ts'
import { detectFormats, formatColumns } from './detect-formats.ts'
import { mustFindRequest, mustFindRequests } from './find-request.ts'
import { groupBy } from './move-requests.ts'
import { type Answered, mustFitCall, onlyItem, withMetadata } from './request-metadata.ts'
import { removeRequest, updateRequests } from './request-rows.ts'
import {
  checkSource,
  newContents,
  refusal,
  resolveSources,
  type SourceColumns,
} from './request-source.ts'
import { storeContents } from './sealed-contents.ts'
import { mustFitContents } from './source-content.ts'

type Body<N extends keyof Endpoints> = Input<Endpoints[N]>['body']
type Changed = Answered<JobRequest>
/** A change of one request, and the path of its id in the body. */
type Change = { readonly requestId: string; readonly change: RequestChange; readonly path: string }

export async function changeRequest(
  hub: Hub,
  call: Call,
  { jobId, requestId }: { readonly jobId: string; readonly requestId: string },
  change: RequestChange,
): Promise<JobRequest> {
  checkSource(change, '', false)
  const request = await onlyItem(
    await changeAll(hub, call, jobId, [{ requestId, change, path: '' }]),
  )
  if (!request) throw new Error(`The change of request ${requestId} has no result.`)
  return request
}

export async function changeRequests(
  hub: Hub,
  call: Call,
  jobId: string,
  body: Body<'changeRequests'>,
): Promise<Changed> {
  if (!Array.isArray(body))
    return sameChange(hub, call, jobId, { ids: body.requestIds, change: body.requestsUpdate })
  const pause = openPauses(yieldWholeTurn)
  for (const [at, change] of body.entries()) {
    checkSource(change, `[${at}]`, false)
    const wait = pause()
    if (wait) await wait
  }
  const changes = body.map((change, at) => ({
    requestId: change.requestId,
    change,
    path: `[${at}].requestId`,
  }))
  return changeAll(hub, call, jobId, changes)
}

export const updateFileContent = (
  hub: Hub,
  call: Call,
  jobId: string,
  body: Body<'updateFileContent'>,
) => sameChange(hub, call, jobId, { ids: body.requestIds, change: { fmsFileId: body.fmsFileId } })

async function sameChange(
  hub: Hub,
  call: Call,
  jobId: string,
  { ids, change }: { readonly ids: readonly string[]; readonly change: RequestChange },
): Promise<Changed> {
  checkSource(change, 'requestsUpdate', false)
  const changes = ids.map((requestId, at) => ({ requestId, change, path: `requestIds[${at}]` }))
  return changeAll(hub, call, jobId, changes)
}

/** Returns the changed requests in the order of `changes`. */
async function changeAll(
  hub: Hub,
  call: Call,
  jobId: string,
  changes: readonly Change[],
): Promise<Changed> {
  const { siteId } = call.caller
  mustDiffer(changes)
  const sources = [...new Set(changes.map(({ change }) => change))]
  const detected = await detectFormats(hub, siteId, jobId, sources)
  const made = await newContents(hub, siteId, jobId, sources)
  const metadata = await writeMetadata(changes)
  return hub.db.transact(async (tx) => {
    await mustAllow(tx, siteId, jobId, 'changeRequests')
    const ids = changes.map(({ requestId }) => requestId)
    const before = await mustFindRequests(tx, siteId, jobId, ids)
    const columnsOf = await resolveSources(tx, { siteId, jobId }, sources, made)
    const contents = [...made.values()]
    await mustFitContents(tx, call, jobId, contents.length)
    const grown = before.reduce((sum, { metadata_bytes }, at) => {
      const text = metadata.get(changes[at]?.change ?? {})
      return text === undefined ? sum : sum + metadataBytes(text) - metadata_bytes
    }, 0)
    await storeContents(hub, tx, call.caller, { contents, metadata: grown })
    const modified_at = hub.clock.now()
    const own: Own[] = []
    const rows = before.map((row, at) => {
      const change = changes[at]?.change ?? {}
      const source = columnsOf(change)
      const columns = columnsFor(change, source, formatColumns(detected, change))
      const extended_metadata = metadata.get(change)
      const given = { ...columns, ...(extended_metadata !== undefined && { extended_metadata }) }
      if (Object.keys(given).length === 0) return row
      own.push({ request_id: row.request_id, ...given })
      return { ...row, ...columns, ...(source && { file_name: source.file_name }), modified_at }
    })
    for (const alike of groupBy(own, (one) => Object.keys(one).join()))
      await updateRequests(tx, [siteId, jobId], { modified_at }, alike)
    if (own.length > 0) await touchJob({ hub, tx }, { site_id: siteId, job_id: jobId })
    const written = (at: number): string | undefined => metadata.get(changes[at]?.change ?? {})
    return withMetadata(hub, siteId, { rows, describe: (row) => describeLight(hub, row), written })
  })
}

/**
 * The metadata of the changes as JSON, without the empty ones: deployed clients send `{}` with
 * every change.
 */
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

function mustDiffer(changes: readonly Change[]): void {
  const seen = new Set<string>()
  for (const { requestId, path } of changes) {
    if (seen.has(requestId)) throw refusal(path, `names the request ${requestId} a second time`)
    seen.add(requestId)
  }
}

type Own = Pick<RequestRow, 'request_id'> & Partial<RequestRow>

/** The columns that a change sets, beside the metadata. */
function columnsFor(
  change: RequestChange,
  source: SourceColumns | undefined,
  format: ReturnType<typeof formatColumns>,
): Partial<Omit<RequestRow, 'extended_metadata'>> {
  return {
    ...(change.requestName !== undefined && { request_name: change.requestName }),
    ...(change.sourceNativeId !== undefined && { source_native_id: change.sourceNativeId }),
    ...(change.sourceNativeLanguageCode !== undefined && {
      source_language: change.sourceNativeLanguageCode,
    }),
    ...(change.targetNativeId !== undefined && { target_native_id: change.targetNativeId }),
    ...(change.targetNativeLanguageCode !== undefined && {
      target_language: change.targetNativeLanguageCode,
    }),
    ...(change.wordCount !== undefined && { word_count: change.wordCount }),
    ...(source && { file_id: source.file_id, content_id: source.content_id }),
    ...((source || change.format !== undefined) && format),
  }
}

export function deleteRequest(
  hub: Hub,
  call: Call,
  jobId: string,
  requestId: string,
): Promise<JobRequest> {
  const { siteId } = call.caller
  return hub.db.transact(async (tx) => {
    await mustAllow(tx, siteId, jobId, 'deleteRequest')
    const row = await mustFindRequest(tx, siteId, jobId, requestId)
    await removeRequest(tx, siteId, jobId, requestId)
    await countBytes(hub.db, tx, siteId, -metadataBytes(row.extended_metadata))
    await touchJob({ hub, tx }, { site_id: siteId, job_id: jobId })
    return describeRequest(hub, row)
  })
}
