/**
 * Checks rows against bytes. A suspected fault is checked again before it is reported, because a
 * running hub may have deleted or completed the file meanwhile. Bytes are read as a stream,
 * whatever their size.
 */
import { BlobMissing } from '../../../blobs/blob-store.ts'
import { segmentBytes } from '../../../blobs/segments.ts'
import { sumBlob } from '../../../blobs/sum-blob.ts'
import type { Hub } from '../../../hub.ts'
import type { FileRow } from '../../../store/tables.ts'
import { storeOf } from '../../files/blob-place.ts'
import { findOrphans, removeLeftovers, removeOrphans } from '../../files/orphans.ts'
import { everyStoredFile } from '../../files/stored-files.ts'
import * as rows from './check-file-rows.ts'
import { type CheckRun, type Fault, fault } from './check-run.ts'

/** Files whose bytes are missing, incomplete or damaged. */
export async function findBadBytes(hub: Hub, run: CheckRun): Promise<Fault[]> {
  const found: Fault[] = []
  for await (const file of everyStoredFile(hub.db.read)) {
    const says = await faultOf(hub, file, run)
    if (says !== undefined && (await rows.isStillStored(hub.db.read, file)))
      found.push(
        fault(
          file.site_id,
          `file ${file.file_id}`,
          `${says} (job ${file.job_id}, blob ${file.blob_id})`,
        ),
      )
  }
  return found
}

async function faultOf(hub: Hub, file: FileRow, run: CheckRun): Promise<string | undefined> {
  const { blob_id } = file
  if (blob_id === null) return 'The file is stored, but has no blob.'
  run.checked.files += 1
  try {
    const store = await storeOf(hub, { ...file, blob_id })
    const size = run.fast ? await store.size(blob_id) : undefined
    const count = (bytes: number) => {
      run.checked.bytes += bytes
    }
    const read = size === undefined ? await sumBlob(store, blob_id, count) : { size }
    if (!read) return 'The bytes are missing.'
    if (read.size !== file.size) return `There are ${read.size} bytes instead of ${file.size}.`
    return 'sha256' in read && read.sha256 !== file.sha256
      ? 'The bytes are damaged: their sha256 differs.'
      : undefined
  } catch (error) {
    if (error instanceof BlobMissing) return 'The bytes are missing.'
    return `The bytes cannot be read: ${error instanceof Error ? error.message : String(error)}`
  }
}

/**
 * Uploads with acknowledged bytes that are gone. The rows are read first, so that later uploads are
 * not reported.
 */
export async function findLostUploads(hub: Hub, run: CheckRun): Promise<Fault[]> {
  const uploads = await rows.openUploads(hub.db.read)
  if (uploads.length === 0) return []
  run.checked.uploads += uploads.length
  const existing = new Set<string>()
  const keep = async (blobId: string): Promise<boolean> => {
    existing.add(blobId)
    return true
  }
  // The sweep asks about every unfinished write, and this keeps all of them.
  await hub.blobs.sweep(Number.POSITIVE_INFINITY, keep)
  const found: Fault[] = []
  for (const before of uploads) {
    const { upload_id, site_id, file_id, blob_id, received, sealed } = before
    // The first bytes of a sealed upload are in its row.
    if (sealed === 1 && received < segmentBytes) continue
    if (existing.has(blob_id) || (await isWhole(hub, blob_id))) continue
    const now = await rows.openUpload(hub.db.read, upload_id)
    if (!now || now.received > received || isWritten(hub, before) || isWritten(hub, now)) continue
    const says = `${received} bytes were acknowledged and are missing (file ${file_id}, blob ${blob_id}).`
    found.push(fault(site_id, `upload ${upload_id}`, says))
  }
  return found
}

const isWritten = (hub: Hub, upload: rows.OpenUpload): boolean =>
  (upload.writer_until ?? 0) > hub.clock.now()

/** The blob is complete, although its row may not say so yet. */
const isWhole = (hub: Hub, blobId: string): Promise<boolean> =>
  hub.blobs.size(blobId).then(
    () => true,
    (error: unknown) => {
      if (error instanceof BlobMissing) return false
      throw error
    },
  )

export async function findUnfinishedUploads({ db }: Hub): Promise<Fault[]> {
  const uploads = await rows.uploadsWithoutTask(db.read)
  return uploads.map(({ site_id, upload_id, file_id }) =>
    fault(
      site_id,
      `upload ${upload_id}`,
      `The upload is complete, but no task will turn it into a file (file ${file_id}).`,
    ),
  )
}

export async function findWrongCounts({ db }: Hub): Promise<Fault[]> {
  const files = await rows.filesCountedWrong(db.read)
  return files.map(({ site_id, file_id, state, holds_bytes }) =>
    fault(site_id, `file ${file_id}`, `The file is ${state}, but holds_bytes is ${holds_bytes}.`),
  )
}

export async function findWrongBytes({ db }: Hub): Promise<Fault[]> {
  const sites = await rows.sitesCountedWrong(db.read)
  return sites.map(({ site_id, counted, held }) =>
    fault(
      site_id,
      `site ${site_id}`,
      `Its files, contents and price lists have ${held} bytes; MaxBytesPerSite counts ${counted}.`,
    ),
  )
}

/** Bytes past the grace time without a row. With `repair` they are removed and not reported. */
export async function findOrphanBlobs(hub: Hub, run: CheckRun): Promise<Fault[]> {
  if (run.repaired) {
    const { orphans } = run.repaired
    await removeOrphans(hub, ({ blobId, size }) => orphans.push({ blobId, size }))
    run.repaired.leftovers += await removeLeftovers(hub)
  }
  const found: Fault[] = []
  const counted = () => {
    run.checked.blobs += 1
  }
  for await (const { blobId, size, isForeign } of findOrphans(hub, counted)) {
    if (isForeign) run.strangers += 1
    if (
      isForeign ||
      (await rows.blobsToBeRemoved(hub.db.read)).has(blobId) ||
      !(await isWhole(hub, blobId))
    )
      continue
    found.push(fault(null, `blob ${blobId}`, `${size} bytes without a row.`))
  }
  return found
}

/** Counted by findOrphanBlobs. */
export async function findStrangers(_: Hub, { strangers }: CheckRun): Promise<Fault[]> {
  if (strangers === 0) return []
  return [
    fault(null, 'blob store', `${strangers} blobs are older than this database and have no row.`),
  ]
}
