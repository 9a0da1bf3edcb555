/** Asset tasks: a job's requests as its provider sees them (contract, section 8). */
import {
  type AssetTask,
  type AssetTaskChange,
  assetTaskAsks,
  assetTaskNames,
  type FormatRow,
  formatRows,
  formatTime,
  HubError,
  isAlready,
  jobMoves,
  limits,
  requestStatusesNamed,
} from '@dragoman/contract'
import type { Change, Hub } from '../../hub.ts'
import type { Db } from '../../store/database.ts'
import type { Page } from '../../store/page.ts'
import { together } from '../../store/prepared.ts'
import type { JobRow } from '../../store/tables.ts'
import type { Call } from '../access/caller.ts'
import { metadataBytes, storeBytes } from '../access/site-bytes.ts'
import { extensionOf } from '../files/media-types.ts'
import { openNote } from '../files/seals/notes.ts'
import { type LinkTo, linkTo, mustBeStored } from '../files/serve.ts'
import { selectLiving } from '../files/translation.ts'
import { checkAct, type JobState } from '../jobs/find-job.ts'
import { touchJob } from '../jobs/job-activity.ts'
import { type Paging, pageSizeOf, readCursor, toPage } from '../jobs/lists/position-pages.ts'
import { contentFileName, linkToContent } from '../jobs/requests/content-file.ts'
import { deliverRequests } from '../jobs/requests/deliveries/deliver-requests.ts'
import { type Formers, readFormers } from '../jobs/requests/deliveries/former-targets.ts'
import { describeDelivery } from '../jobs/requests/delivery-facts.ts'
import {
  findRequestIfAny,
  lockRequestIfAny,
  mustFindRequests,
} from '../jobs/requests/find-request.ts'
import { type Moving, moveRequests, type RequestAlso } from '../jobs/requests/move-requests.ts'
import type { OneRequest, RequestWithFile, WholeRequest } from '../jobs/requests/request.ts'
import {
  type Answered,
  mustFitCall,
  onlyItem,
  withMetadata,
} from '../jobs/requests/request-metadata.ts'
import {
  type FoundRequest,
  readRequests,
  updateRequests,
} from '../jobs/requests/requests-of-job.ts'
import { addContents } from '../jobs/requests/sealed-contents.ts'
import { mustBeContent, newContent } from '../jobs/requests/source-content.ts'
import { type Shared, sharesByRequest } from '../jobs/shares/shares.ts'
import { languagesOf } from '../jobs/work.ts'
import { mustHold, mustManage } from './hold-task.ts'
import { type Judged, judgeDelivery, notReady } from './judge-delivery.ts'
import { selectNames } from './provider-job-rows.ts'
import { lockProviderJob, reachProviderJob, reachWith } from './provider-jobs.ts'

export type TaskPath = { readonly providerId: string; readonly jobId: string }
export type OneTask = TaskPath & { readonly assetTaskId: string }
type SomeTasks = TaskPath & { readonly assetTaskIds: readonly string[] }

export async function listAssetTasks(
  hub: Hub,
  call: Call,
  at: TaskPath,
  asked: Paging & { statusCode?: readonly string[] },
): Promise<Page<AssetTask>> {
  const { siteId } = call.caller
  await reachProviderJob(hub, call, at.providerId, at.jobId)
  const of = { siteId, list: `assetTasks:${at.jobId}` }
  const start = readCursor(hub, of, asked)
  const names =
    start.filter === undefined ? asked.statusCode : start.filter.split(',').filter(Boolean)
  const languages = languagesOf(call.caller)
  const filter = {
    ...(names?.length && { statuses: names.flatMap(requestStatusesNamed) }),
    ...(languages && { languages }),
  }
  const after = start.after === undefined ? {} : { after: start.after }
  const rows = await readRequests(hub.db.read, siteId, at.jobId, {
    ...filter,
    ...after,
    limit: pageSizeOf(asked) + 1,
  })
  const shown = await withoutGone(hub, rows)
  const page = toPage(hub, of, asked, {
    rows: shown,
    describe: (row) => describeTask(hub, row),
    filter: names?.join(',') ?? '',
  })
  await addPeople(hub.db.read, rows, page.items)
  return page
}

export async function findAssetTask(hub: Hub, call: Call, at: OneTask): Promise<AssetTask> {
  const [task] = await withoutGone(hub, [await reachTask(hub, call, at)])
  return describeNamed(hub, hub.db.read, task as WholeRequest)
}

