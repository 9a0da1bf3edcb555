/**
 * Stores what a driver translated, and delivers a batch of it: one transaction writes the rows,
 * makes the moves, adds a task for the remaining requests and finishes the task.
 */
import { randomUUID } from 'node:crypto'
import { findMove, type RequestStatus, refusalFor, requestMoves } from '@dragoman/contract'
import type { Change, Hub } from '../../hub.ts'
import type { Db } from '../../store/database.ts'
import { newId } from '../../store/ids.ts'
import type { JobRow, SourceContentRow } from '../../store/tables.ts'
import { addTasks } from '../../store/tasks/add-tasks.ts'
import { finishTask, type Task } from '../../store/tasks/hold-tasks.ts'
import { siblingKey } from '../../store/tasks/lanes.ts'
import type { MachineSegment, Suggested, Translated } from '../engines/drivers/driver.ts'
import { recordMachineWork } from '../engines/machine-work.ts'
import { newBlob } from '../files/blob-place.ts'
import { insertTranslation, type MadeFile } from '../files/translation.ts'
import { lockIfAny } from '../jobs/find-job.ts'
import { deliverRequests } from '../jobs/requests/deliveries/deliver-requests.ts'
import { readFormers } from '../jobs/requests/deliveries/former-targets.ts'
import { noteFailedTry } from '../jobs/requests/last-try.ts'
import { type Moving, moveRequests } from '../jobs/requests/move-requests.ts'
import type { Deliverable, RequestWithFile } from '../jobs/requests/request.ts'
import { readMovable } from '../jobs/requests/requests-of-job.ts'
import { addContents } from '../jobs/requests/sealed-contents.ts'
import { newContent } from '../jobs/requests/source-content.ts'
import { handOn, type RequestSuggestions } from './hand-on.ts'

/** The requests of a task: those with a position after `after`, up to `until`. */
export type Batch = { siteId: string; jobId: string; after: number; until: number }
/** The largest batch. */
export const maxBatch = 500
/** Whether a translation can still be delivered. */
export const isOpen = ({ status }: { status: RequestStatus }): boolean =>
  findMove(requestMoves, status, 'deliver') !== undefined

/**
 * A translation stored before the transaction: a file's bytes in the blob store, or key-value
 * content as the row to insert.
 */
type StoredBytes = Pick<MadeFile, 'blob' | 'size' | 'sha256' | 'contentType'> & {
  readonly remarks: readonly string[]
}
export type StoredTranslation = (StoredBytes | { readonly content: SourceContentRow }) & {
  readonly machine?: readonly MachineSegment[]
}
/**
 * The requests that another task must translate, after some time or at one, with the error if a try
 * failed.
 */
export type Remaining = { readonly payload: Batch; readonly error?: unknown } & (
  | { readonly inMs: number }
  | { readonly at: number }
)
export type Result = {
  request: RequestWithFile
  stored?: StoredTranslation
  suggested?: Suggested
  error?: string
}

/** Before the transaction, because it may take long. */
export async function storeTranslation(
  hub: Hub,
  { site_id, job_id }: RequestWithFile,
  translated:
    | Translated
    | {
        readonly bytes: AsyncIterable<Uint8Array>
        /** The limit of a file that somebody else sends: more bytes throw `BlobTooLarge`. */
        readonly most?: number
        readonly remarks?: undefined
        readonly machine?: undefined
      },
  contentType?: string,
): Promise<StoredTranslation> {
  const machine = translated.machine && { machine: translated.machine }
  if ('fields' in translated)
    return {
      content: newContent(hub.clock.now(), site_id, job_id, [...translated.fields]),
      ...machine,
    }
  const { bytes, remarks = [] } = translated
  const blob = newBlob(hub)
  const source = bytes instanceof Uint8Array ? once(bytes) : bytes
  const maxBytes = ('most' in translated && translated.most) || Number.MAX_SAFE_INTEGER
  const written = await blob.store.put(blob.blobId, source, { maxBytes })
  return {
    blob,
    ...written,
    remarks,
    ...machine,
    ...(contentType !== undefined && { contentType }),
  }
}

async function* once(bytes: Uint8Array) {
  yield bytes
}

/**
 * A driver's own translation is not compared with its source. Warnings about an earlier delivery no
 * longer apply.
 */
const ownWork = { warnings: null, forced: 0 } as const

export const blobOf = (stored: StoredTranslation | undefined): string[] =>
  stored && 'blob' in stored ? [stored.blob.blobId] : []

