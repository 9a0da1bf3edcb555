/** SQL of providers. Every function takes the site first. */
import type { Insertable, Updateable } from 'kysely'
import type { Db } from '../../store/database.ts'
import { type Key, pageAfter } from '../../store/page.ts'
import { prepared } from '../../store/prepared.ts'
import type { ProviderRow, Tables } from '../../store/tables.ts'

export const providerOrder = [
  { column: 'created_at', descending: false },
  { column: 'provider_id', descending: false },
] as const

export function insertProvider(db: Db, row: Insertable<Tables['providers']>): Promise<ProviderRow> {
  return db.insertInto('providers').values(row).returningAll().executeTakeFirstOrThrow()
}

const selectOne = prepared<{ siteId: string; providerId: string }, ProviderRow>(
  (db, { siteId, providerId }) =>
    db
      .selectFrom('providers')
      .selectAll()
      .where('site_id', '=', siteId)
      .where('provider_id', '=', providerId),
)

export const selectProvider = async (
  db: Db,
  siteId: string,
  providerId: string,
): Promise<ProviderRow | undefined> => (await selectOne(db, { siteId, providerId }))[0]

export const selectConfigs = (
  db: Db,
  siteId: string,
  typeId: string,
): Promise<Pick<ProviderRow, 'config'>[]> =>
  db
    .selectFrom('providers')
    .select('config')
    .where('site_id', '=', siteId)
    .where('type_id', '=', typeId)
    .execute()

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

export function selectEnabled(
  db: Db,
  siteId: string,
  { limit, typeId }: { readonly limit: number; readonly typeId?: string },
): Promise<ProviderRow[]> {
  const all = db
    .selectFrom('providers')
    .selectAll()
    .where('site_id', '=', siteId)
    .where('status', '=', 'ENABLED')
  const some = typeId === undefined ? all : all.where('type_id', '=', typeId)
  return some.orderBy('created_at').limit(limit).execute()
}

export async function deleteProviderRow(db: Db, siteId: string, providerId: string): Promise<void> {
  await db
    .deleteFrom('providers')
    .where('site_id', '=', siteId)
    .where('provider_id', '=', providerId)
    .execute()
}

/** What refers to a provider. */
export type ProviderUses = Readonly<
  Record<'jobs' | 'rules' | 'clients' | 'people' | 'listeners' | 'providers', number>
>

export async function countUses(db: Db, siteId: string, providerId: string): Promise<ProviderUses> {
  const inJson = `%"${providerId}"%`
  const row = await db
    .selectNoFrom((eb) => {
      const all = eb.fn.countAll().as('found')
      return [
        eb
          .selectFrom('jobs')
          .select(all)
          .where('site_id', '=', siteId)
          .where((one) =>
            one.or([one('provider_id', '=', providerId), one('chain_id', '=', providerId)]),
          )
          .as('jobs'),
        eb
          .selectFrom('sites')
          .select(all)
          .where('site_id', '=', siteId)
          .where('routing', 'like', inJson)
          .as('rules'),
        eb
          .selectFrom('client_providers')
          .innerJoin('clients', 'clients.client_id', 'client_providers.client_id')
          .select(all)
          .where('clients.site_id', '=', siteId)
          .where('client_providers.provider_id', '=', providerId)
          .as('clients'),
        eb
          .selectFrom('person_roles')
          .select(all)
          .where('site_id', '=', siteId)
          .where('providers', 'like', inJson)
          .as('people'),
        eb
          .selectFrom('listeners')
          .select(all)
          .where('site_id', '=', siteId)
          .where('provider_id', '=', providerId)
          .where('deleted_at', 'is', null)
          .as('listeners'),
        eb
          .selectFrom('providers')
          .select(all)
          .where('site_id', '=', siteId)
          .where('config', 'like', inJson)
          .as('providers'),
      ]
    })
    .executeTakeFirstOrThrow()
  const { jobs, rules, clients, people, listeners, providers } = row
  return {
    jobs: Number(jobs),
    rules: Number(rules),
    clients: Number(clients),
    people: Number(people),
    listeners: Number(listeners),
    providers: Number(providers),
  }
}