/** A transfer that has expired is not shown; the request waits for a new one. */
async function withoutGone(hub: Hub, rows: WholeRequest[]): Promise<WholeRequest[]> {
  const [first] = rows
  const awaited = rows.flatMap((row) => row.incoming_file_id ?? [])
  if (!first || awaited.length === 0) return rows
  const living = await selectLiving(hub, first.site_id, first.job_id, awaited)
  const isGone = (id: string | null): boolean => id !== null && !living.has(id)
  return rows.map((row) =>
    isGone(row.incoming_file_id) ? { ...row, incoming_file_id: null } : row,
  )
}

export const reachTask = async (hub: Hub, call: Call, at: OneTask): Promise<OneRequest> =>
  (await reachWithJob(hub, call, at)).request

type Reached = { readonly job: JobState; readonly request: OneRequest }

export const reachWithJob = (hub: Hub, call: Call, at: OneTask): Promise<Reached> =>
  together(hub.db.read, (db) => reachBy(findRequestIfAny, db, call, at))

/**
 * Locks the request until the transaction ends: its targets are not written while they are
 * delivered.
 */
export const lockWithJob = (tx: Db, call: Call, at: OneTask): Promise<Reached> =>
  reachBy(lockRequestIfAny, tx, call, at)

async function reachBy(
  find: typeof findRequestIfAny,
  db: Db,
  call: Call,
  at: OneTask,
): Promise<Reached> {
  const { job, found: request } = await reachWith(db, call, at, (db) =>
    find(db, call.caller.siteId, at.jobId, at.assetTaskId),
  )
  if (!request) throw new HubError('REQUEST_NOT_FOUND', { requestId: at.assetTaskId })
  return { job, request }
}

/** A link to the source; keys and values are served as an XML file. */
export async function findAssetTaskSource(hub: Hub, call: Call, at: OneTask): Promise<LinkTo> {
  const request = await reachTask(hub, call, at)
  const { file_id: fileId, content_id: contentId } = request
  if (fileId !== null)
    return linkTo(hub, call.caller, await mustBeStored(hub, call.caller.siteId, at.jobId, fileId))
  if (contentId === null)
    throw new Error(`Request ${request.request_id} has neither a file nor content.`)
  return linkToContent(hub, call.caller, { request, contentId })
}

export async function changeAssetTasks(
  hub: Hub,
  call: Call,
  { assetTaskIds, ...at }: SomeTasks,
  input: AssetTaskChange,
): Promise<Answered<AssetTask>> {
  const { siteId } = call.caller
  const ids = [...new Set(assetTaskIds)]
  const force = input.force ?? false
  const on = input.statusCode && assetTaskAsks[input.statusCode]
  if (on === 'cancel') mustManage(call)
  const named = alsoOf(input)
  mustFitCall(Buffer.byteLength(named.extended_metadata ?? '') * ids.length)
  const { judged, formers } =
    on === 'deliver' ? await judgeAll(hub, call, { ...at, assetTaskIds: ids }, force) : nothingSent
  return hub.db.transact(async (tx) => {
    const change = { hub, tx, causeId: call.traceId }
    let job = await lockProviderJob(tx, call, at.providerId, at.jobId)
    // Cancelling a task of a cancelled job changes nothing, so it is not refused as a delivery.
    checkAct(
      job,
      on === 'cancel' && isAlready(jobMoves, job.status, on) ? 'reachContents' : 'deliver',
    )
    const found = await mustFindRequests(tx, siteId, at.jobId, ids)
    for (const request of found) await mustHold(tx, call, request)
    let requests = found
    if (named.extended_metadata !== undefined) {
      const before = found.reduce((sum, { metadata_bytes }) => sum + metadata_bytes, 0)
      await storeBytes(
        hub,
        tx,
        call.caller,
        metadataBytes(named.extended_metadata) * found.length - before,
      )
    }
    if (on) {
      const moving: Moving<FoundRequest>[] = []
      for (const request of requests) {
        if (on === 'deliver' && isDelivered(request)) continue
        const one = judged.get(request.request_id)
        const delivered = on === 'deliver' ? await acceptDelivery(change, job, request, one) : {}
        moving.push({ request, also: { ...named, ...delivered } })
      }
      const moved =
        on === 'deliver'
          ? await deliverRequests(change, job, moving, formers)
          : await moveRequests(change, job, moving, { on })
      job = moved.job
      requests = newest(requests, moved.requests)
    }
    if (input.hasError) {
      const errorMessage = input.errorMessage ?? 'The provider reported an error.'
      const moving = requests
        .filter((request) => !isTold(hub, request, errorMessage))
        .map((request) => ({ request, also: named }))
      const moved = await moveRequests(change, job, moving, { on: 'fail', errorMessage })
      requests = newest(requests, moved.requests)
    }
    // Requests that did not move: the call named no status, or they already had it.
    const cleared = input.hasError === false ? { has_error: 0, error_message: null } : {}
    const columns = { ...named, ...cleared }
    const unmoved = requests.filter((one, at) => one === found[at] && differs(one, columns))
    if (unmoved.length > 0) {
      const now = { ...columns, modified_at: hub.clock.now() }
      const ids = unmoved.map(({ request_id }) => ({ request_id }))
      await updateRequests(tx, [siteId, at.jobId], now, ids)
      await touchJob(change, job)
      requests = requests.map((one) => (unmoved.includes(one) ? { ...one, ...now } : one))
    }
    const written = () => named.extended_metadata ?? undefined
    return withMetadata(hub, siteId, {
      rows: requests,
      describe: (row) => describeLight(hub, row),
      written,
    })
  })
}

