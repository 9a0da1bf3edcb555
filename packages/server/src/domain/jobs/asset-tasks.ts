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
import { once } from '../access/once.ts'
import { beginTransfer, type Transfer } from '../files/begin-transfer.ts'
import { extensionOf } from '../files/media-types.ts'
import type { Form } from '../files/sas.ts'
import { type LinkTo, linkTo, mustBeStored, readWhole } from '../files/serve.ts'
import { holdContent } from '../formats/in-flight.ts'
import { contentFileName, linkToContent, mustBeFieldsSize, readFields } from './content-file.ts'
import { checkAct } from './find-job.ts'
import { mustFindRequest, mustFindRequests } from './find-request.ts'
import { cutPage, type Paging, pageSizeOf, placeOf } from './job-contents.ts'
import { type Moving, moveRequests, type RequestAlso } from './move-requests.ts'
import { lockProviderJob, reachProviderJob } from './provider-jobs.ts'
import { type RequestWithFile, replaceRequests, selectRequests } from './request-rows.ts'
import { addContents, findFields } from './sealed-contents.ts'
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
  return cutPage(hub, siteId, list, asked, rows, describe, names?.join(',') ?? '')
}

export async function findAssetTask(hub: Hub, call: Call, at: OneTask): Promise<AssetTask> {
  return describe(await reachTask(hub, call, at))
}

async function reachTask(hub: Hub, call: Call, at: OneTask): Promise<RequestWithFile> {
  await reachProviderJob(hub, call, at.providerId, at.jobId)
  return mustFindRequest(hub.engine.read, call.caller.siteId, at.jobId, at.assetTaskId)
}

/** Where the bytes to be translated are; keys and values come as their XML file. */
export async function findAssetTaskSource(hub: Hub, call: Call, at: OneTask, form: Form): Promise<LinkTo> {
  const request = await reachTask(hub, call, at)
  if (request.file_id === null) return linkToContent(hub, call.caller, request, request.content_id ?? '', form)
  return linkTo(hub, call.caller, await mustBeStored(hub, call.caller.siteId, at.jobId, request.file_id), form)
}

export function createTranslatedFile(hub: Hub, call: Call, at: OneTask): Promise<Transfer> {
  return once(hub, call, async (tx) => {
    const { job, request } = await lockTask(hub, tx, call, at)
    const name = request.file_name ?? contentFileName(request.request_name)
    const transfer = await beginTransfer(hub, tx, call, { jobId: job.job_id, name, kind: 'translation' })
    await replaceRequests(tx, [{ ...request, incoming_file_id: transfer.fileId, incoming_content_id: null }])
    return transfer
  })
}

export async function putTranslatedContent(hub: Hub, call: Call, at: OneTask, fields: Fields): Promise<AssetTask> {
  mustBeContent(fields, 'fields')
  await mustBeKnown(hub, await reachTask(hub, call, at), fields)
  return hub.engine.transact(async (tx) => {
    const { job, request } = await lockTask(hub, tx, call, at)
    if (request.content_id === null)
      throw new HubError('INVALID_REQUEST', { because: 'this asset task is a file; send it through translatedFile.' })
    const content = newContent(hub, job.site_id, job.job_id, fields)
    await addContents(hub, tx, job.site_id, job.job_id, [content])
    const changed = { ...request, incoming_content_id: content.content_id, incoming_file_id: null }
    await replaceRequests(tx, [changed])
    return describe(changed)
  })
}

/** A translation has no key that its source lacks; the source does not change any more. */
async function mustBeKnown(hub: Hub, { site_id, job_id, content_id }: RequestWithFile, fields: Fields): Promise<void> {
  const source = content_id === null ? undefined : await findFields(hub, site_id, job_id, content_id)
  if (!source) return
  const known = new Set(source.map(({ key }) => key))
  const at = fields.findIndex(({ key }) => !known.has(key))
  if (at < 0) return
  const detail = {
    path: `fields[${at}].key`,
    message: `is not a key of the source: "${fields[at]?.key.slice(0, 100)}"`,
  }
  throw new HubError('INVALID_REQUEST', { because: `${detail.path} ${detail.message}.` }, { details: [detail] })
}

async function lockTask(
  _hub: Hub,
  tx: Db,
  call: Call,
  at: OneTask,
): Promise<{ job: JobRow; request: RequestWithFile }> {
  const job = await lockProviderJob(tx, call, at.providerId, at.jobId)
  checkAct(job, 'deliver')
  return { job, request: await mustFindRequest(tx, call.caller.siteId, at.jobId, at.assetTaskId) }
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
    checkAct(job, 'deliver')
    let requests = await mustFindRequests(tx, siteId, at.jobId, ids)
    const named: RequestAlso = {
      ...(input.providerReference === undefined ? {} : { provider_reference: input.providerReference }),
      ...(input.extendedMetadata === undefined ? {} : { extended_metadata: JSON.stringify(input.extendedMetadata) }),
    }
    if (input.statusCode) {
      const on = assetTaskAsks[input.statusCode]
      const moving: Moving[] = []
      for (const request of requests) {
        const delivered = on === 'deliver' ? await takeArrived(hub, tx, job, request, arrived) : {}
        moving.push({ request, also: { ...named, ...delivered } })
      }
      ;({ job, requests } = await moveRequests(hub, tx, call.traceId, job, moving, on))
    }
    if (input.hasError) {
      const failing = { errorMessage: input.errorMessage ?? 'The provider reported an error.' }
      const moving = requests.map((request) => ({ request, also: named }))
      ;({ requests } = await moveRequests(hub, tx, call.traceId, job, moving, 'fail', failing))
    } else if (!input.statusCode && Object.keys(named).length > 0) {
      requests = requests.map((request) => ({ ...request, ...named, modified_at: hub.clock.now() }))
      await replaceRequests(tx, requests)
    }
    return { items: requests.map(describe) }
  })
}

/** Key-value files that arrived, read before the transaction: by the id of the file. */
type Arrived = Map<string, Fields | undefined>

async function readArrived(hub: Hub, call: Call, at: TaskPath, ids: readonly string[]): Promise<Arrived> {
  const { siteId } = call.caller
  await reachProviderJob(hub, call, at.providerId, at.jobId)
  const arrived: Arrived = new Map()
  for (const request of await mustFindRequests(hub.engine.read, siteId, at.jobId, ids)) {
    const fileId = request.incoming_file_id
    if (fileId === null) continue
    const file = await mustBeStored(hub, siteId, at.jobId, fileId).catch((error) => {
      if (error instanceof HubError && error.code === 'FILE_NOT_UPLOADED') throw notReady(request)
      throw error
    })
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
  new HubError('TRANSLATION_NOT_READY', { requestId: request.request_id, status: request.status })

function describe(request: RequestWithFile): AssetTask {
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
