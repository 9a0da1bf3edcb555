/**
 * Receives bytes. They are durable in the blob store before the row is written, so there is never a
 * row without its bytes. Bytes without a row are swept.
 */
import { type ArchiveStatus, addDuration, HubError, isActive, limits } from '@dragoman/contract'
import { BlobMissing, BlobTooLarge, type Bytes, type Written } from '../../blobs/blob-store.ts'
import type { Hub } from '../../hub.ts'
import type { Db } from '../../store/database.ts'
import type { FileRow } from '../../store/tables.ts'
import { hastenTasks } from '../../store/tasks/reschedule-groups.ts'
import { mustFit, quotasOf } from '../access/quota.ts'
import { countBytes, mustFitBytes } from '../access/site-bytes.ts'
import { newBlob, placeBlob } from './blob-place.ts'
import { removeBlobsLater } from './expire.ts'
import {
  countSources,
  lockJobOf,
  type SignedFile,
  selectSignedFile,
  updateExpected,
  updateLost,
} from './file-rows.ts'
import { mustHaveSpace } from './free-space.ts'
import { mustBeHeld } from './holder.ts'
import { checkTransferToken, refuse, type Verb } from './sas.ts'
import { removeOtherUploads } from './upload-rows.ts'

export type { SignedFile } from './file-rows.ts'

/** How a transfer is requested: the verb, the token and the caller's address. */
export type TransferCall = {
  readonly verb: Verb
  readonly token: string | undefined
  readonly address: string
}

/**
 * The file that a transfer token opens, still waiting for its bytes. Checked before any byte is
 * read.
 */
export async function mustBeOpen(
  hub: Hub,
  fileId: string,
  asked: TransferCall,
): Promise<SignedFile> {
  const found = await mustFindTransfer(hub, fileId, asked)
  const file = found.state === 'stored' ? await reopenLost(hub, found) : found
  await mustHaveSpace(hub)
  await mustTake(hub, hub.db.read, file, 1)
  return file
}

/** A file whose bytes are gone waits for them again; one that has them is not replaced. */
async function reopenLost(hub: Hub, file: SignedFile): Promise<SignedFile> {
  const { blob_id: blobId, site_id: siteId } = file
  const present = new HubError('FILE_ALREADY_UPLOADED', { fmsFileId: file.file_id })
  if (blobId === null || !(await isMissing(hub, blobId))) throw present
  const waiting = {
    state: 'expected',
    blob_id: null,
    size: null,
    sha256: null,
    expires_at: nextExpiry(hub),
  } as const
  await hub.db.transact(async (tx) => {
    if (!(await updateLost(tx, { ...file, blob_id: blobId }, waiting))) throw present
    await countBytes(hub.db, tx, siteId, -(file.size ?? 0))
  })
  hub.log.warn(
    { fmsFileId: file.file_id, blobId },
    'the bytes of a stored file are missing; it can be uploaded again',
  )
  return { ...file, ...waiting }
}

const isMissing = (hub: Hub, blobId: string): Promise<boolean> =>
  hub.blobs.size(blobId).then(
    () => false,
    (error: unknown) => {
      if (error instanceof BlobMissing) return true
      throw error
    },
  )

/** The same, whether or not its bytes have arrived. */
export async function mustFindTransfer(
  hub: Hub,
  fileId: string,
  { verb, token, address }: TransferCall,
): Promise<SignedFile> {
  const since = checkTransferToken(hub.vault, verb, fileId, token)
  const file = await selectSignedFile(hub.db.read, fileId)
  if (!file) throw new HubError('FILE_NOT_FOUND', { fmsFileId: fileId })
  mustBeActive(file, file.archive_status)
  if (since !== undefined)
    await mustBeHeld(hub, file.site_id, { clientId: file.client_id, since }, address)
  if (file.state === 'expected' && (file.expires_at === null || file.expires_at <= hub.clock.now()))
    refuse('the transfer has expired; request a new transfer object.')
  return file
}

/**
 * Receives a whole file at once (direct multipart upload). An interrupted or refused upload leaves
 * nothing behind. Takes ownership of the buffers, which are emptied once written.
 */