/** Delivered, and neither rejected nor reported as failed since. */
export const standsDelivered = ({
  status,
  has_error,
}: Pick<RequestWithFile, 'status' | 'has_error'>): boolean =>
  has_error === 0 && (status === 'REVIEW_TRANSLATION' || status === 'TRANSLATION_APPROVED')

/** Nothing has been sent since either: to say so again changes nothing. */
const isDelivered = (request: RequestWithFile): boolean =>
  request.incoming_file_id === null &&
  request.incoming_content_id === null &&
  standsDelivered(request)

/** Whether the connector knows of this error already. */
const isTold = (hub: Hub, request: RequestWithFile, errorMessage: string): boolean =>
  request.has_error === 1 && openNote(hub, request.error_message) === errorMessage

/** Metadata is not read with the rows, so it always counts as another one. */
const differs = (request: FoundRequest, columns: RequestAlso & object): boolean =>
  Object.entries(columns).some(
    ([name, value]) =>
      name === 'extended_metadata' || request[name as keyof FoundRequest] !== value,
  )

/** The requests in their order, those that moved as they are now. */
function newest(all: readonly FoundRequest[], moved: readonly FoundRequest[]): FoundRequest[] {
  const now = new Map(moved.map((one) => [one.request_id, one]))
  return all.map((one) => now.get(one.request_id) ?? one)
}

export const changeAssetTask = async (
  hub: Hub,
  call: Call,
  { assetTaskId, ...at }: OneTask,
  input: AssetTaskChange,
): Promise<AssetTask | undefined> =>
  onlyItem(await changeAssetTasks(hub, call, { ...at, assetTaskIds: [assetTaskId] }, input))

/**
 * Columns that the change sets beside the status. As in every PATCH, `{}` leaves the metadata
 * unchanged.
 */
const alsoOf = ({ providerReference, extendedMetadata = {} }: AssetTaskChange): RequestAlso => ({
  ...(providerReference === undefined ? {} : { provider_reference: providerReference }),
  ...(Object.keys(extendedMetadata).length === 0
    ? {}
    : { extended_metadata: JSON.stringify(extendedMetadata) }),
})

type JudgedTasks = { readonly judged: ReadonlyMap<string, Judged>; readonly formers: Formers }
const nothingSent: JudgedTasks = { judged: new Map(), formers: new Map() }

/**
 * Checks the deliveries one by one, before the transaction. Returns them by request id, with what
 * they replace.
 */
async function judgeAll(
  hub: Hub,
  call: Call,
  { assetTaskIds, ...at }: SomeTasks,
  force: boolean,
): Promise<JudgedTasks> {
  await reachProviderJob(hub, call, at.providerId, at.jobId)
  const judged = new Map<string, Judged>()
  let characters = 0
  const { siteId } = call.caller
  const requests = await mustFindRequests(hub.db.read, siteId, at.jobId, assetTaskIds)
  for (const request of requests) {
    const one = await judgeDelivery(hub, request, force)
    if (one) judged.set(request.request_id, one)
    // All of them stay in memory until they are written.
    for (const { key, value } of one?.fields ?? []) characters += key.length + value.length
    if (characters > limits.deliveredBytes)
      throw new HubError('CONTENT_TOO_LARGE', {
        what: 'What this call delivers',
        limit: limits.deliveredBytes,
      })
  }
  return { judged, formers: await readFormers(hub, requests) }
}

