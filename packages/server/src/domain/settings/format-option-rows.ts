/** SQL of the format options of a site: a column of its row. */
import type { Db } from '../../store/database.ts'

export async function selectFormatOptions(db: Db, siteId: string): Promise<string | null> {
  const row = await db
    .selectFrom('sites')
    .select('format_options')
    .where('site_id', '=', siteId)
    .executeTakeFirst()
  return row?.format_options ?? null
}

export async function updateFormatOptions(
  db: Db,
  siteId: string,
  options: string | null,
): Promise<void> {
  await db
    .updateTable('sites')
    .set({ format_options: options })
    .where('site_id', '=', siteId)
    .execute()
}
