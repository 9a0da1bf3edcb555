/**
 * Resumable uploads: created on a file's transfer, written piece by piece by one writer at a time, finished when the last
 * byte is there. An offset that was acknowledged is durable: bytes first, then the row, and the row only by the holder of
 * the writer's lease, on one node or on many.
 */
import { HubError, limits } from '@dragoman/contract'
import { type Bytes, newBlobId, type Progress } from '../../blobs/blob-store.ts'
import type { Hub } from '../../hub.ts'
import type { FileRow, UploadRow } from '../../store/tables.ts'
import { addTasks, type Task } from '../../store/tasks.ts'
import { removeBlobsLater } from './expire.ts'
import { selectSignedFile, updateExpected } from './file-rows.ts'
import { isMediaType } from './media-types.ts'
import { countIn, nextExpiry, storeFile } from './receive.ts'
import * as rows from './upload-rows.ts'
import { endBeat, isHeld } from './writer-lock.ts'

export type Declared = { readonly length: number; readonly metadata: Record<string, string | null> }

const beingWritten = (): HubError =>
  new HubError('FMS_UNAVAILABLE', { because: 'another call is still writing this file.' }, { retryAfter: 5 })

/** A new upload for the file. One that was begun before and is not being written makes room: its client has lost it. */
export async function createUpload(
  hub: Hub,
  file: FileRow,
  uploadId: string,
  declared: Declared,
  causeId: string,
): Promise<UploadRow> {
  if (declared.length > limits.fileBytes)
    throw new HubError('FILE_TOO_LARGE', { limit: limits.fileBytes, way: 'one file' })
  const blobId = newBlobId()
  const progress = await hub.blobs.begin(blobId)
  const now = hub.clock.now()
  const upload: UploadRow = {
    upload_id: uploadId,
    file_id: file.file_id,
    site_id: file.site_id,
    blob_id: blobId,
    length: declared.length,
    received: 0,
    progress: JSON.stringify(progress),
    metadata: JSON.stringify(declared.metadata),
    created_at: now,
    expires_at: nextExpiry(hub),
    writer: null,
    writer_until: null,
    wanted: 0,
  }
  const { contentType } = declared.metadata
  try {
    await hub.engine.transact(async (tx) => {
      const before = await rows.selectUploadOf(tx, file.file_id)
      // Nothing is uploaded yet: the writer may be a node that died, and is given up when its lease is over.
      if (before && isHeld(hub, before)) throw beingWritten()
      if (before) {
        await rows.removeUpload(tx, before.upload_id)
        await removeBlobsLater(hub, tx, [before.blob_id], causeId)
      }
      await rows.insertUpload(tx, upload)
      const open = await updateExpected(tx, file.file_id, {
        holds_bytes: 0,
        expires_at: upload.expires_at,
        ...(contentType && isMediaType(contentType) ? { content_type: contentType } : {}),
      })
      if (!open) throw new HubError('FILE_ALREADY_UPLOADED', { fmsFileId: file.file_id })
    })
  } catch (error) {
    await hub.blobs.abandon(blobId).catch(() => {})
    throw error
  }
  return declared.length === 0 ? finishUpload(hub, uploadId) : upload
}

export async function mustFindUpload(hub: Hub, uploadId: string): Promise<UploadRow> {
  const upload = await rows.selectUpload(hub.engine.read, uploadId)
  if (!upload) throw new HubError('NOT_FOUND', { what: `upload ${uploadId}` })
  return upload
}

/**
 * Writes on from the acknowledged offset; gives back how far the upload is now. An interruption keeps what had come. The
 * bytes are nobody else's: they may be emptied when they are written.
 */
export async function writeUpload(hub: Hub, upload: UploadRow, writer: string, bytes: Bytes): Promise<number> {
  const at = { offset: upload.received, progress: JSON.parse(upload.progress) as Progress }
  const appended = await hub.blobs.append(upload.blob_id, at, bytes, { maxBytes: upload.length, spends: true })
  if (appended.offset > upload.received) await keep(hub, upload, writer, appended.offset, appended.progress)
  if (appended.offset === upload.length) await finishUpload(hub, upload.upload_id)
  return appended.offset
}

const finishTask = 'finish-upload'

async function keep(hub: Hub, upload: UploadRow, writer: string, received: number, progress: Progress): Promise<void> {
  const isLast = received === upload.length
  // A writer has nothing left to do after its piece: letting go in the same commit saves one. After the last piece the file
  // is put together, and until then it holds on.
  if (!isLast) endBeat(writer)
  await hub.engine.transact(async (tx) => {
    const file = await selectSignedFile(tx, upload.file_id)
    if (!file) throw new HubError('FILE_NOT_FOUND', { fmsFileId: upload.file_id })
    if (file.holds_bytes === 0) await countIn(hub, tx, file)
    const expires_at = nextExpiry(hub)
    const change = { received, progress: JSON.stringify(progress), expires_at }
    const kept = await rows.keepReceived(tx, upload.upload_id, writer, change, !isLast)
    // Another writer has taken over: what this one wrote was never acknowledged and is overwritten.
    if (!kept) throw new HubError('FMS_UNAVAILABLE', { because: 'another writer has taken over this upload.' })
    await updateExpected(tx, upload.file_id, { holds_bytes: 1, expires_at })
    if (!isLast) return
    // Should the process end before the file is put together, this does it later.
    const now = hub.clock.now()
    const payload = { uploadId: upload.upload_id }
    const causeId = `upload:${upload.upload_id}`
    await addTasks(hub.engine, tx, now, [
      {
        name: finishTask,
        payload,
        siteId: upload.site_id,
        key: `${finishTask}:${upload.upload_id}`,
        dueAt: now + 30_000,
        causeId,
      },
    ])
  })
}

/** Puts the file together once its last byte is there. Done again after a crash, it does no harm. */
export async function finishUpload(hub: Hub, uploadId: string): Promise<UploadRow> {
  const upload = await mustFindUpload(hub, uploadId)
  const file = await selectSignedFile(hub.engine.read, upload.file_id)
  if (!file || file.state === 'stored' || upload.received < upload.length) return upload
  const progress = JSON.parse(upload.progress) as Progress
  const written = await hub.blobs.finish(upload.blob_id, { size: upload.length, progress })
  await hub.engine
    .transact((tx) => storeFile(hub, tx, file, upload.blob_id, written, upload.expires_at))
    .catch((error) => {
      // Two may put the same upload together; the second finds it done.
      if (!(error instanceof HubError && error.code === 'FILE_ALREADY_UPLOADED')) throw error
    })
  return upload
}

/** The same as a task, for an upload whose last call did not live to see it. */
export async function finishUploadLate(hub: Hub, task: Task): Promise<'done'> {
  const { uploadId } = task.payload as { uploadId: string }
  if (await rows.selectUpload(hub.engine.read, uploadId)) await finishUpload(hub, uploadId)
  return 'done'
}

/** TUS termination: the upload and its bytes go, the file waits for others until its transfer expires. */
export async function endUpload(hub: Hub, upload: UploadRow, causeId: string): Promise<void> {
  await hub.engine.transact(async (tx) => {
    await rows.removeUpload(tx, upload.upload_id)
    const waiting = await updateExpected(tx, upload.file_id, { holds_bytes: 0 })
    if (waiting) await removeBlobsLater(hub, tx, [upload.blob_id], causeId)
  })
}
