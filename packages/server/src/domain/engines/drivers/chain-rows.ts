/** SQL of chains. Every function takes the site first. */
import type { Db } from '../../../store/database.ts'
import type { ProviderRow } from '../../../store/tables.ts'

/** Providers that pass their work on to others. */
export async function selectChains(db: Db, siteId: string): Promise<string[]> {
  const found = await db
    .selectFrom('providers')
    .select('provider_id')
    .where('site_id', '=', siteId)
    .where('type_id', '=', 'chain')
    .execute()
  return found.map(({ provider_id }) => provider_id)
}

/** By their ids; one that is not of this site is missing. */
export async function selectNamed(
  db: Db,
  siteId: string,
  ids: readonly string[],
): Promise<ReadonlyMap<string, ProviderRow>> {
  if (ids.length === 0) return new Map()
  const found = await db
    .selectFrom('providers')
    .selectAll()
    .where('site_id', '=', siteId)
    .where('provider_id', 'in', [...ids])
    .execute()
  return new Map(found.map((row) => [row.provider_id, row]))
}