/**
 * Writes everything in one transaction, then removes the blobs of requests that moved on in the
 * meantime.
 */
export async function deliverBatch(
  hub: Hub,
  task: Task,
  done: readonly Result[],
  remaining?: Remaining,
): Promise<void> {
  const causeId = `task:${task.taskId}`
  const at = task.payload as Batch
  const replaced = done.flatMap(({ request, stored }) => (stored ? [request] : []))
  const formers = await readFormers(hub, replaced)
  const unused = await hub.db.transact(async (tx) => {
    const change = { hub, tx, causeId }
    await finishTask(tx, task)
    const job = await lockIfAny(tx, at.siteId, at.jobId)
    // Of a job that is archived or completed nothing remains: resume-work.ts begins what is missing
    // again as soon as it can be delivered.
    if (!job || refusalFor('deliver', job.status, job.archive_status))
      return done.flatMap(({ stored }) => blobOf(stored))
    if (remaining) await addRemaining(hub, tx, task, remaining)
    const fresh = await readMovable(tx, at.siteId, at.jobId, { ...at, limit: maxBatch })
    const now = new Map(fresh.map((request) => [request.request_id, request]))
    const unused: string[] = []
    const moving: Moving<Deliverable>[] = []
    const failing = new Map<string, Moving<Deliverable>[]>()
    const contents: SourceContentRow[] = []
    const suggestions: RequestSuggestions[] = []
    for (const { request: before, stored, suggested, error } of done) {
      const request = now.get(before.request_id)
      if (!request || !isOpen(request)) unused.push(...blobOf(stored))
      else if (suggested) suggestions.push({ requestId: request.request_id, suggested })
      else if (error !== undefined) failing.set(error, [...(failing.get(error) ?? []), { request }])
      else if (stored && 'blob' in stored) {
        const warnings = stored.remarks.length > 0 ? JSON.stringify(stored.remarks) : null
        const placed = await placeFile(change, job, before, stored)
        moving.push({ request, also: { ...ownWork, warnings, ...placed } })
        await recordMachineWork(tx, before, placed.translation_file_id, stored.machine ?? [])
      } else if (stored) {
        contents.push(stored.content)
        const contentId = stored.content.content_id
        moving.push({
          request,
          also: { ...ownWork, translation_content_id: contentId, translation_file_id: null },
        })
        await recordMachineWork(tx, before, contentId, stored.machine ?? [])
      }
    }
    await addContents(hub, tx, contents)
    const moved = await deliverRequests(change, job, moving, formers)
    for (const [errorMessage, requests] of failing)
      await moveRequests(change, moved.job, requests, { on: 'fail', errorMessage })
    await handOn(change, moved.job, suggestions)
    return unused
  })
  for (const blobId of unused) await hub.blobs.remove(blobId)
}

/** Inserts one stored translation; returns the columns that name it. */
export async function placeTranslation(
  change: Change,
  job: JobRow,
  request: RequestWithFile,
  stored: StoredTranslation,
): Promise<Pick<Deliverable, 'translation_file_id' | 'translation_content_id'>> {
  if ('blob' in stored) return placeFile(change, job, request, stored)
  await addContents(change.hub, change.tx, [stored.content])
  return { translation_content_id: stored.content.content_id, translation_file_id: null }
}

async function placeFile(
  change: Change,
  job: JobRow,
  request: RequestWithFile,
  stored: StoredBytes,
) {
  const fileId = await insertTranslation(change, job, fileOf(request, stored))
  return { translation_file_id: fileId, translation_content_id: null }
}

/** Adds a new task in the same group, with all its tries left. */
async function addRemaining(hub: Hub, tx: Db, task: Task, remaining: Remaining): Promise<void> {
  const { payload, error } = remaining
  const { name, siteId, key, causeId } = task
  const now = hub.clock.now()
  const dueAt = 'at' in remaining ? remaining.at : now + remaining.inMs
  const outside = task.outside && { lane: 'outside' as const, key: siblingKey(key, newId()) }
  if (error !== undefined) await noteFailedTry(hub, tx, payload, { error, nextTime: dueAt })
  await addTasks(hub.db, tx, now, [
    { name, payload, ...(siteId && { siteId }), dueAt, causeId, ...outside },
  ])
}

const fileOf = (request: RequestWithFile, { remarks: _, ...stored }: StoredBytes) => ({
  ...stored,
  fileId: randomUUID(),
  name: request.file_name ?? `${request.request_name}.xml`,
})
