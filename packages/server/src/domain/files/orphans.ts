/**
 * Bytes that no row knows (a process died between bytes and row, or in the middle of the bytes): found and removed once they
 * are so old that no call can still be about to write their row. Right beside running hubs, and may be done twice.
 */
import type { StoredBlob } from '../../blobs/blob-store.ts'
import type { Hub } from '../../hub.ts'
import { madeAt } from '../../store/migrate.ts'
import { selectKnownBlobs } from './file-rows.ts'
import { isUploadOpen } from './upload-rows.ts'

/** From the last byte of a whole blob to the commit of its row lie milliseconds. */
const orphanGraceMs = 3_600_000
/** A write in the middle may rest for a while: its client is slow. */
const leftoverGraceMs = 86_400_000
const together = 500

/**
 * `stranger`: older than the database, so that no hub on it can have written them. They may be the files of another one,
 * and a hub that was started on the wrong database must not remove them.
 */
export type Orphan = StoredBlob & { readonly stranger: boolean }

/** Whole blobs past their grace time that no file and no open upload knows. */
export async function* findOrphans(hub: Hub, counted: (blob: StoredBlob) => void = () => {}): AsyncGenerator<Orphan> {
  const before = storeNow(hub) - orphanGraceMs
  const since = await madeAt(hub.engine.read)
  let old: Orphan[] = []
  for await (const blob of hub.blobs.list()) {
    counted(blob)
    if (blob.modifiedAt >= before) continue
    old.push({ ...blob, stranger: blob.modifiedAt < since })
    if (old.length < together) continue
    yield* unknown(hub, old)
    old = []
  }
  yield* unknown(hub, old)
}

async function* unknown(hub: Hub, blobs: readonly Orphan[]): AsyncGenerator<Orphan> {
  if (blobs.length === 0) return
  const ids = blobs.map(({ blobId }) => blobId)
  const known = await selectKnownBlobs(hub.engine.read, ids)
  for (const blob of blobs) if (!known.has(blob.blobId)) yield blob
}

export async function removeOrphans(hub: Hub, removed: (blob: StoredBlob) => void = () => {}): Promise<number> {
  let count = 0
  for await (const blob of findOrphans(hub)) {
    if (blob.stranger) continue
    await hub.blobs.remove(blob.blobId)
    removed(blob)
    count += 1
  }
  return count
}

/** What interrupted writes left in the middle; gives back how many. */
export const removeLeftovers = (hub: Hub): Promise<number> =>
  hub.blobs.sweep(storeNow(hub) - leftoverGraceMs, (blobId) => isUploadOpen(hub.engine.read, blobId))

/** Both, as part of the daily sweep. */
export async function sweepBlobs(hub: Hub): Promise<void> {
  const leftovers = await removeLeftovers(hub)
  const orphans = await removeOrphans(hub)
  if (leftovers + orphans > 0) hub.log.info({ leftovers, orphans }, 'bytes that no row knows were removed')
}

/** The time by which the store dates its bytes. The sandbox moves the hub's clock, but not a store's own. */
const storeNow = (hub: Hub): number => hub.clock.now() - (hub.blobs.hasOwnClock ? hub.clock.offset() : 0)
