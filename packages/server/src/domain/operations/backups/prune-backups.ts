/**
 * Removes old backups: their manifests first, then files that no other backup needs, and what
 * killed backups left behind.
 */
import type { Hub } from '../../../hub.ts'
import { Refusal } from '../../../store/refusal.ts'
import { type BackupPlace, listBackups, loadManifest } from './backup-place.ts'

/** What no manifest names may be a copy in progress, unless it is older than this. */
const leftoverMs = 86_400_000

/**
 * Call it within a turn. Without a number all backups stay. Returns the ids of those that are gone.
 */
export async function pruneBackups(
  hub: Hub,
  place: BackupPlace,
  keep = Number.POSITIVE_INFINITY,
): Promise<string[]> {
  const ids = (await listBackups(place)).map(({ id }) => id)
  const old = ids.slice(keep)
  const unneeded = new Set<string>()
  for (const id of old) for (const blobId of (await filesOf(place, id)) ?? []) unneeded.add(blobId)
  for (const id of old) await place.manifests.remove(id)
  const needed = new Set<string>()
  for (const id of ids.slice(0, keep)) {
    const files = await filesOf(place, id)
    // Nobody knows which files a damaged one needs.
    if (!files) return old
    for (const blobId of files) needed.add(blobId)
  }
  const before = hub.clock.now() - (place.files.hasOwnClock ? hub.clock.offset() : 0) - leftoverMs
  for await (const { blobId, modifiedAt } of place.files.list())
    if (!needed.has(blobId) && (unneeded.has(blobId) || modifiedAt < before))
      await place.files.remove(blobId)
  return old
}

/** Undefined if the manifest is damaged. */
async function filesOf(place: BackupPlace, id: string): Promise<string[] | undefined> {
  try {
    const { header, files } = await loadManifest(place, id)
    return [header.database.blobId, ...files.map(({ blobId }) => blobId)]
  } catch (error) {
    if (error instanceof Refusal) return undefined
    throw error
  }
}