export async function receiveWhole(hub: Hub, file: FileRow, bytes: Bytes): Promise<Written> {
  const blob = newBlob(hub)
  const bounds = { maxBytes: limits.multipartBytes, spends: true }
  const written = await blob.store.put(blob.blobId, bytes, bounds).catch((error) => {
    throw error instanceof BlobTooLarge ? tooLarge() : error
  })
  try {
    await hub.db.transact(async (tx) => {
      // The job is locked before the key, which refers to it; in the other order, concurrent
      // callers would block each other.
      mustBeActive(file, await lockJobOf(tx, file))
      if (file.holds_bytes === 0) await countHeld(tx, file)
      const counted = { ...file, holds_bytes: 1 }
      await storeFile(hub, tx, counted, { blob: await placeBlob(hub, tx, file, blob), written })
    })
  } catch (error) {
    // Only a refusal proves that there is no row. After any other error the commit may have taken
    // effect, and the sweep removes the bytes if it did not.
    if (error instanceof HubError)
      await hub.blobs
        .remove(blob.blobId)
        .catch((trouble) =>
          hub.log.warn(
            { err: trouble },
            'a refused upload could not be removed; the sweep will remove it',
          ),
        )
    throw error
  }
  return written
}

export const tooLarge = (): HubError =>
  new HubError('FILE_TOO_LARGE', {
    limit: limits.multipartBytes,
    way: 'direct upload; upload larger files with TUS',
  })

type StoredBytes = {
  readonly blob: { readonly blob_id: string; readonly sealed: number }
  readonly written: Written
  /** Until when the upload itself can be queried. */
  readonly expiresAt?: number
}

/**
 * Writes the row of a complete file, and removes other uploads of it. The first upload wins; a
 * second one gets FILE_ALREADY_UPLOADED.
 */
export async function storeFile(
  hub: Hub,
  tx: Db,
  file: FileRow,
  { blob, written, expiresAt }: StoredBytes,
): Promise<void> {
  if (file.holds_bytes === 0) await countIn(tx, file)
  // Uploads first, in the lock order of all other writers.
  const others = await removeOtherUploads(tx, file.file_id, blob.blob_id)
  await removeBlobsLater({ hub, tx, causeId: file.cause_id }, others)
  const { size, sha256 } = written
  const stored = await updateExpected(tx, file, {
    state: 'stored',
    holds_bytes: 1,
    blob_id: blob.blob_id,
    sealed: blob.sealed,
    size,
    sha256,
    expires_at: expiresAt ?? null,
  })
  if (!stored) throw new HubError('FILE_ALREADY_UPLOADED', { fmsFileId: file.file_id })
  await mustTake(hub, tx, file, size)
  await countBytes(hub.db, tx, file.site_id, size)
  await hastenTasks(hub.db, tx, awaitsFile(file.file_id), hub.clock.now())
}

/** Whether the site's quota allows this many more bytes, whoever sends them. */
export async function mustTake(hub: Hub, db: Db, file: FileRow, bytes: number): Promise<void> {
  const quotas = await quotasOf(db, file.site_id, file.client_id)
  await mustFitBytes(hub, db, { siteId: file.site_id, quotas }, bytes)
}

/** The key prefix of tasks that wait for a file: they become due when its bytes are complete. */
export const awaitsFile = (fileId: string): string => `await-file:${fileId}:`

/**
 * Counts a file that is about to hold its first bytes. The job is locked, so that concurrent
 * uploads cannot exceed the quota.
 */
export async function countIn(tx: Db, file: FileRow): Promise<ArchiveStatus> {
  const status = await lockJobOf(tx, file)
  if (status === undefined) throw new HubError('FILE_NOT_FOUND', { fmsFileId: file.file_id })
  await countHeld(tx, file)
  return status
}

async function countHeld(tx: Db, file: FileRow): Promise<void> {
  if (file.kind !== 'source') return
  const quotas = await quotasOf(tx, file.site_id, file.client_id)
  mustFit(
    { quotas },
    'MaxFilesPerJob',
    await countSources(tx, file.site_id, file.job_id, { holds_bytes: 1 }),
  )
}

/** Refuses bytes of a job that was archived or deleted while they arrived. */
export function mustBeActive(
  { file_id: fmsFileId, job_id: jobId }: FileRow,
  archiveStatus: ArchiveStatus | undefined,
): void {
  if (archiveStatus === undefined) throw new HubError('FILE_NOT_FOUND', { fmsFileId })
  if (!isActive(archiveStatus)) throw new HubError('JOB_ARCHIVED', { jobId, archiveStatus })
}

/** Each received byte extends the transfer (contract, section 11). */
export const nextExpiry = (hub: Hub): number =>
  addDuration(hub.clock.now(), hub.config.transferLife)
