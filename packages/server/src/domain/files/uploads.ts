/**
 * Resumable uploads: one writer at a time writes chunk by chunk, and the last byte completes the
 * file. An acknowledged offset is durable: bytes first, then the row, which only the holder of the
 * write lease may change, on one node or several.
 */
import { HubError, limits } from '@dragoman/contract'
import { BlobTooLarge, type Bytes, type Progress } from '../../blobs/blob-store.ts'
import type { Hub } from '../../hub.ts'
import type { Db } from '../../store/database.ts'
import { isId } from '../../store/ids.ts'
import type { FileRow, UploadRow } from '../../store/tables.ts'
import { addTasks } from '../../store/tasks/add-tasks.ts'
import type { Task } from '../../store/tasks/hold-tasks.ts'
import { storeOf } from './blob-place.ts'
import { type Checksum, checked } from './checksum.ts'
import { removeBlobsLater } from './expire.ts'
import { selectSignedFile, updateExpected } from './file-rows.ts'
import { mustHaveSpace } from './free-space.ts'
import { isPart, isReceived, mustFitSiblings } from './parts.ts'
import { countIn, mustBeActive, mustTake, nextExpiry, storeFile } from './receive.ts'
import { slicesOf } from './slices.ts'
import * as rows from './upload-rows.ts'
import { asWriter, endBeat, type Patience } from './writer-lock.ts'

/** Bytes to append at the sender's offset. */
export type Chunk = {
  readonly bytes: Bytes
  /** Their number, if the sender declares it. */
  readonly length?: number
  /** Nothing is saved unless all bytes arrive and match. */
  readonly checksum?: Checksum
  /** Called when another caller wants to write; the bytes may then end early. */
  readonly letGo: () => void
}

export async function mustFindUpload(hub: Hub, uploadId: string): Promise<UploadRow> {
  const upload = isId(uploadId) ? await rows.selectUpload(hub.db.read, uploadId) : undefined
  if (!upload) throw new HubError('NOT_FOUND', { what: 'such upload' })
  return upload
}

/** Whether the upload is not a file yet. A part never becomes one. */
export const willExpire = (upload: UploadRow): boolean => !isReceived(upload) || isPart(upload)

export type UploadPlace = {
  readonly uploadId: string
  readonly offset: number
  /** The length of the upload, from a client that did not know it before. */
  readonly length?: number
}

/**
 * Appends a chunk at its offset and returns the upload. An interrupted chunk without a checksum is
 * saved as far as it came.
 */
export async function continueUpload(
  hub: Hub,
  place: UploadPlace,
  chunk: Chunk,
  wait: Patience,
): Promise<UploadRow> {
  const { uploadId, offset } = place
  await mustHaveSpace(hub)
  return asWriter(hub, uploadId, { ...wait, letGo: chunk.letGo }, async (writer) => {
    const found = await finishUpload(hub, uploadId)
    if (found.received !== offset)
      throw new HubError('UPLOAD_OFFSET_CONFLICT', { offset: found.received, given: offset })
    const upload = await withLength(hub, found, writer, place.length)
    mustHaveRoom(upload, chunk)
    // A complete part takes no more; its bytes may no longer be open for writing.
    if (isPart(upload) && isReceived(upload)) return upload
    if (upload.deferred === 1) await mustBeTaken(hub, upload, offset + (chunk.length ?? 1))
    return writeUpload(hub, upload, writer, chunk)
  })
}

/** A deferred length is declared once, and stays even if the chunk that came with it breaks off. */
async function withLength(
  hub: Hub,
  upload: UploadRow,
  writer: string,
  length?: number,
): Promise<UploadRow> {
  if (length === undefined || (upload.deferred === 0 && length === upload.length)) return upload
  if (upload.deferred === 0)
    throw wrongLength(`is ${length}, but this upload already has the length ${upload.length}`)
  if (length < upload.received)
    throw wrongLength(`is ${length}, but ${upload.received} bytes have already arrived`)
  if (length > limits.fileBytes) throw tooLong({ length: limits.fileBytes, deferred: 1 })
  await mustBeTaken(hub, upload, length)
  const by = { uploadId: upload.upload_id, writer }
  if (!(await hub.db.transact((tx) => rows.declareLength(tx, by, length)))) throw takenOver()
  return { ...upload, length, deferred: 0 }
}

