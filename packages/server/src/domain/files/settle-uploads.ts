/**
 * Unfinished uploads of a hub whose files were copied elsewhere. Only whole blobs are copied: an
 * upload whose last byte had arrived becomes a file, any other ends, and its client starts it
 * again.
 */
import { HubError } from '@dragoman/contract'
import type { Written } from '../../blobs/blob-store.ts'
import { sumBlob } from '../../blobs/sum-blob.ts'
import type { Hub } from '../../hub.ts'
import type { Db } from '../../store/database.ts'
import type { UploadRow } from '../../store/tables.ts'
import { storeOf } from './blob-place.ts'
import { selectSignedFile } from './file-rows.ts'
import { isPart, isReceived } from './parts.ts'
import { storeFile } from './receive.ts'
import { selectOpenUploads } from './upload-rows.ts'
import { endUpload } from './uploads.ts'

/** Uploads whose bytes are complete, but not yet a file. */
export const listCompleteUploads = async (db: Db): Promise<UploadRow[]> =>
  (await selectOpenUploads(db)).filter(isWhole)

/** A part of a file never becomes the file. */
const isWhole = (upload: UploadRow): boolean => isReceived(upload) && !isPart(upload)

/** Returns how many uploads were ended. */
export async function settleUploads(hub: Hub, causeId: string): Promise<number> {
  let ended = 0
  for (const upload of await selectOpenUploads(hub.db.read)) {
    const whole = isWhole(upload)
      ? await sumBlob(await storeOf(hub, upload), upload.blob_id)
      : undefined
    if (whole?.size === upload.length && (await complete(hub, upload, whole))) continue
    await endUpload(hub, upload, causeId)
    ended += 1
  }
  return ended
}

/** False if the file is refused by now, for example by a quota. */
async function complete(hub: Hub, upload: UploadRow, written: Written): Promise<boolean> {
  const file = await selectSignedFile(hub.db.read, upload.file_id)
  if (!file) return false
  return hub.db
    .transact((tx) =>
      storeFile(hub, tx, file, { blob: upload, written, expiresAt: upload.expires_at }),
    )
    .then(
      () => true,
      (error: unknown) => {
        if (error instanceof HubError) return false
        throw error
      },
    )
}
