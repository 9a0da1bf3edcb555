/** SQL of TM updates, with the names of their files. */
import type { Insertable, Updateable } from 'kysely'
import type { Db } from '../../../store/database.ts'
import type { Tables, TmUpdateRow } from '../../../store/tables.ts'

export type TmUpdateWithFile = TmUpdateRow & { file_name: string }

export async function insertTmUpdate(db: Db, row: Insertable<Tables['tm_updates']>): Promise<void> {
  await db.insertInto('tm_updates').values(row).execute()
}

const withFiles = (db: Db, siteId: string, jobId: string) =>
  db
    .selectFrom('tm_updates')
    .innerJoin('files', (join) =>
      join
        .onRef('files.file_id', '=', 'tm_updates.file_id')
        .onRef('files.site_id', '=', 'tm_updates.site_id'),
    )
    .selectAll('tm_updates')
    .select('files.name as file_name')
    .where('tm_updates.site_id', '=', siteId)
    .where('tm_updates.job_id', '=', jobId)

export function selectTmUpdate(
  db: Db,
  siteId: string,
  jobId: string,
  tmupdateId: string,
): Promise<TmUpdateWithFile | undefined> {
  return withFiles(db, siteId, jobId).where('tmupdate_id', '=', tmupdateId).executeTakeFirst()
}

export function selectTmUpdates(
  db: Db,
  siteId: string,
  jobId: string,
  page: { after?: number; limit: number },
): Promise<TmUpdateWithFile[]> {
  return withFiles(db, siteId, jobId)
    .where('position', '>', page.after ?? 0)
    .orderBy('position')
    .limit(page.limit)
    .execute()
}

/** The number of TM updates and the last position. */
export async function measureTmUpdates(
  db: Db,
  siteId: string,
  jobId: string,
): Promise<{ count: number; last: number }> {
  const row = await db
    .selectFrom('tm_updates')
    .select((eb) => [eb.fn.countAll().as('count'), eb.fn.max('position').as('last')])
    .where('site_id', '=', siteId)
    .where('job_id', '=', jobId)
    .executeTakeFirstOrThrow()
  return { count: Number(row.count), last: Number(row.last ?? 0) }
}

export type ImportChange = Pick<
  Updateable<Tables['tm_updates']>,
  | 'import_status'
  | 'import_error'
  | 'units_read'
  | 'units_added'
  | 'units_changed'
  | 'units_skipped'
>

/** Writes only if the import has reached `units_read`, and returns whether it had. */
export async function updateImport(
  db: Db,
  { site_id, tmupdate_id, units_read }: Pick<TmUpdateRow, 'site_id' | 'tmupdate_id' | 'units_read'>,
  change: ImportChange,
): Promise<boolean> {
  const changed = await db
    .updateTable('tm_updates')
    .set(change)
    .where('site_id', '=', site_id)
    .where('tmupdate_id', '=', tmupdate_id)
    .where('units_read', '=', units_read)
    .executeTakeFirst()
  return changed.numUpdatedRows > 0n
}
