/** SQL of the check settings of a site: a column of its row. */
import type { Db } from '../../store/engine.ts'

export async function selectCheckSettings(db: Db, siteId: string): Promise<string | null> {
  const row = await db.selectFrom('sites').select('check_settings').where('site_id', '=', siteId).executeTakeFirst()
  return row?.check_settings ?? null
}

export async function updateCheckSettings(db: Db, siteId: string, settings: string | null): Promise<void> {
  await db.updateTable('sites').set({ check_settings: settings }).where('site_id', '=', siteId).execute()
}
