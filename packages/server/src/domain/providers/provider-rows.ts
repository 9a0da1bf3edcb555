/** SQL of providers. Every function takes the site first. */
import type { Insertable, Updateable } from 'kysely'
import type { Db } from '../../store/engine.ts'
import { type Key, pageAfter } from '../../store/page.ts'
import type { ProviderRow, Tables } from '../../store/tables.ts'

export const providerOrder = [
  { column: 'created_at', descending: false },
  { column: 'provider_id', descending: false },
] as const

export function insertProvider(db: Db, row: Insertable<Tables['providers']>): Promise<ProviderRow> {
  return db.insertInto('providers').values(row).returningAll().executeTakeFirstOrThrow()
}

export function selectProvider(db: Db, siteId: string, providerId: string): Promise<ProviderRow | undefined> {
  return db
    .selectFrom('providers')
    .selectAll()
    .where('site_id', '=', siteId)
    .where('provider_id', '=', providerId)
    .executeTakeFirst()
}

/** `only` restricts the list to the providers that a provider client owns. */
export function selectProviders(
  db: Db,
  siteId: string,
  page: { only?: readonly string[]; after?: Key; limit: number },
): Promise<ProviderRow[]> {
  const { only } = page
  const query = db
    .selectFrom('providers')
    .selectAll()
    .where('site_id', '=', siteId)
    .$if(only !== undefined, (q) => q.where('provider_id', 'in', only?.length ? [...only] : ['']))
    .limit(page.limit)
  return pageAfter(query, providerOrder, page.after).execute()
}

export async function countProviders(db: Db, siteId: string): Promise<number> {
  const row = await db
    .selectFrom('providers')
    .select((eb) => eb.fn.countAll().as('providers'))
    .where('site_id', '=', siteId)
    .executeTakeFirstOrThrow()
  return Number(row.providers)
}

export function updateProvider(
  db: Db,
  siteId: string,
  providerId: string,
  change: Updateable<Tables['providers']>,
): Promise<ProviderRow | undefined> {
  return db
    .updateTable('providers')
    .set(change)
    .where('site_id', '=', siteId)
    .where('provider_id', '=', providerId)
    .returningAll()
    .executeTakeFirst()
}

export function selectEnabled(db: Db, siteId: string, limit: number): Promise<ProviderRow[]> {
  return db
    .selectFrom('providers')
    .selectAll()
    .where('site_id', '=', siteId)
    .where('status', '=', 'ENABLED')
    .orderBy('created_at')
    .limit(limit)
    .execute()
}
