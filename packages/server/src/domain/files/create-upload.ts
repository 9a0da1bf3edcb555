/** Creates a resumable upload, with its first bytes if they are sent along (TUS creation and creation-with-upload). */
import { HubError, limits } from '@dragoman/contract'
import type { Hub } from '../../hub.ts'
import { newId } from '../../store/ids.ts'
import type { FileRow, UploadRow } from '../../store/tables.ts'
import { newBlob, placeBlob } from './blob-place.ts'
import { removeBlobsLater } from './expire.ts'
import { updateExpected } from './file-rows.ts'
import { declaredType } from './media-types.ts'
import { mustTake, nextExpiry } from './receive.ts'
import { insertUpload, removeUpload, selectUploadOf } from './upload-rows.ts'
import { type Chunk, endUpload, finishUpload, mustHaveRoom, writeUpload } from './uploads.ts'
import { asWriter, isHeld } from './writer-lock.ts'

export type Declared = {
  readonly length: number
  /** Metadata from the client, returned unchanged. */
  readonly metadata: string | undefined
  readonly contentType: string | undefined
}

/** A refused first chunk removes the upload: the sender never learns its address. */
export async function createUpload(
  hub: Hub,
  file: FileRow,
  declared: Declared,
  { causeId, first }: { readonly causeId: string; readonly first?: Chunk | undefined },
): Promise<UploadRow> {
  const { length } = declared
  if (length > limits.fileBytes) throw new HubError('FILE_TOO_LARGE', { limit: limits.fileBytes, way: 'one file' })
  await mustTake(hub, hub.engine.read, file, length)
  if (first) mustHaveRoom({ length, received: 0 }, first)
  const upload = await beginUpload(hub, file, declared, causeId)
  if (!first) return finishUpload(hub, upload.upload_id)
  try {
    // Nobody else knows the upload yet.
    const wait = { patienceMs: 0, letGo: first.letGo }
    return await asWriter(hub, upload.upload_id, wait, (writer) => writeUpload(hub, upload, writer, first))
  } catch (error) {
    await endUpload(hub, upload, causeId)
    throw error
  }
}

/** Inserts the row. An earlier upload of the same file that nobody writes is replaced: its client has lost it. */
async function beginUpload(hub: Hub, file: FileRow, declared: Declared, causeId: string): Promise<UploadRow> {
  const blob = newBlob(hub)
  const progress = await blob.store.begin(blob.blobId)
  const upload: UploadRow = {
    upload_id: newId(),
    file_id: file.file_id,
    site_id: file.site_id,
    blob_id: blob.blobId,
    sealed: blob.key ? 1 : 0,
    length: declared.length,
    received: 0,
    progress: JSON.stringify(progress),
    metadata: JSON.stringify(declared.metadata ?? null),
    created_at: hub.clock.now(),
    expires_at: nextExpiry(hub),
    writer: null,
    writer_until: null,
    wanted: 0,
  }
  try {
    await hub.engine.transact(async (tx) => {
      const before = await selectUploadOf(tx, file.file_id)
      // The earlier writer may be a node that died; its lease will run out.
      if (before && isHeld(hub, before)) throw beingWritten()
      if (before) {
        await removeUpload(tx, before.upload_id)
        await removeBlobsLater({ hub, tx, causeId }, [before.blob_id])
      }
      await insertUpload(tx, upload)
      await placeBlob(hub, tx, file, blob)
      const open = await updateExpected(tx, file, {
        holds_bytes: 0,
        expires_at: upload.expires_at,
        content_type: declaredType(declared.contentType, file.name),
      })
      if (!open) throw new HubError('FILE_ALREADY_UPLOADED', { fmsFileId: file.file_id })
    })
  } catch (error) {
    // After an error that is no refusal the commit may have taken effect; the sweep removes what has no row.
    if (error instanceof HubError) await hub.blobs.abandon(blob.blobId).catch(() => {})
    throw error
  }
  return upload
}

const beingWritten = (): HubError =>
  new HubError('FMS_UNAVAILABLE', { because: 'another call is still writing this file.' }, { retryAfter: 5 })
