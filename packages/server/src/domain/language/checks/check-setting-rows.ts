/** SQL of the check settings of a site: a column of its row. */
import type { Db } from '../../../store/database.ts'
import { prepared } from '../../../store/prepared.ts'

const selectOfSite = prepared<{ siteId: string }, { check_settings: string | null }>(
  (db, { siteId }) => db.selectFrom('sites').select('check_settings').where('site_id', '=', siteId),
)

export const selectCheckSettings = async (db: Db, siteId: string): Promise<string | null> =>
  (await selectOfSite(db, { siteId }))[0]?.check_settings ?? null

export async function updateCheckSettings(
  db: Db,
  siteId: string,
  settings: string | null,
): Promise<void> {
  await db
    .updateTable('sites')
    .set({ check_settings: settings })
    .where('site_id', '=', siteId)
    .execute()
}
