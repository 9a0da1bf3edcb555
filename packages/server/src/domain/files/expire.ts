/** Transfers that never ended and blobs that nothing points at any more: both go by tasks, and both can be done twice. */
import type { Change, Hub } from '../../hub.ts'
import type { Db } from '../../store/engine.ts'
import { addTasks } from '../../store/tasks/add-tasks.ts'
import type { Task } from '../../store/tasks/hold-tasks.ts'
import { countBytes } from '../access/site-bytes.ts'
import { dropContentKeys } from '../seals/content-keys.ts'
import * as files from './file-rows.ts'
import { removeUpload, selectUploadOf } from './upload-rows.ts'

const removeTask = 'remove-blobs'
const together = 200

/** In the transaction that forgets the rows: their keys go at once, the bytes follow. */
export async function removeBlobsLater({ hub, tx, causeId }: Change, blobIds: readonly string[]): Promise<void> {
  const dueAt = hub.clock.now()
  for (let from = 0; from < blobIds.length; from += together) {
    const some = blobIds.slice(from, from + together)
    await dropContentKeys(tx, some)
    await addTasks(hub.engine, tx, dueAt, [{ name: removeTask, payload: { blobIds: some }, dueAt, causeId }])
  }
}

export async function removeBlobs(hub: Hub, task: Task): Promise<'done'> {
  const { blobIds } = task.payload as { blobIds: string[] }
  for (const blobId of blobIds) await hub.blobs.abandon(blobId)
  return 'done'
}

/** How much a job's files hold. */
export const fileBytesOf = (tx: Db, siteId: string, jobId: string): Promise<number> =>
  files.sumFileBytes(tx, siteId, jobId)

/** Everything of a job that lies in the blob store, in the transaction that deletes the job. */
export async function dropFiles(change: Change, siteId: string, jobId: string): Promise<void> {
  await removeBlobsLater(change, await files.selectBlobs(change.tx, siteId, jobId))
}

/** In a transaction that has locked the job: translations that nothing refers to any more go, with what they count. */
export async function dropTranslations(
  change: Change,
  at: { readonly siteId: string; readonly jobId: string },
  fileIds: readonly string[],
): Promise<void> {
  const { hub, tx } = change
  for (let from = 0; from < fileIds.length; from += together) {
    const some = fileIds.slice(from, from + together)
    const { blobIds, bytes } = await files.removeTranslations(tx, at.siteId, at.jobId, some)
    await removeBlobsLater(change, blobIds)
    await countBytes(hub.engine, tx, at.siteId, -bytes)
  }
}

/** Ends every transfer whose time is over; gives back when the next one ends. A file that something refers to stays. */
export async function expireTransfers(hub: Hub, causeId: string): Promise<number | undefined> {
  for (;;) {
    const now = hub.clock.now()
    const expired = await files.selectExpired(hub.engine.read, now, together)
    if (expired.length === 0) return files.firstExpiry(hub.engine.read)
    await hub.engine.transact(async (tx) => {
      for (const file of expired) {
        // Nobody may begin to refer to the file while it is looked at.
        await files.lockJobOf(tx, file)
        const upload = await selectUploadOf(tx, file.file_id)
        // Its bytes are a file by now; only the upload, which a client could ask about, goes.
        if (file.state === 'stored') {
          if (upload) await removeUpload(tx, upload.upload_id)
          await files.closeTransfer(tx, file)
          continue
        }
        // A byte may have come since it was listed: then the upload lives on.
        if (upload && upload.expires_at > now) {
          await files.updateExpected(tx, file, { expires_at: upload.expires_at })
          continue
        }
        if (upload) {
          await removeUpload(tx, upload.upload_id)
          await removeBlobsLater({ hub, tx, causeId }, [upload.blob_id])
        }
        if (await files.isReferenced(tx, file))
          await files.updateExpected(tx, file, { holds_bytes: 0, expires_at: null })
        else await files.removeExpected(tx, file)
      }
    })
  }
}
