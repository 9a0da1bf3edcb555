/** SQL of the check of files. No site: `dragoman check` covers all sites. */

import { sql } from 'kysely'
import type { Db } from '../../../store/database.ts'
import type { FileRow, UploadRow } from '../../../store/tables.ts'

const maxFindings = 1_000

/** Whether the row is unchanged: the job may have been deleted while the bytes were read. */
export async function isStillStored(db: Db, { file_id, blob_id }: FileRow): Promise<boolean> {
  const query = db
    .selectFrom('files')
    .select('blob_id')
    .where('state', '=', 'stored')
    .where('file_id', '=', file_id)
  return (await query.executeTakeFirst())?.blob_id === blob_id
}

const open = (db: Db) =>
  db
    .selectFrom('uploads')
    .innerJoin('files', 'files.file_id', 'uploads.file_id')
    .select(['uploads.upload_id', 'uploads.site_id', 'uploads.file_id', 'uploads.blob_id'])
    .select(['uploads.received', 'uploads.writer_until', 'uploads.sealed'])
    .where('files.state', '=', 'expected')
    .where('uploads.received', '>', 0)

export type OpenUpload = Pick<
  UploadRow,
  'upload_id' | 'site_id' | 'file_id' | 'blob_id' | 'received' | 'writer_until' | 'sealed'
>

/** Unfinished uploads with acknowledged bytes. */
export const openUploads = (db: Db): Promise<OpenUpload[]> => open(db).execute()

export const openUpload = (db: Db, uploadId: string): Promise<OpenUpload | undefined> =>
  open(db).where('uploads.upload_id', '=', uploadId).executeTakeFirst()

/**
 * uploads.ts defines the key of the task. An empty upload needs no task, nor does a part of a file.
 */
export const uploadsWithoutTask = (db: Db) =>
  open(db)
    .whereRef('uploads.received', '=', 'uploads.length')
    .where('uploads.deferred', '=', 0)
    .where('uploads.concat', 'is', null)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('tasks')
            .select('task_id')
            .where('tasks.key', '=', sql<string>`'finish-upload:' || uploads.upload_id`),
        ),
      ),
    )
    .limit(maxFindings)
    .execute()

/** A file holds bytes once it is complete or its first bytes were acknowledged. */
export const filesCountedWrong = (db: Db) =>
  db
    .selectFrom('files')
    .select(['files.file_id', 'files.site_id', 'files.state', 'files.holds_bytes'])
    .where((eb) => {
      const arrived = eb.exists(
        eb
          .selectFrom('uploads')
          .select('uploads.upload_id')
          .whereRef('uploads.file_id', '=', 'files.file_id')
          .where('uploads.received', '>', 0),
      )
      const holds = eb.or([eb('files.state', '=', 'stored'), arrived])
      return eb.or([
        eb.and([eb('files.holds_bytes', '=', 0), holds]),
        eb.and([eb('files.holds_bytes', '=', 1), eb.not(holds)]),
      ])
    })
    .limit(maxFindings)
    .execute()

/** Sites whose byte count (quota MaxBytesPerSite) is wrong. One statement, so one point in time. */
export async function sitesCountedWrong(
  db: Db,
): Promise<{ site_id: string; counted: number; held: number }[]> {
  const { rows } = await sql<{ site_id: string; counted: number; held: number }>`
    select site_id, sum(counted) as counted, sum(held) as held from (
      select site_id, bytes as counted, 0 as held from site_bytes
      union all select site_id, 0, size from files where size is not null
      union all select site_id, 0, bytes from source_contents
      union all select site_id, 0, bytes from drafts
      union all select site_id, 0, bytes from corrections
      union all select site_id, 0, bytes from comments
      union all select site_id, 0, octet_length(prices) from price_lists
      union all select site_id, 0, octet_length(extended_metadata) from jobs where extended_metadata is not null
      union all select site_id, 0, octet_length(extended_metadata) from requests where extended_metadata is not null
      union all select site_id, 0, octet_length(extended_metadata) from support_assets where extended_metadata is not null
      union all select site_id, 0, octet_length(extended_metadata) from tm_updates where extended_metadata is not null
    ) as bytes group by site_id having sum(counted) <> sum(held) limit ${sql.lit(maxFindings)}`.execute(
    db,
  )
  return rows.map((row) => ({ ...row, counted: Number(row.counted), held: Number(row.held) }))
}

/** Blobs whose rows are deleted and whose bytes a task will remove. */
export async function blobsToBeRemoved(db: Db): Promise<Set<string>> {
  const tasks = await db
    .selectFrom('tasks')
    .select('payload')
    .where('name', '=', 'remove-blobs')
    .execute()
  return new Set(
    tasks.flatMap(({ payload }) => (JSON.parse(payload) as { blobIds: string[] }).blobIds),
  )
}
