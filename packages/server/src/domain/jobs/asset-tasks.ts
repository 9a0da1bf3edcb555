/** Asset tasks: the requests of a job as its provider works on them (contract, section 8). */
import {
  type AssetTask,
  type AssetTaskChange,
  assetTaskAsks,
  assetTaskNames,
  formatTime,
  HubError,
  requestStatusesNamed,
} from '@dragoman/contract'
import type { Hub } from '../../hub.ts'
import type { Db } from '../../store/engine.ts'
import type { Page } from '../../store/page.ts'
import type { JobRow } from '../../store/tables.ts'
import type { Call } from '../access/caller.ts'
import { extensionOf } from '../files/media-types.ts'
import type { Form } from '../files/sas.ts'
import { findStored, type LinkTo, linkTo, mustBeStored, readWhole } from '../files/serve.ts'
import { holdContent } from '../formats/in-flight.ts'
import { activity } from './change-job.ts'
import { contentFileName, linkToContent, mustBeFieldsSize, readFields } from './content-file.ts'
import { checkAct } from './find-job.ts'
import { mustFindRequest, mustFindRequests } from './find-request.ts'
import { freeReplaced } from './free-translations.ts'
import { cutPage, type Paging, pageSizeOf, placeOf } from './job-contents.ts'
import { updateJob } from './job-rows.ts'
import { type Moving, moveRequests, type RequestAlso } from './move-requests.ts'
import { lockProviderJob, reachProviderJob } from './provider-jobs.ts'
import { type RequestWithFile, replaceRequests, selectRequests } from './request-rows.ts'
import { addContents } from './sealed-contents.ts'
import { type Fields, mustBeContent, newContent } from './source-content.ts'

export type TaskPath = { readonly providerId: string; readonly jobId: string }
export type OneTask = TaskPath & { readonly assetTaskId: string }

export async function listAssetTasks(
  hub: Hub,
  call: Call,
  at: TaskPath,
  asked: Paging & { statusCode?: readonly string[] },
): Promise<Page<AssetTask>> {
  const { siteId } = call.caller
  await reachProviderJob(hub, call, at.providerId, at.jobId)
  const list = `assetTasks:${at.jobId}`
  const place = placeOf(hub, siteId, list, asked)
  const names = place.filter === undefined ? asked.statusCode : place.filter.split(',').filter(Boolean)
  const filter = names?.length ? { statuses: names.flatMap(requestStatusesNamed) } : {}
  const after = place.after === undefined ? {} : { after: place.after }
  const rows = await selectRequests(hub.engine.read, siteId, at.jobId, filter, {
    ...after,
    limit: pageSizeOf(asked) + 1,
  })
  return cutPage(hub, siteId, list, asked, rows, describeTask, names?.join(',') ?? '')
}

export async function findAssetTask(hub: Hub, call: Call, at: OneTask): Promise<AssetTask> {
  return describeTask(await reachTask(hub, call, at))
}

export async function reachTask(hub: Hub, call: Call, at: OneTask): Promise<RequestWithFile> {
  await reachProviderJob(hub, call, at.providerId, at.jobId)
  return mustFindRequest(hub.engine.read, call.caller.siteId, at.jobId, at.assetTaskId)
}

/** Where the bytes to be translated are; keys and values come as their XML file. */
export async function findAssetTaskSource(hub: Hub, call: Call, at: OneTask, form: Form): Promise<LinkTo> {
  const request = await reachTask(hub, call, at)
  if (request.file_id === null) return linkToContent(hub, call.caller, request, request.content_id ?? '', form)
  return linkTo(hub, call.caller, await mustBeStored(hub, call.caller.siteId, at.jobId, request.file_id), form)
}

export async function changeAssetTasks(
  hub: Hub,
  call: Call,
  at: TaskPath,
  assetTaskIds: readonly string[],
  input: AssetTaskChange,
): Promise<{ items: AssetTask[] }> {
  const { siteId } = call.caller
  const ids = [...new Set(assetTaskIds)]
  const arrived = input.statusCode === 'TRANSLATION_SUBMITTED' ? await readArrived(hub, call, at, ids) : undefined
  return hub.engine.transact(async (tx) => {
    let job = await lockProviderJob(tx, call, at.providerId, at.jobId)
    // Tasks of a cancelled job are cancelled already: saying so again is no delivery.
    checkAct(job, job.status === 'CANCELLED' && input.statusCode === 'CANCELLED' ? 'reachContents' : 'deliver')
    const found = await mustFindRequests(tx, siteId, at.jobId, ids)
    const named = alsoOf(input)
    let requests = found
    if (input.statusCode) {
      const on = assetTaskAsks[input.statusCode]
      const moving: Moving[] = []
      for (const request of requests) {
        const delivered = on === 'deliver' ? await takeArrived(hub, tx, job, request, arrived) : {}
        moving.push({ request, also: { ...named, ...delivered } })
      }
      ;({ job, requests } = await moveRequests(hub, tx, call.traceId, job, moving, on))
      const replaced = moving.map(({ request, also = {} }) => ({ before: request, after: also }))
      await freeReplaced(hub, tx, job, call.traceId, replaced)
    }
    if (input.hasError) {
      const failing = { errorMessage: input.errorMessage ?? 'The provider reported an error.' }
      const moving = requests.map((request) => ({ request, also: named }))
      ;({ requests } = await moveRequests(hub, tx, call.traceId, job, moving, 'fail', failing))
    } else if (Object.keys(named).length > 0) {
      // Those that did not move: no state was named, or they were already so.
      const change = { ...named, modified_at: hub.clock.now() }
      const kept = requests.filter((one, at) => one === found[at]).map((one) => ({ ...one, ...change }))
      await replaceRequests(tx, kept)
      if (kept.length > 0) await updateJob(tx, job.site_id, job.job_id, activity(hub))
      requests = requests.map((one) => kept.find(({ request_id }) => request_id === one.request_id) ?? one)
    }
    return { items: requests.map(describeTask) }
  })
}

