/**
 * Creates a resumable upload, with its first bytes if they are sent along (TUS creation and
 * creation-with-upload).
 */
import { HubError, limits } from '@dragoman/contract'
import type { Change, Hub } from '../../hub.ts'
import { newId } from '../../store/ids.ts'
import type { FileRow, UploadRow } from '../../store/tables.ts'
import { type NewBlob, newBlob, placeBlob } from './blob-place.ts'
import { removeBlobsLater } from './expire.ts'
import { lockJobOf, updateExpected } from './file-rows.ts'
import { declaredType } from './media-types.ts'
import { isPart, mustFitBeside, sizeOf } from './parts.ts'
import { mustTake, nextExpiry } from './receive.ts'
import { insertUpload, removeUpload, selectUploadsOf } from './upload-rows.ts'
import { type Chunk, endUpload, finishUpload, mustHaveRoom, writeUpload } from './uploads.ts'
import { asWriter, isHeld } from './writer-lock.ts'

export type Described = {
  /** Metadata from the client, returned unchanged. */
  readonly metadata: string | undefined
  readonly contentType: string | undefined
}
export type Declared = Described & {
  /** Undefined if the client will declare it later. */
  readonly length: number | undefined
  /** Whether it is one of the parts that will make the file. */
  readonly isPart: boolean
}

/** A refused first chunk removes the upload: the sender never learns its address. */
export async function createUpload(
  hub: Hub,
  file: FileRow,
  declared: Declared,
  { causeId, first }: { readonly causeId: string; readonly first?: Chunk | undefined },
): Promise<UploadRow> {
  const { length = limits.fileBytes } = declared
  if (length > limits.fileBytes)
    throw new HubError('FILE_TOO_LARGE', { limit: limits.fileBytes, way: 'one file' })
  await mustTake(hub, hub.db.read, file, declared.length ?? first?.length ?? 1)
  if (first)
    mustHaveRoom({ length, received: 0, deferred: declared.length === undefined ? 1 : 0 }, first)
  const upload = await beginUpload(hub, file, declared, causeId)
  if (!first) return finishUpload(hub, upload.upload_id)
  try {
    // Nobody else knows the upload yet.
    const wait = { patienceMs: 0, letGo: first.letGo }
    return await asWriter(hub, upload.upload_id, wait, (writer) =>
      writeUpload(hub, upload, writer, first),
    )
  } catch (error) {
    await endUpload(hub, upload, causeId)
    throw error
  }
}

/** Inserts the row. */
async function beginUpload(
  hub: Hub,
  file: FileRow,
  declared: Declared,
  causeId: string,
): Promise<UploadRow> {
  const blob = newBlob(hub)
  const progress = await blob.store.begin(blob.blobId, { unhashed: declared.isPart })
  const upload = newUpload(hub, file, blob, {
    concat: declared.isPart ? 'partial' : null,
    length: declared.length ?? limits.fileBytes,
    deferred: declared.length === undefined ? 1 : 0,
    received: 0,
    progress: JSON.stringify(progress),
    metadata: declared.metadata,
  })
  try {
    await hub.db.transact(async (tx) => {
      const parts = await replaceEarlier({ hub, tx, causeId }, file, upload)
      await insertUpload(tx, upload)
      await placeBlob(hub, tx, file, blob)
      const open = await updateExpected(tx, file, {
        holds_bytes: parts.some((part) => part.received > 0) ? 1 : 0,
        expires_at: upload.expires_at,
        // The type of a file in parts is that of its final upload.
        ...(!declared.isPart && { content_type: declaredType(declared.contentType, file.name) }),
      })
      if (!open) throw new HubError('FILE_ALREADY_UPLOADED', { fmsFileId: file.file_id })
    })
  } catch (error) {
    // After an error that is no refusal the commit may have taken effect; the sweep removes what
    // has no row.
    if (error instanceof HubError) await hub.blobs.abandon(blob.blobId).catch(() => {})
    throw error
  }
  return upload
}

type Own = Pick<UploadRow, 'concat' | 'length' | 'deferred' | 'received' | 'progress'> &
  Pick<Described, 'metadata'>

/** The row of an upload with no writer. */
export const newUpload = (
  hub: Hub,
  file: FileRow,
  blob: NewBlob,
  { metadata, ...own }: Own,
): UploadRow => ({
  upload_id: newId(),
  file_id: file.file_id,
  site_id: file.site_id,
  blob_id: blob.blobId,
  sealed: blob.key ? 1 : 0,
  ...own,
  metadata: JSON.stringify(metadata ?? null),
  created_at: hub.clock.now(),
  expires_at: nextExpiry(hub),
  writer: null,
  writer_until: null,
  wanted: 0,
})

/**
 * Removes an earlier upload of the file that nobody writes: its client has lost it. Parts stay
 * beside a new part and are returned.
 */
async function replaceEarlier(
  change: Change,
  file: FileRow,
  upload: UploadRow,
): Promise<readonly UploadRow[]> {
  const { hub, tx } = change
  // The lock keeps concurrent calls from creating more parts than fit.
  if (isPart(upload)) await lockJobOf(tx, file)
  const before = await selectUploadsOf(tx, file.file_id)
  const stay = isPart(upload) ? mustFitBeside(hub, before.filter(isPart), upload) : []
  const gone = before.filter((one) => !stay.includes(one))
  // The earlier writer may be a node that died; its lease will run out.
  if (gone.some((one) => isHeld(hub, one))) throw beingWritten()
  for (const one of gone) await removeUpload(tx, one.upload_id)
  await removeBlobsLater(
    change,
    gone.map((one) => one.blob_id),
  )
  if (stay.length > 0)
    await mustTake(
      hub,
      tx,
      file,
      [...stay, upload].map(sizeOf).reduce((sum, size) => sum + size),
    )
  return stay
}

const beingWritten = (): HubError =>
  new HubError(
    'FMS_UNAVAILABLE',
    { because: 'another call is still writing this file.' },
    { retryAfter: 5 },
  )