/**
 * Whether this upload may have this size: beside other parts of its file, and within the quota of
 * the site.
 */
async function mustBeTaken(hub: Hub, upload: UploadRow, size: number): Promise<void> {
  const file = await selectSignedFile(hub.db.read, upload.file_id)
  if (!file) throw new HubError('FILE_NOT_FOUND', { fmsFileId: upload.file_id })
  const siblings = isPart(upload) ? await rows.selectUploadsOf(hub.db.read, upload.file_id) : []
  await mustTake(hub, hub.db.read, file, mustFitSiblings(siblings, upload, size))
}

const wrongLength = (what: string): HubError =>
  new HubError('INVALID_REQUEST', { because: `the header Upload-Length ${what}.` })

const takenOver = (): HubError =>
  new HubError('FMS_UNAVAILABLE', { because: 'another call has taken over this upload.' })

/** The upload's offset, once its writer has let go. */
export const askUpload = (hub: Hub, uploadId: string, wait: Patience): Promise<UploadRow> =>
  asWriter(hub, uploadId, { ...wait, letGo: () => {} }, () => finishUpload(hub, uploadId))

/**
 * TUS termination: removes the upload and its bytes. The file can be uploaded again until its
 * transfer expires.
 */
export const terminateUpload = (hub: Hub, uploadId: string, causeId: string, wait: Patience) =>
  asWriter(hub, uploadId, { ...wait, letGo: () => {} }, async () =>
    endUpload(hub, await mustFindUpload(hub, uploadId), causeId),
  )

type Bounds = Pick<UploadRow, 'length' | 'deferred'>

export function mustHaveRoom(
  upload: Bounds & Pick<UploadRow, 'received'>,
  { length = 0 }: Chunk,
): void {
  if (upload.received + length > upload.length) throw tooLong(upload)
}

const tooLong = ({ length, deferred }: Bounds): HubError =>
  new HubError('FILE_TOO_LARGE', {
    limit: length,
    way: deferred === 1 ? 'one file' : 'this upload, by its Upload-Length,',
  })

/**
 * Appends after the acknowledged offset, and makes what arrived durable again and again: a process
 * that dies in a long call loses the last slice of it. Takes ownership of the buffers, which are emptied once
 * written.
 */
export async function writeUpload(
  hub: Hub,
  upload: UploadRow,
  writer: string,
  chunk: Chunk,
): Promise<UploadRow> {
  const { bytes, checksum } = chunk
  const store = await storeOf(hub, upload)
  const append = async (at: UploadRow, source: Bytes) => {
    const place = { offset: at.received, progress: JSON.parse(at.progress) as Progress }
    const bounds = { maxBytes: at.length, spends: true, entire: checksum !== undefined }
    const appended = await store.append(at.blob_id, place, source, bounds).catch((error) => {
      throw error instanceof BlobTooLarge ? tooLong(at) : error
    })
    if (checksum && 'interrupted' in appended) throw appended.interrupted
    const { offset: received, progress } = appended
    const after = { ...at, received, progress: JSON.stringify(progress) }
    return { after, isOver: 'interrupted' in appended }
  }
  let at = upload
  if (checksum) ({ after: at } = await append(at, checked(bytes, checksum)))
  else {
    const slices = slicesOf(bytes)
    try {
      for (let isOver = false; !isOver; ) {
        const before = at
        const appended = await append(at, slices.next())
        at = appended.after
        isOver = appended.isOver || slices.hasEnded()
        if (!isOver && at.received > before.received) await saveProgress(hub, at, writer, false)
      }
    } finally {
      slices.leave()
    }
  }
  if (at.received > upload.received) await saveProgress(hub, at, writer, true)
  const after = { ...at, expires_at: nextExpiry(hub) }
  if (isReceived(after)) await finishUpload(hub, upload.upload_id)
  return after
}

const finishTask = 'finish-upload'

