/** Copies a stored file into another job of its site. */
import type { Change, Hub } from '../../hub.ts'
import type { FileRow } from '../../store/tables.ts'
import { type NewBlob, newBlob, placeBlob, storeOf } from './blob-place.ts'
import { insertFile } from './file-rows.ts'
import { findContentKey } from './seals/content-keys.ts'
import { findStored } from './serve.ts'

export type CopiedFile = {
  readonly blob: NewBlob
  readonly size: number
  readonly sha256: string
  readonly name: string
  readonly contentType: string
}

type Source = { readonly siteId: string; readonly jobId: string; readonly fileId: string }

/** Before the transaction that writes the row of the copy. Undefined if its content is gone. */
export async function copyFile(
  hub: Hub,
  { siteId, jobId, fileId }: Source,
): Promise<CopiedFile | undefined> {
  const file = await findStored(hub, siteId, jobId, fileId)
  if (!file) return undefined
  const { blob_id: from, size, sha256, name, content_type: contentType } = file
  const about = { size, sha256, name, contentType }
  const blob = newBlob(hub)
  if (file.sealed === 0 && !blob.key && hub.blobs.copy) {
    await hub.blobs.copy(from, blob.blobId)
    return { ...about, blob }
  }
  if (file.sealed === 1 && !(await findContentKey(hub, hub.db.read, siteId, from))) return undefined
  const { stream } = await (await storeOf(hub, file)).open(from)
  await blob.store.put(blob.blobId, stream, { maxBytes: size, unhashed: true })
  return { ...about, blob }
}

/** Their bytes are counted by the caller, who has found room for them. */
export async function insertCopy(
  { hub, tx, causeId }: Change,
  at: Pick<FileRow, 'site_id' | 'job_id' | 'client_id'>,
  { blob, size, sha256, name, contentType, fileId }: CopiedFile & { readonly fileId: string },
): Promise<void> {
  await insertFile(tx, {
    ...at,
    file_id: fileId,
    ...{ name, content_type: contentType, state: 'stored', kind: 'source', holds_bytes: 1 },
    ...(await placeBlob(hub, tx, at, blob)),
    ...{ size, sha256, created_at: hub.clock.now(), expires_at: null, cause_id: causeId },
  })
}
