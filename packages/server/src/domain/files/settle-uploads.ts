/**
 * Unfinished uploads of a hub whose files were copied elsewhere. Only whole blobs are copied: an upload whose last byte had
 * arrived becomes a file, any other ends, and its client starts it again.
 */
import { createHash } from 'node:crypto'
import { HubError } from '@dragoman/contract'
import { BlobMissing, type BlobStore, type Written } from '../../blobs/blob-store.ts'
import type { Hub } from '../../hub.ts'
import type { Db } from '../../store/engine.ts'
import type { UploadRow } from '../../store/tables.ts'
import { storeOf } from './blob-place.ts'
import { selectSignedFile } from './file-rows.ts'
import { storeFile } from './receive.ts'
import { selectOpenUploads } from './upload-rows.ts'
import { endUpload } from './uploads.ts'

/** Uploads whose bytes are complete, but not yet a file. */
export const listCompleteUploads = async (db: Db): Promise<UploadRow[]> =>
  (await selectOpenUploads(db)).filter(({ received, length }) => received === length)

/** Returns how many uploads were ended. */
export async function settleUploads(hub: Hub, causeId: string): Promise<number> {
  let ended = 0
  for (const upload of await selectOpenUploads(hub.engine.read)) {
    const whole = upload.received === upload.length ? await readWhole(await storeOf(hub, upload), upload) : undefined
    if (whole && (await complete(hub, upload, whole))) continue
    await endUpload(hub, upload, causeId)
    ended += 1
  }
  return ended
}

/** False if the file is refused by now, for example by a quota. */
async function complete(hub: Hub, upload: UploadRow, written: Written): Promise<boolean> {
  const file = await selectSignedFile(hub.engine.read, upload.file_id)
  if (!file) return false
  return hub.engine
    .transact((tx) => storeFile(hub, tx, file, upload, written, upload.expires_at))
    .then(
      () => true,
      (error: unknown) => {
        if (error instanceof HubError) return false
        throw error
      },
    )
}

async function readWhole(store: BlobStore, { blob_id, length }: UploadRow): Promise<Written | undefined> {
  try {
    const hash = createHash('sha256')
    let size = 0
    for await (const piece of (await store.open(blob_id)).stream as AsyncIterable<Uint8Array>) {
      hash.update(piece)
      size += piece.byteLength
    }
    return size === length ? { size, sha256: hash.digest('hex') } : undefined
  } catch (error) {
    if (error instanceof BlobMissing) return undefined
    throw error
  }
}