async function saveProgress(
  hub: Hub,
  upload: UploadRow,
  writer: string,
  isEnd: boolean,
): Promise<void> {
  // The bytes of a part stay as they are until the file is made of all parts.
  const isLast = isEnd && isReceived(upload) && !isPart(upload)
  // After a chunk the writer has nothing left to do, so the same commit releases the lease. After
  // the last chunk it keeps the lease until the file is complete.
  const frees = isEnd && !isLast
  if (frees) endBeat(writer)
  const file = await hub.db.transact(async (tx) => {
    const file = await selectSignedFile(tx, upload.file_id)
    if (!file) throw new HubError('FILE_NOT_FOUND', { fmsFileId: upload.file_id })
    const archive_status = file.holds_bytes === 0 ? await countIn(tx, file) : file.archive_status
    const expires_at = nextExpiry(hub)
    const { received, progress } = upload
    const by = { uploadId: upload.upload_id, writer }
    const saved = await rows.keepReceived(tx, by, { received, progress, expires_at }, frees)
    // Another writer took over. What this one wrote was never acknowledged and is overwritten.
    if (!saved) throw takenOver()
    await updateExpected(tx, upload, { holds_bytes: 1, expires_at })
    if (isLast) await finishSoon(hub, tx, upload)
    return { ...file, archive_status }
  })
  // What arrived is kept for the time after unarchiving; more is not taken.
  mustBeActive(file, file.archive_status)
}

/** If the process dies before the file is complete, this task completes it. */
async function finishSoon(hub: Hub, tx: Db, upload: UploadRow): Promise<void> {
  const now = hub.clock.now()
  const payload = { uploadId: upload.upload_id }
  const causeId = `upload:${upload.upload_id}`
  await addTasks(hub.db, tx, now, [
    {
      name: finishTask,
      payload,
      siteId: upload.site_id,
      key: `${finishTask}:${upload.upload_id}`,
      dueAt: now + 30_000,
      causeId,
    },
  ])
}

/**
 * Completes the file once its last byte is there; a part completes nothing. Safe to repeat after a
 * crash.
 */
export async function finishUpload(hub: Hub, uploadId: string): Promise<UploadRow> {
  const upload = await mustFindUpload(hub, uploadId)
  const file = await selectSignedFile(hub.db.read, upload.file_id)
  if (!file || !isReceived(upload) || isPart(upload)) return upload
  if (file.state === 'stored') return mustBeIts(file, upload)
  const progress = JSON.parse(upload.progress) as Progress
  const store = await storeOf(hub, upload)
  const written = await store.finish(upload.blob_id, { size: upload.length, progress })
  await hub.db
    .transact((tx) =>
      storeFile(hub, tx, file, { blob: upload, written, expiresAt: upload.expires_at }),
    )
    .catch(async (error) => {
      if (!(error instanceof HubError && error.code === 'FILE_ALREADY_UPLOADED')) throw error
      // Two callers may complete the same upload; the second finds it done.
      const now = await selectSignedFile(hub.db.read, upload.file_id)
      if (!now) throw error
      mustBeIts(now, upload)
    })
  return upload
}

/** Another upload of the same file may have been the first. */
function mustBeIts({ file_id, blob_id }: FileRow, upload: UploadRow): UploadRow {
  if (blob_id === upload.blob_id) return upload
  throw new HubError('FILE_ALREADY_UPLOADED', { fmsFileId: file_id })
}

/** The same as a task, for an upload whose last call died. */
export async function finishUploadLate(hub: Hub, task: Task): Promise<'done'> {
  const { uploadId } = task.payload as { uploadId: string }
  if (await rows.selectUpload(hub.db.read, uploadId)) await finishUpload(hub, uploadId)
  return 'done'
}

/** Removes the upload and its bytes. */
export async function endUpload(hub: Hub, upload: UploadRow, causeId: string): Promise<void> {
  await hub.db.transact(async (tx) => {
    await rows.removeUpload(tx, upload.upload_id)
    const others = await rows.selectUploadsOf(tx, upload.file_id)
    const holds = others.some(({ received }) => received > 0)
    const waiting = await updateExpected(tx, upload, { holds_bytes: holds ? 1 : 0 })
    if (waiting) await removeBlobsLater({ hub, tx, causeId }, [upload.blob_id])
  })
}
