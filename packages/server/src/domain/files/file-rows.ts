/** SQL of files. Functions for callers take the site first; signed URLs have only the file id. */
import type { ArchiveStatus } from '@dragoman/contract'
import type { Insertable, Updateable } from 'kysely'
import type { Db } from '../../store/database.ts'
import { lock } from '../../store/lock.ts'
import type { FileRow, Tables } from '../../store/tables.ts'

export async function insertFile(db: Db, row: Insertable<Tables['files']>): Promise<void> {
  await db.insertInto('files').values(row).execute()
}

export function selectFile(
  db: Db,
  siteId: string,
  jobId: string,
  fileId: string,
): Promise<FileRow | undefined> {
  return db
    .selectFrom('files')
    .selectAll()
    .where('site_id', '=', siteId)
    .where('job_id', '=', jobId)
    .where('file_id', '=', fileId)
    .executeTakeFirst()
}

export function selectFiles(
  db: Db,
  siteId: string,
  jobId: string,
  fileIds: readonly string[],
): Promise<FileRow[]> {
  if (fileIds.length === 0) return Promise.resolve([])
  return db
    .selectFrom('files')
    .selectAll()
    .where('site_id', '=', siteId)
    .where('job_id', '=', jobId)
    .where('file_id', 'in', [...fileIds])
    .execute()
}

/**
 * A page of the stored files, by id. No site: those of all sites, for copies and checks of the
 * whole hub.
 */
export function selectStored(
  db: Db,
  siteId: string | undefined,
  after: string,
  limit: number,
): Promise<FileRow[]> {
  const all = db
    .selectFrom('files')
    .selectAll()
    .where('state', '=', 'stored')
    .where('file_id', '>', after)
  const some = siteId === undefined ? all : all.where('site_id', '=', siteId)
  return some.orderBy('file_id').limit(limit).execute()
}

/** Identifies a file: the key columns of its row or of its upload. */
export type FileKey = Pick<FileRow, 'site_id' | 'file_id'>

export type SignedFile = FileRow & { archive_status: Tables['jobs']['archive_status'] }

/** No site: by the random file id that the URL's signature covers. */
export function selectSignedFile(db: Db, fileId: string): Promise<SignedFile | undefined> {
  return db
    .selectFrom('files')
    .innerJoin('jobs', (join) =>
      join.onRef('jobs.job_id', '=', 'files.job_id').onRef('jobs.site_id', '=', 'files.site_id'),
    )
    .selectAll('files')
    .select('jobs.archive_status')
    .where('files.file_id', '=', fileId)
    .executeTakeFirst()
}

/**
 * Locks the job, so that nobody else adds bytes while this transaction counts them. Returns its
 * archive status; undefined if there is no job.
 */
export async function lockJobOf(
  tx: Db,
  file: Pick<FileRow, 'site_id' | 'job_id'>,
): Promise<ArchiveStatus | undefined> {
  const query = tx
    .selectFrom('jobs')
    .select('archive_status')
    .where('site_id', '=', file.site_id)
    .where('job_id', '=', file.job_id)
  return (await lock(tx, query).executeTakeFirst())?.archive_status
}

/** The number of the job's source files that wait for their bytes, or of those that hold bytes. */
export async function countSources(
  db: Db,
  siteId: string,
  jobId: string,
  which: { readonly state: 'expected' } | { readonly holds_bytes: 1 },
): Promise<number> {
  const row = await db
    .selectFrom('files')
    .select((eb) => eb.fn.countAll().as('files'))
    .where((eb) => eb.and({ site_id: siteId, job_id: jobId, kind: 'source', ...which }))
    .executeTakeFirstOrThrow()
  return Number(row.files)
}

/** Changes the file only if it still waits for its bytes, and returns whether it did. */
export async function updateExpected(
  db: Db,
  file: FileKey,
  change: Updateable<Tables['files']>,
): Promise<boolean> {
  const changed = await db
    .updateTable('files')
    .set(change)
    .where('site_id', '=', file.site_id)
    .where('file_id', '=', file.file_id)
    .where('state', '=', 'expected')
    .executeTakeFirst()
  return changed.numUpdatedRows > 0n
}

/** Changes the file only if it still names these bytes, and returns whether it did. */
export async function updateLost(
  db: Db,
  file: FileKey & { readonly blob_id: string },
  change: Updateable<Tables['files']>,
): Promise<boolean> {
  const changed = await db
    .updateTable('files')
    .set(change)
    .where('site_id', '=', file.site_id)
    .where('file_id', '=', file.file_id)
    .where('state', '=', 'stored')
    .where('blob_id', '=', file.blob_id)
    .executeTakeFirst()
  return changed.numUpdatedRows > 0n
}

/** The bytes of completely uploaded files. */
export async function sumFileBytes(db: Db, siteId: string, jobId: string): Promise<number> {
  const { bytes } = await db
    .selectFrom('files')
    .select((eb) => eb.fn.sum('size').as('bytes'))
    .where('site_id', '=', siteId)
    .where('job_id', '=', jobId)
    .executeTakeFirstOrThrow()
  return Number(bytes ?? 0)
}

