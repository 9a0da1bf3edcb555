/** Removes expired transfers and unreferenced blobs in tasks. Both are safe to repeat. */
import type { Change, Hub } from '../../hub.ts'
import type { Db } from '../../store/database.ts'
import { addTasks } from '../../store/tasks/add-tasks.ts'
import type { Task } from '../../store/tasks/hold-tasks.ts'
import { countBytes } from '../access/site-bytes.ts'
import * as files from './file-rows.ts'
import { dropContentKeys } from './seals/content-keys.ts'
import { removeOtherUploads, selectUploadsOf } from './upload-rows.ts'

const removeTask = 'remove-blobs'
const batchSize = 200

/** Runs in the transaction that deletes the rows. The keys are deleted at once, the bytes later. */
export async function removeBlobsLater(
  { hub, tx, causeId }: Change,
  blobIds: readonly string[],
): Promise<void> {
  const dueAt = hub.clock.now()
  for (let from = 0; from < blobIds.length; from += batchSize) {
    const some = blobIds.slice(from, from + batchSize)
    await dropContentKeys(tx, some)
    await addTasks(hub.db, tx, dueAt, [
      { name: removeTask, payload: { blobIds: some }, dueAt, causeId },
    ])
  }
}

export async function removeBlobs(hub: Hub, task: Task): Promise<'done'> {
  const { blobIds } = task.payload as { blobIds: string[] }
  for (const blobId of blobIds) await hub.blobs.abandon(blobId)
  return 'done'
}

/** The bytes of a job's files. */
export const fileBytesOf = (tx: Db, siteId: string, jobId: string): Promise<number> =>
  files.sumFileBytes(tx, siteId, jobId)

/** Runs in the transaction that deletes the job: removes all of its blobs. */
export async function dropFiles(change: Change, siteId: string, jobId: string): Promise<void> {
  await removeBlobsLater(change, await files.selectBlobs(change.tx, siteId, jobId))
}

/**
 * Runs in a transaction that has locked the job: removes unreferenced translations and their byte
 * count.
 */
export async function dropTranslations(
  change: Change,
  at: { readonly siteId: string; readonly jobId: string },
  fileIds: readonly string[],
): Promise<void> {
  const { hub, tx } = change
  for (let from = 0; from < fileIds.length; from += batchSize) {
    const some = fileIds.slice(from, from + batchSize)
    const { blobIds, bytes } = await files.removeTranslations(tx, at.siteId, at.jobId, some)
    await removeBlobsLater(change, blobIds)
    await countBytes(hub.db, tx, at.siteId, -bytes)
  }
}

/** Ends every expired transfer, and returns when the next one expires. A referenced file stays. */
export async function expireTransfers(hub: Hub, causeId: string): Promise<number | undefined> {
  for (;;) {
    const now = hub.clock.now()
    const expired = await files.selectExpired(hub.db.read, now, batchSize)
    if (expired.length === 0) return files.firstExpiry(hub.db.read)
    await hub.db.transact(async (tx) => {
      for (const file of expired) {
        // The lock keeps others from referring to the file during the check.
        await files.lockJobOf(tx, file)
        // The file is stored, so only the upload, which a client could still query, is removed.
        if (file.state === 'stored') {
          await removeOtherUploads(tx, file.file_id, null)
          await files.closeTransfer(tx, file)
          continue
        }
        // More bytes may have arrived since the file was listed; then the uploads stay.
        const alive = (await selectUploadsOf(tx, file.file_id)).map((upload) => upload.expires_at)
        const until = Math.max(now, ...alive)
        if (until > now) {
          await files.updateExpected(tx, file, { expires_at: until })
          continue
        }
        await removeBlobsLater(
          { hub, tx, causeId },
          await removeOtherUploads(tx, file.file_id, null),
        )
        if (await files.isReferenced(tx, file))
          await files.updateExpected(tx, file, { holds_bytes: 0, expires_at: null })
        else await files.removeExpected(tx, file)
      }
    })
  }
}
