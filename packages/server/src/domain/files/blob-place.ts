/** Chooses the store for a file's bytes: the plain blob store, or the same behind a seal. */
import { type BlobStore, newBlobId, type Progress } from '../../blobs/blob-store.ts'
import { fenceSealed, sealBlobs } from '../../blobs/sealed/sealed.ts'
import type { Hub } from '../../hub.ts'
import type { Db } from '../../store/database.ts'
import type { FileRow } from '../../store/tables.ts'
import { keepContentKey, mustFindContentKey, newContentKey } from './seals/content-keys.ts'

/** `key` is set if new content is sealed. */
export type NewBlob = { readonly blobId: string; readonly store: BlobStore; readonly key?: Buffer }

export function newBlob({ blobs, config }: Hub): NewBlob {
  const blobId = newBlobId()
  if (!config.sealContent) return { blobId, store: blobs }
  const key = newContentKey()
  return { blobId, store: sealBlobs(blobs, key), key }
}

/**
 * Runs in the transaction that writes the first row of the blob. Returns the columns that locate
 * it.
 */
export async function placeBlob(
  hub: Hub,
  tx: Db,
  { site_id, job_id }: Pick<FileRow, 'site_id' | 'job_id'>,
  { blobId, key }: NewBlob,
): Promise<{ blob_id: string; sealed: number }> {
  if (key) await keepContentKey(hub, tx, { siteId: site_id, jobId: job_id, keyOf: blobId }, key)
  return { blob_id: blobId, sealed: key ? 1 : 0 }
}

export async function storeOf(
  hub: Hub,
  { site_id, blob_id, sealed }: { site_id: string; blob_id: string; sealed: number },
): Promise<BlobStore> {
  if (sealed === 0) return hub.blobs
  return sealBlobs(hub.blobs, await mustFindContentKey(hub, hub.db.read, site_id, blob_id))
}

/** Fences an upload, sealed or not. */
export const fenceProgress = ({ blobs }: Hub, progress: Progress): Progress =>
  fenceSealed(blobs, progress) ?? blobs.fence(progress)
