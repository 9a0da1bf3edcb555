/**
 * Finds and removes bytes without a row (the process died between writing bytes and row, or while
 * writing bytes), once they are too old for any call to still write their row. Safe beside running
 * hubs and safe to repeat.
 */
import type { StoredBlob } from '../../blobs/blob-store.ts'
import type { Hub } from '../../hub.ts'
import { madeAt } from '../../store/migrate.ts'
import { selectKnownBlobs } from './file-rows.ts'
import { isUploadOpen } from './upload-rows.ts'

/** Between a blob's last byte and the commit of its row lie milliseconds. */
const orphanGraceMs = 3_600_000
/** An unfinished write may pause for a while if its client is slow. */
const leftoverGraceMs = 86_400_000
const batchSize = 500

/**
 * `isForeign`: older than the database, so no hub on this database wrote it. It may belong to
 * another hub, and a hub started on the wrong database must not remove it.
 */
export type Orphan = StoredBlob & { readonly isForeign: boolean }

/** Complete blobs past the grace time that belong to no file and no open upload. */
export async function* findOrphans(
  hub: Hub,
  counted: (blob: StoredBlob) => void = () => {},
): AsyncGenerator<Orphan> {
  const before = storeNow(hub) - orphanGraceMs
  const since = await madeAt(hub.db.read)
  let old: Orphan[] = []
  for await (const blob of hub.blobs.list()) {
    counted(blob)
    if (blob.modifiedAt >= before) continue
    old.push({ ...blob, isForeign: blob.modifiedAt < since })
    if (old.length < batchSize) continue
    yield* unknown(hub, old)
    old = []
  }
  yield* unknown(hub, old)
}

async function* unknown(hub: Hub, blobs: readonly Orphan[]): AsyncGenerator<Orphan> {
  if (blobs.length === 0) return
  const ids = blobs.map(({ blobId }) => blobId)
  const known = await selectKnownBlobs(hub.db.read, ids)
  for (const blob of blobs) if (!known.has(blob.blobId)) yield blob
}

export async function removeOrphans(
  hub: Hub,
  removed: (blob: StoredBlob) => void = () => {},
): Promise<number> {
  let count = 0
  for await (const blob of findOrphans(hub)) {
    if (blob.isForeign) continue
    await hub.blobs.remove(blob.blobId)
    removed(blob)
    count += 1
  }
  return count
}

/** Removes what interrupted writes left behind, and returns how many. */
export const removeLeftovers = (hub: Hub): Promise<number> =>
  hub.blobs.sweep(storeNow(hub) - leftoverGraceMs, (blobId) => isUploadOpen(hub.db.read, blobId))

/** Part of the daily sweep: both of the above. */
export async function sweepBlobs(hub: Hub): Promise<void> {
  const leftovers = await removeLeftovers(hub)
  const orphans = await removeOrphans(hub)
  if (leftovers + orphans > 0)
    hub.log.info({ leftovers, orphans }, 'bytes without a row were removed')
}

/**
 * The time by which the store dates its bytes. The sandbox moves the hub's clock, but not a store's
 * own clock.
 */
const storeNow = (hub: Hub): number =>
  hub.clock.now() - (hub.blobs.hasOwnClock ? hub.clock.offset() : 0)