/** Every blob of the job's files and uploads. */
export async function selectBlobs(db: Db, siteId: string, jobId: string): Promise<string[]> {
  const files = await db
    .selectFrom('files')
    .leftJoin('uploads', (join) =>
      join
        .onRef('uploads.file_id', '=', 'files.file_id')
        .onRef('uploads.site_id', '=', 'files.site_id'),
    )
    .select(['files.blob_id', 'uploads.blob_id as upload_blob_id'])
    .where('files.site_id', '=', siteId)
    .where('files.job_id', '=', jobId)
    .execute()
  return files.flatMap((row) => [row.blob_id, row.upload_blob_id]).filter((id) => id !== null)
}

/**
 * The blobs that belong to a file, an unfinished upload or an import. No site: upkeep over all
 * sites.
 */
export async function selectKnownBlobs(
  db: Db,
  blobIds: readonly string[],
): Promise<Set<string | null>> {
  const files = await db
    .selectFrom('files')
    .select('blob_id')
    .where('blob_id', 'in', blobIds)
    .execute()
  const uploads = await db
    .selectFrom('uploads')
    .innerJoin('files', 'files.file_id', 'uploads.file_id')
    .select('uploads.blob_id')
    .where('uploads.blob_id', 'in', blobIds)
    .where('files.state', '=', 'expected')
    .execute()
  const imports = await db
    .selectFrom('memory_imports')
    .select('blob_id')
    .where('blob_id', 'in', blobIds)
    .execute()
  return new Set([...files, ...uploads, ...imports].map((row) => row.blob_id))
}

/**
 * The blobs of imports that are under way. No site: those of all sites, for copies of the whole
 * hub.
 */
export async function selectImportBlobs(db: Db): Promise<string[]> {
  const rows = await db
    .selectFrom('memory_imports')
    .select('blob_id')
    .where('blob_id', 'is not', null)
    .execute()
  return rows.map((row) => row.blob_id).filter((blobId) => blobId !== null)
}

/** Expired transfers. No site: upkeep over all sites. */
export function selectExpired(db: Db, until: number, limit: number): Promise<FileRow[]> {
  return db
    .selectFrom('files')
    .selectAll()
    .where('expires_at', 'is not', null)
    .where('expires_at', '<=', until)
    .orderBy('expires_at')
    .limit(limit)
    .execute()
}

/** When the next transfer expires. No site: upkeep over all sites. */
export async function firstExpiry(db: Db): Promise<number | undefined> {
  const row = await db
    .selectFrom('files')
    .select('expires_at')
    .where('expires_at', 'is not', null)
    .orderBy('expires_at')
    .limit(1)
    .executeTakeFirst()
  return row?.expires_at ?? undefined
}

/**
 * Whether a request, a support asset or a TM update refers to the file; of a translation, whether
 * it is the latest transfer.
 */
export async function isReferenced(
  db: Db,
  { site_id, job_id, file_id, kind }: Pick<FileRow, 'site_id' | 'job_id' | 'file_id' | 'kind'>,
): Promise<boolean> {
  if (kind === 'translation') {
    const awaiting = db
      .selectFrom('requests')
      .select('request_id')
      .where('incoming_file_id', '=', file_id)
    const request = awaiting.where('site_id', '=', site_id).where('job_id', '=', job_id).limit(1)
    return (await request.executeTakeFirst()) !== undefined
  }
  for (const table of ['requests', 'support_assets', 'tm_updates'] as const) {
    const referring = db
      .selectFrom(table)
      .select('file_id')
      .where('site_id', '=', site_id)
      .where('file_id', '=', file_id)
    if (await referring.limit(1).executeTakeFirst()) return true
  }
  return false
}

/**
 * Deletes translations and their unfinished uploads, and returns what they held. Uploads first, in
 * the lock order of all other writers.
 */
export async function removeTranslations(
  db: Db,
  siteId: string,
  jobId: string,
  fileIds: readonly string[],
): Promise<{ blobIds: string[]; bytes: number }> {
  const uploads = await db
    .deleteFrom('uploads')
    .where('site_id', '=', siteId)
    .where('file_id', 'in', (eb) =>
      eb
        .selectFrom('files')
        .select('file_id')
        .where('site_id', '=', siteId)
        .where('job_id', '=', jobId)
        .where('kind', '=', 'translation')
        .where('file_id', 'in', [...fileIds]),
    )
    .returning('blob_id')
    .execute()
  const files = await db
    .deleteFrom('files')
    .where('site_id', '=', siteId)
    .where('job_id', '=', jobId)
    .where('kind', '=', 'translation')
    .where('file_id', 'in', [...fileIds])
    .returning(['blob_id', 'size'])
    .execute()
  const blobIds = [...uploads, ...files].map(({ blob_id }) => blob_id).filter((id) => id !== null)
  return {
    blobIds: [...new Set(blobIds)],
    bytes: files.reduce((sum, { size }) => sum + (size ?? 0), 0),
  }
}

/** Closes a finished transfer: its tokens become invalid, the row stays for what refers to it. */
export async function closeTransfer(db: Db, file: FileKey): Promise<void> {
  const change = db.updateTable('files').set({ expires_at: null })
  await change.where('site_id', '=', file.site_id).where('file_id', '=', file.file_id).execute()
}

/** Removes the file only if it still waits for its bytes: they may have arrived in the meantime. */
export async function removeExpected(db: Db, file: FileKey): Promise<void> {
  const removal = db
    .deleteFrom('files')
    .where('site_id', '=', file.site_id)
    .where('file_id', '=', file.file_id)
  await removal.where('state', '=', 'expected').execute()
}
