/**
 * TUS concatenation: makes a file of complete partial uploads, in the order the client gives. The
 * bytes are copied, because the sha256 of the file needs every one of them anyway; the parts stay
 * until the file is stored, so the call can be repeated.
 */
import { HubError, limits } from '@dragoman/contract'
import { BlobMissing, BlobTrouble, type Bytes, type Progress } from '../../blobs/blob-store.ts'
import type { Hub } from '../../hub.ts'
import type { FileRow, UploadRow } from '../../store/tables.ts'
import { yieldForBytes } from '../../turns/pauses.ts'
import { newBlob, placeBlob, storeOf } from './blob-place.ts'
import { type Described, newUpload } from './create-upload.ts'
import { lockJobOf, selectSignedFile, updateExpected } from './file-rows.ts'
import { declaredType } from './media-types.ts'
import { isPart, isReceived, sizeOf, tooMuch } from './parts.ts'
import { mustTake, storeFile } from './receive.ts'
import { insertUpload, selectUploadsOf } from './upload-rows.ts'

export type Final = Described & {
  /** The header as it was sent. */
  readonly concat: string
  readonly partIds: readonly string[]
}

/** Stores the file, removes the parts, and returns the final upload. */
export async function concatenate(hub: Hub, file: FileRow, final: Final): Promise<UploadRow> {
  const parts = await mustFindParts(hub, file, final.partIds)
  const length = parts.reduce((all, part) => all + sizeOf(part), 0)
  if (length > limits.fileBytes) throw tooMuch()
  await mustTake(hub, hub.db.read, file, length)
  const blob = newBlob(hub)
  const written = await blob.store
    .put(blob.blobId, joined(hub, parts), { maxBytes: length })
    .catch((error) => {
      throw error instanceof BlobMissing ? joinedMeanwhile(file) : error
    })
  const upload = newUpload(hub, file, blob, {
    concat: final.concat,
    length,
    deferred: 0,
    received: length,
    progress: '{}',
    metadata: final.metadata,
  })
  try {
    if (written.size !== length) throw new BlobTrouble('The partial uploads have lost bytes.')
    await hub.db.transact(async (tx) => {
      // The job before the key, as in every upload.
      await lockJobOf(tx, file)
      await insertUpload(tx, upload)
      await placeBlob(hub, tx, file, blob)
      await updateExpected(tx, file, { content_type: declaredType(final.contentType, file.name) })
      const counted = (await selectSignedFile(tx, file.file_id)) ?? file
      await storeFile(hub, tx, counted, { blob: upload, written, expiresAt: upload.expires_at })
    })
  } catch (error) {
    // After an error that is no refusal the commit may have taken effect; the sweep removes what
    // has no row.
    if (error instanceof HubError) await hub.blobs.remove(blob.blobId).catch(() => {})
    throw error
  }
  return upload
}

async function mustFindParts(
  hub: Hub,
  file: FileRow,
  partIds: readonly string[],
): Promise<UploadRow[]> {
  const known = new Map(
    (await selectUploadsOf(hub.db.read, file.file_id)).map((one) => [one.upload_id, one]),
  )
  const twice = partIds.find((id, at) => partIds.indexOf(id) !== at)
  if (twice !== undefined) throw wrong(`names the upload ${twice} twice`)
  return partIds.map((id) => {
    const part = known.get(id)
    if (!part || !isPart(part))
      throw wrong(`names ${id}, which is not a partial upload of this file`)
    if (!isReceived(part))
      throw wrong(`names the upload ${id}, which is not complete; upload the rest of it first`)
    return part
  })
}

/** A part is finished in its store only now: until then nothing reads it. */
async function* joined(hub: Hub, parts: readonly UploadRow[]): Bytes {
  for (const part of parts) {
    const store = await storeOf(hub, part)
    await store.finish(part.blob_id, {
      size: part.length,
      progress: JSON.parse(part.progress) as Progress,
    })
    for await (const piece of (await store.open(part.blob_id))
      .stream as AsyncIterable<Uint8Array>) {
      yield piece
      await yieldForBytes(piece.byteLength)
    }
  }
}

/** The parts disappear when another call has stored the file, or has removed them. */
const joinedMeanwhile = ({ file_id }: FileRow): HubError =>
  new HubError('FILE_ALREADY_UPLOADED', { fmsFileId: file_id })

const wrong = (what: string): HubError =>
  new HubError('INVALID_REQUEST', { because: `the header Upload-Concat ${what}.` })
