/** SQL of the routing rules of a site: a column of its row. */
import type { Db } from '../../../store/database.ts'

export async function selectRouting(db: Db, siteId: string): Promise<string | null> {
  const row = await db
    .selectFrom('sites')
    .select('routing')
    .where('site_id', '=', siteId)
    .executeTakeFirst()
  return row?.routing ?? null
}

export async function updateRouting(db: Db, siteId: string, routing: string): Promise<void> {
  await db.updateTable('sites').set({ routing }).where('site_id', '=', siteId).execute()
}