/** What a change says beside the state. `{}` for the metadata leaves what is there, as in every PATCH. */
const alsoOf = ({ providerReference, extendedMetadata = {} }: AssetTaskChange): RequestAlso => ({
  ...(providerReference === undefined ? {} : { provider_reference: providerReference }),
  ...(Object.keys(extendedMetadata).length === 0 ? {} : { extended_metadata: JSON.stringify(extendedMetadata) }),
})

/** Key-value files that arrived, read before the transaction: by the id of the file. */
type Arrived = Map<string, Fields | undefined>

async function readArrived(hub: Hub, call: Call, at: TaskPath, ids: readonly string[]): Promise<Arrived> {
  const { siteId } = call.caller
  await reachProviderJob(hub, call, at.providerId, at.jobId)
  const arrived: Arrived = new Map()
  for (const request of await mustFindRequests(hub.engine.read, siteId, at.jobId, ids)) {
    const fileId = request.incoming_file_id
    if (fileId === null) continue
    const file = await findStored(hub, siteId, at.jobId, fileId)
    if (!file) throw notReady(request)
    const isFields = request.content_id !== null
    if (isFields) mustBeFieldsSize(file.size)
    const read = async () => readFields(await readWhole(hub, file))
    arrived.set(file.file_id, isFields ? await holdContent('here', siteId, file.size, read) : undefined)
  }
  return arrived
}

/** What was sent becomes the translation. A delivery without anything new stands by what was delivered before. */
async function takeArrived(
  hub: Hub,
  tx: Db,
  job: JobRow,
  request: RequestWithFile,
  arrived?: Arrived,
): Promise<RequestAlso> {
  const { incoming_file_id: fileId, incoming_content_id: contentId } = request
  const taken = { incoming_file_id: null, incoming_content_id: null }
  if (contentId !== null) return { ...taken, translation_content_id: contentId, translation_file_id: null }
  if (fileId === null) {
    if (request.translation_file_id === null && request.translation_content_id === null) throw notReady(request)
    return {}
  }
  if (!arrived?.has(fileId)) throw notReady(request)
  const fields = arrived.get(fileId)
  if (!fields) return { ...taken, translation_file_id: fileId, translation_content_id: null }
  mustBeContent(fields, 'fields')
  const content = newContent(hub, job.site_id, job.job_id, fields)
  await addContents(hub, tx, job.site_id, job.job_id, [content])
  return { ...taken, translation_content_id: content.content_id, translation_file_id: null }
}

const notReady = (request: RequestWithFile): HubError =>
  new HubError('TRANSLATION_NOT_READY', {
    requestId: request.request_id,
    because:
      request.incoming_file_id === null
        ? 'nothing has been uploaded; send a translatedFile or translatedContent first.'
        : 'its bytes have not all come, or their transfer has expired; upload them, or ask for a new translatedFile.',
  })

export function describeTask(request: RequestWithFile): AssetTask {
  const filename = request.file_name ?? contentFileName(request.request_name)
  const translated = request.incoming_file_id ?? request.translation_file_id
  const task: AssetTask = {
    assetTaskId: request.request_id,
    jobId: request.job_id,
    requestName: request.request_name,
    sourceNativeId: request.source_native_id,
    filename,
    filetype: extensionOf(filename),
    statusCode: assetTaskNames[request.status],
    hasError: request.has_error === 1,
    sourceNativeLanguageCode: request.source_language,
    targetNativeLanguageCode: request.target_language,
    createdDate: formatTime(request.created_at),
    modifiedDate: formatTime(request.modified_at),
  }
  if (request.file_id !== null) task.fileId = request.file_id
  if (request.error_message !== null) task.latestErrorMessage = request.error_message
  if (request.reject_note !== null) task.rejectNote = request.reject_note
  if (translated !== null) task.translatedFileId = translated
  if (request.provider_reference !== null) task.providerReference = request.provider_reference
  if (request.extended_metadata !== null) task.extendedMetadata = JSON.parse(request.extended_metadata)
  return task
}
