/**
 * SQL of resumable uploads. No site: an upload is reached by its random id, known only to the
 * holder of its file's token.
 */
import type { Insertable } from 'kysely'
import type { Db } from '../../store/database.ts'
import type { Tables, UploadRow } from '../../store/tables.ts'

export async function insertUpload(db: Db, row: Insertable<Tables['uploads']>): Promise<void> {
  await db.insertInto('uploads').values(row).execute()
}

export function selectUpload(db: Db, uploadId: string): Promise<UploadRow | undefined> {
  return db.selectFrom('uploads').selectAll().where('upload_id', '=', uploadId).executeTakeFirst()
}

/** Several if they are partial uploads, the oldest first. */
export function selectUploadsOf(db: Db, fileId: string): Promise<UploadRow[]> {
  return db
    .selectFrom('uploads')
    .selectAll()
    .where('file_id', '=', fileId)
    .orderBy('created_at')
    .orderBy('upload_id')
    .execute()
}

export async function removeUpload(db: Db, uploadId: string): Promise<void> {
  await db.deleteFrom('uploads').where('upload_id', '=', uploadId).execute()
}

/** Removes all uploads of the file except the one with these bytes, and returns their blobs. */
export async function removeOtherUploads(
  db: Db,
  fileId: string,
  blobId: string | null,
): Promise<string[]> {
  const others = db.deleteFrom('uploads').where('file_id', '=', fileId)
  const removed = await (blobId === null ? others : others.where('blob_id', '!=', blobId))
    .returning('blob_id')
    .execute()
  return removed.map((row) => row.blob_id)
}

/** Saves a length that was not known before, only for the current writer. */
export async function declareLength(
  db: Db,
  { uploadId, writer }: Writer,
  length: number,
): Promise<boolean> {
  const saved = await db
    .updateTable('uploads')
    .set({ length, deferred: 0 })
    .where('upload_id', '=', uploadId)
    .where('writer', '=', writer)
    .where('deferred', '=', 1)
    .executeTakeFirst()
  return saved.numUpdatedRows > 0n
}

/** Whether an unfinished upload writes to this blob. */
export async function isUploadOpen(db: Db, blobId: string): Promise<boolean> {
  const row = await db
    .selectFrom('uploads')
    .innerJoin('files', 'files.file_id', 'uploads.file_id')
    .select('uploads.upload_id')
    .where('uploads.blob_id', '=', blobId)
    .where('files.state', '=', 'expected')
    .executeTakeFirst()
  return row !== undefined
}

/** Takes the write lease if nobody holds it. */
export async function takeWriter(
  db: Db,
  uploadId: string,
  writer: string,
  until: number,
): Promise<boolean> {
  const taken = await db
    .updateTable('uploads')
    .set({ writer, writer_until: until, wanted: 0 })
    .where('upload_id', '=', uploadId)
    .where('writer', 'is', null)
    .executeTakeFirst()
  return taken.numUpdatedRows > 0n
}

type Writer = { readonly uploadId: string; readonly writer: string }

/**
 * Takes the lease from a holder whose time is over. The holder may still be alive, so `fence` shuts
 * out its bytes.
 */
export async function takeFromLate(
  db: Db,
  { uploadId, writer }: Writer,
  { now, until }: { readonly now: number; readonly until: number },
  fence: (progress: string) => string,
): Promise<boolean> {
  const late = await db
    .selectFrom('uploads')
    .select(['writer', 'progress'])
    .where('upload_id', '=', uploadId)
    .where('writer_until', '<=', now)
    .executeTakeFirst()
  if (!late) return false
  const taken = await db
    .updateTable('uploads')
    .set({ writer, writer_until: until, wanted: 0, progress: fence(late.progress) })
    .where('upload_id', '=', uploadId)
    .where('writer', '=', late.writer)
    .where('writer_until', '<=', now)
    // The old holder may be committing its last bytes right now.
    .where('progress', '=', late.progress)
    .executeTakeFirst()
  return taken.numUpdatedRows > 0n
}

/** Asks the current writer to let go, and returns who it is. */
export async function askWriter(db: Db, uploadId: string): Promise<string | undefined> {
  const row = await db
    .updateTable('uploads')
    .set({ wanted: 1 })
    .where('upload_id', '=', uploadId)
    .returning('writer')
    .executeTakeFirst()
  return row?.writer ?? undefined
}

/** Extends the lease. Returns whether it is still ours and whether someone else wants it. */
export async function keepWriter(
  db: Db,
  uploadId: string,
  writer: string,
  until: number,
): Promise<{ held: boolean; wanted: boolean }> {
  const row = await db
    .updateTable('uploads')
    .set({ writer_until: until })
    .where('upload_id', '=', uploadId)
    .where('writer', '=', writer)
    .returning('wanted')
    .executeTakeFirst()
  return { held: row !== undefined, wanted: row?.wanted === 1 }
}

export async function freeWriter(db: Db, uploadId: string, writer: string): Promise<void> {
  await db
    .updateTable('uploads')
    .set({ writer: null, writer_until: null, wanted: 0 })
    .where('upload_id', '=', uploadId)
    .where('writer', '=', writer)
    .execute()
}

export type Received = { received: number; progress: string; expires_at: number }

/** Saves offset and progress, only for the current writer. With `ends`, also releases the lease. */
export async function keepReceived(
  db: Db,
  { uploadId, writer }: Writer,
  change: Received,
  ends: boolean,
): Promise<boolean> {
  const saved = await db
    .updateTable('uploads')
    .set({ ...change, ...(ends && { writer: null, writer_until: null, wanted: 0 }) })
    .where('upload_id', '=', uploadId)
    .where('writer', '=', writer)
    .executeTakeFirst()
  return saved.numUpdatedRows > 0n
}

/** Unfinished uploads with acknowledged bytes. No site: a copy of the hub covers all sites. */
export function selectOpenUploads(db: Db): Promise<UploadRow[]> {
  return db
    .selectFrom('uploads')
    .innerJoin('files', 'files.file_id', 'uploads.file_id')
    .selectAll('uploads')
    .where('files.state', '=', 'expected')
    .where('uploads.received', '>', 0)
    .execute()
}