/**
 * Turns the checked delivery into the translation. If nothing new was sent, the previous
 * translation stays.
 */
async function acceptDelivery(
  { hub, tx }: Change,
  job: JobRow,
  request: RequestWithFile,
  judged?: Judged,
): Promise<RequestAlso> {
  const { incoming_file_id: fileId, incoming_content_id: contentId } = request
  const incoming = contentId ?? fileId
  if (incoming === null) {
    if (request.translation_file_id === null && request.translation_content_id === null)
      throw notReady(request)
    return {}
  }
  // Something else was sent in the meantime and has not been checked.
  if (judged?.incoming !== incoming) throw notReady(request)
  const taken = {
    incoming_file_id: null,
    incoming_content_id: null,
    warnings: judged.warnings.length > 0 ? JSON.stringify(judged.warnings) : null,
    forced: judged.forced ? 1 : 0,
  }
  if (contentId !== null)
    return { ...taken, translation_content_id: contentId, translation_file_id: null }
  if (!judged.fields) return { ...taken, translation_file_id: fileId, translation_content_id: null }
  mustBeContent(judged.fields, 'fields')
  const content = newContent(hub.clock.now(), job.site_id, job.job_id, judged.fields)
  await addContents(hub, tx, [content])
  return { ...taken, translation_content_id: content.content_id, translation_file_id: null }
}

export function describeTask(hub: Hub, request: WholeRequest): AssetTask {
  const task = describeLight(hub, request)
  if (request.extended_metadata !== null)
    task.extendedMetadata = JSON.parse(request.extended_metadata)
  return task
}

/** Adds the name of the assignee, and the shares. */
export async function describeNamed(hub: Hub, db: Db, request: WholeRequest): Promise<AssetTask> {
  const task = describeTask(hub, request)
  await addPeople(db, [request], [task])
  return task
}

/** The names of people by id; those who are gone have none. */
export const peopleNames = selectNames

/** Who has each task, or which part of it, with their names. */
export async function addPeople(
  db: Db,
  requests: readonly Shared[],
  tasks: readonly (Pick<AssetTask, 'assignee' | 'shares'> & { readonly assetTaskId: string })[],
): Promise<void> {
  const shares = await sharesByRequest(db, requests)
  const ids = new Set([
    ...tasks.flatMap(({ assignee }) => assignee?.personId ?? []),
    ...[...shares.values()].flat().map(({ person_id }) => person_id),
  ])
  if (ids.size === 0) return
  const names = await peopleNames(db, [...ids])
  const person = (personId: string) => {
    const name = names.get(personId)
    return { personId, ...(name !== undefined && { name }) }
  }
  for (const task of tasks) {
    if (task.assignee) Object.assign(task, { assignee: person(task.assignee.personId) })
    const own = shares.get(task.assetTaskId)?.map((one) => ({
      ...person(one.person_id),
      ...{ from: one.from_position, to: one.to_position, words: one.words },
    }))
    if (own) Object.assign(task, { shares: own })
  }
}

/** As far as the row tells: a file that cannot be read has none either. */
const hasSegments = ({ content_id, format }: RequestWithFile): boolean =>
  content_id !== null || (format !== null && (formatRows[format] as FormatRow).advice === undefined)

/** Leaves out the metadata. */
function describeLight(hub: Hub, request: RequestWithFile): AssetTask {
  const filename = request.file_name ?? contentFileName(request.request_name)
  const [message, note] = [openNote(hub, request.error_message), openNote(hub, request.reject_note)]
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
  if (message !== null) task.latestErrorMessage = message
  if (note !== null) task.rejectNote = note
  if (translated !== null) task.translatedFileId = translated
  if (request.provider_reference !== null) task.providerReference = request.provider_reference
  if (request.assignee !== null) task.assignee = { personId: request.assignee }
  if (!hasSegments(request)) task.segments = false
  return Object.assign(task, describeDelivery(request))
}
