/** SQL of the settings of a site: columns of its row. */
import type { Db } from '../../store/database.ts'

export async function selectTimeZone(db: Db, siteId: string): Promise<string | null> {
  const row = await db
    .selectFrom('sites')
    .select('time_zone')
    .where('site_id', '=', siteId)
    .executeTakeFirst()
  return row?.time_zone ?? null
}

export async function updateTimeZone(db: Db, siteId: string, timeZone: string): Promise<void> {
  await db.updateTable('sites').set({ time_zone: timeZone }).where('site_id', '=', siteId).execute()
}
