/** SQL of price lists. A version is written once and never changes. */
import type { Insertable } from 'kysely'
import type { Db } from '../../store/database.ts'
import type { PriceListRow, Tables } from '../../store/tables.ts'

export async function insertPriceList(
  db: Db,
  row: Insertable<Tables['price_lists']>,
): Promise<void> {
  await db.insertInto('price_lists').values(row).execute()
}

export function selectPriceList(
  db: Db,
  siteId: string,
  priceListId: string,
): Promise<PriceListRow | undefined> {
  return db
    .selectFrom('price_lists')
    .selectAll()
    .where('site_id', '=', siteId)
    .where('price_list_id', '=', priceListId)
    .executeTakeFirst()
}

/**
 * The latest valid_from not after the day and, among those, the newest version that is still valid
 * (contract, section 11).
 */
export function selectInForce(
  db: Db,
  siteId: string,
  day: number,
): Promise<PriceListRow | undefined> {
  return db
    .selectFrom('price_lists')
    .selectAll()
    .where('site_id', '=', siteId)
    .where('valid_from', '<=', day)
    .where((eb) => eb.or([eb('valid_to', 'is', null), eb('valid_to', '>=', day)]))
    .orderBy('valid_from', 'desc')
    .orderBy('version', 'desc')
    .limit(1)
    .executeTakeFirst()
}

/** The newest version comes first. */
export function selectPriceLists(
  db: Db,
  siteId: string,
  page: { before?: number; limit: number },
): Promise<PriceListRow[]> {
  return db
    .selectFrom('price_lists')
    .selectAll()
    .where('site_id', '=', siteId)
    .$if(page.before !== undefined, (query) => query.where('version', '<', page.before as number))
    .orderBy('version', 'desc')
    .limit(page.limit)
    .execute()
}

/**
 * The site's last version. The caller has locked the site, so that two lists saved at once get
 * different versions.
 */
export async function lastVersion(db: Db, siteId: string): Promise<number> {
  const row = await db
    .selectFrom('price_lists')
    .select('version')
    .where('site_id', '=', siteId)
    .orderBy('version', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row?.version ?? 0
}

export async function hasSite(db: Db, siteId: string): Promise<boolean> {
  const row = await db
    .selectFrom('sites')
    .select('site_id')
    .where('site_id', '=', siteId)
    .executeTakeFirst()
  return row !== undefined
}
