/**
 * Copies the files that a copy of the database needs, those that are not there yet. Sealed files
 * are copied as they are.
 */
import { BlobMissing } from '../../../blobs/blob-store.ts'
import { inBatches } from '../../../blobs/in-batches.ts'
import type { Hub } from '../../../hub.ts'
import type { Db } from '../../../store/database.ts'
import { listCompleteUploads } from '../../files/settle-uploads.ts'
import { everyStoredFile, listImportBlobs } from '../../files/stored-files.ts'
import { finishUpload } from '../../files/uploads.ts'
import { type BackupPlace, putPiece, sizesIn, sumPiece } from './backup-place.ts'
import type { Piece } from './manifest.ts'

const atOnce = 8

/** Told how many of how many files are done. */
export type OnProgress = (done: number, total: number) => void

export type Needed = {
  readonly blobId: string
  /** Missing for a sealed file: its row has that of the opened bytes. */
  readonly sha256?: string
  /** An upload that is complete, but not yet a file. */
  readonly uploadId?: string
}

/** What the rows of a copy refer to. Unfinished uploads are left out: settleUploads ends them. */
export async function neededFiles(db: Db): Promise<Needed[]> {
  const needed: Needed[] = []
  for await (const { blob_id, sha256, sealed } of everyStoredFile(db))
    if (blob_id !== null)
      needed.push({ blobId: blob_id, ...(sealed === 0 && sha256 !== null && { sha256 }) })
  for (const { blob_id, upload_id } of await listCompleteUploads(db))
    needed.push({ blobId: blob_id, uploadId: upload_id })
  for (const blobId of await listImportBlobs(db)) needed.push({ blobId })
  return needed
}

export type Copied = {
  readonly pieces: readonly Piece[]
  /** What was copied now; the rest was there already. */
  readonly copied: { readonly files: number; readonly bytes: number }
  readonly missing: readonly string[]
  /** Other bytes than their rows say. */
  readonly damaged: readonly string[]
}

export type ToCopy = {
  readonly needed: readonly Needed[]
  /** The sums of files that an earlier backup copied. */
  readonly known: ReadonlyMap<string, Piece>
  readonly told: OnProgress
}

export async function copyFiles(
  hub: Hub,
  place: BackupPlace,
  { needed, known, told }: ToCopy,
): Promise<Copied> {
  const there = await sizesIn(place.files)
  const copied = { files: 0, bytes: 0 }
  const missing: string[] = []
  const damaged: string[] = []
  let done = 0
  const pieces = await inBatches(needed, atOnce, async (file): Promise<Piece | undefined> => {
    const { blobId, sha256 } = file
    const earlier = known.get(blobId)
    const size = there.get(blobId)
    let piece = earlier && earlier.size === size ? earlier : undefined
    // Left by an unfinished backup: complete, but without a sum.
    if (!piece && size !== undefined) piece = await sumPiece(place.files, blobId)
    if (!piece || (sha256 !== undefined && piece.sha256 !== sha256)) {
      piece = await copyOne(hub, place, file)
      copied.files += piece ? 1 : 0
      copied.bytes += piece?.size ?? 0
    }
    if (!piece) missing.push(blobId)
    else if (sha256 !== undefined && piece.sha256 !== sha256) damaged.push(blobId)
    done += 1
    told(done, needed.length)
    return piece
  })
  return { pieces: pieces.filter((piece) => piece !== undefined), copied, missing, damaged }
}

async function copyOne(
  hub: Hub,
  place: BackupPlace,
  { blobId, uploadId }: Needed,
): Promise<Piece | undefined> {
  try {
    // Safe beside a hub that does the same.
    if (uploadId !== undefined) await finishUpload(hub, uploadId).catch(() => {})
    return await putPiece(place.files, blobId, (await hub.blobs.open(blobId)).stream)
  } catch (error) {
    if (error instanceof BlobMissing) return undefined
    throw error
  }
}
