/**
 * SQL of sites, their clients, secrets and providers. Client ids are unique across sites, because a
 * token call names nothing else; so clients and secrets are read without a site. All other
 * functions take the site first.
 */
import type { Db } from '../../store/database.ts'
import { lock } from '../../store/lock.ts'
import { type Key, pageAfter } from '../../store/page.ts'
import type { ClientRow, SiteRow } from '../../store/tables.ts'

export type SecretRow = {
  secret_id: string
  hash: string
  created_at: number
  expires_at: number | null
}

/** Adds the site if it is new, and returns whether it was. */
export async function addSite(db: Db, siteId: string, now: number): Promise<boolean> {
  const added = await db
    .insertInto('sites')
    .values({ site_id: siteId, created_at: now, removing_at: null })
    .onConflict((conflict) => conflict.doNothing())
    .returning('site_id')
    .executeTakeFirst()
  return added !== undefined
}

const oneSite = (db: Db, siteId: string) =>
  db.selectFrom('sites').selectAll().where('site_id', '=', siteId)

export const siteById = (db: Db, siteId: string): Promise<SiteRow | undefined> =>
  oneSite(db, siteId).executeTakeFirst()

/** No site: it looks for one. */
export const oldestSite = (db: Db): Promise<SiteRow | undefined> =>
  db
    .selectFrom('sites')
    .selectAll()
    .where('removing_at', 'is', null)
    .orderBy('created_at')
    .orderBy('site_id')
    .limit(1)
    .executeTakeFirst()

export async function lockSite(tx: Db, siteId: string): Promise<void> {
  await lock(tx, oneSite(tx, siteId), 'no key update').execute()
}

export const holdSite = (tx: Db, siteId: string): Promise<SiteRow | undefined> =>
  lock(tx, oneSite(tx, siteId), 'share').executeTakeFirst()

const byId = (db: Db, clientId: string) =>
  db.selectFrom('clients').selectAll().where('client_id', '=', clientId)

/** No site: client ids are unique across sites, and a token call names nothing else. */
export const clientById = (db: Db, clientId: string): Promise<ClientRow | undefined> =>
  byId(db, clientId).executeTakeFirst()

/** The same, locked until the transaction ends. No site: as above. */
export const lockClient = (tx: Db, clientId: string): Promise<ClientRow | undefined> =>
  lock(tx, byId(tx, clientId)).executeTakeFirst()

/**
 * All clients of a site or of the hub. No site: only the operator at the command line lists all.
 */
export function listClients(db: Db, siteId?: string): Promise<ClientRow[]> {
  const all = db.selectFrom('clients').selectAll().orderBy('site_id').orderBy('client_id')
  return (siteId === undefined ? all : all.where('site_id', '=', siteId)).execute()
}

const newestFirst = [
  { column: 'created_at', descending: true },
  { column: 'client_id', descending: true },
]

/**
 * A page of the clients of a site or, for an operator, of the hub. No site: an operator sees all of
 * them.
 */
export function pageOfClients(
  db: Db,
  siteId: string | undefined,
  page: { readonly after: Key | undefined; readonly limit: number },
): Promise<ClientRow[]> {
  const all = db.selectFrom('clients').selectAll()
  const some = siteId === undefined ? all : all.where('site_id', '=', siteId)
  return pageAfter(some, newestFirst, page.after).limit(page.limit).execute()
}

/**
 * The enabled clients with this scope, locked until the transaction ends. In one order, so that two
 * callers never wait for each other. A site's for admins; operators have none.
 */
export function lockEnabled(
  tx: Db,
  siteId: string,
  scope: 'admin' | 'operator',
): Promise<ClientRow[]> {
  const query = tx
    .selectFrom('clients')
    .selectAll()
    .where('site_id', '=', siteId)
    .where('disabled_at', 'is', null)
    .where('scopes', 'like', `%${scope}%`)
    .orderBy('client_id')
  return lock(tx, query).execute()
}

/** The enabled clients of a provider, in the order of their ids. */
export function clientsOfProvider(
  db: Db,
  siteId: string,
  providerId: string,
): Promise<Pick<ClientRow, 'client_id' | 'last_used_at'>[]> {
  return db
    .selectFrom('clients')
    .innerJoin('client_providers', 'client_providers.client_id', 'clients.client_id')
    .select(['clients.client_id', 'clients.last_used_at'])
    .where('clients.site_id', '=', siteId)
    .where('client_providers.provider_id', '=', providerId)
    .where('clients.disabled_at', 'is', null)
    .orderBy('clients.client_id')
    .limit(100)
    .execute()
}

/** Notes a call of the client, unless one was noted since `before`. */
export async function noteUse(
  db: Db,
  siteId: string,
  clientId: string,
  use: { readonly at: number; readonly before: number },
): Promise<void> {
  await db
    .updateTable('clients')
    .set({ last_used_at: use.at })
    .where('site_id', '=', siteId)
    .where('client_id', '=', clientId)
    .where((eb) => eb.or([eb('last_used_at', 'is', null), eb('last_used_at', '<', use.before)]))
    .execute()
}

/** Returns false if the id is taken. */
export async function insertClient(db: Db, client: ClientRow): Promise<boolean> {
  const added = await db
    .insertInto('clients')
    .values(client)
    .onConflict((conflict) => conflict.doNothing())
    .returning('client_id')
    .executeTakeFirst()
  return added !== undefined
}

export async function updateClient(
  db: Db,
  siteId: string,
  clientId: string,
  change: Partial<Omit<ClientRow, 'client_id' | 'site_id'>>,
): Promise<void> {
  await db
    .updateTable('clients')
    .set(change)
    .where('site_id', '=', siteId)
    .where('client_id', '=', clientId)
    .execute()
}

export async function deleteProviders(db: Db, clientId: string): Promise<void> {
  await db.deleteFrom('client_providers').where('client_id', '=', clientId).execute()
}

export async function deleteClient(db: Db, siteId: string, clientId: string): Promise<void> {
  await db.deleteFrom('client_secrets').where('client_id', '=', clientId).execute()
  await deleteProviders(db, clientId)
  await db
    .deleteFrom('clients')
    .where('site_id', '=', siteId)
    .where('client_id', '=', clientId)
    .execute()
}

export function secretsOf(db: Db, clientId: string): Promise<SecretRow[]> {
  return db
    .selectFrom('client_secrets')
    .select(['secret_id', 'hash', 'created_at', 'expires_at'])
    .where('client_id', '=', clientId)
    .orderBy('created_at', 'desc')
    .execute()
}

/** The same for many clients, newest first. */
export function secretsOfMany(
  db: Db,
  clientIds: readonly string[],
): Promise<(SecretRow & { client_id: string })[]> {
  return db
    .selectFrom('client_secrets')
    .select(['client_id', 'secret_id', 'hash', 'created_at', 'expires_at'])
    .where('client_id', 'in', clientIds)
    .orderBy('created_at', 'desc')
    .execute()
}

export function providersOfMany(
  db: Db,
  clientIds: readonly string[],
): Promise<{ client_id: string; provider_id: string }[]> {
  return db
    .selectFrom('client_providers')
    .selectAll()
    .where('client_id', 'in', clientIds)
    .orderBy('provider_id')
    .execute()
}

export async function insertSecret(db: Db, clientId: string, secret: SecretRow): Promise<void> {
  await db
    .insertInto('client_secrets')
    .values({ ...secret, client_id: clientId })
    .execute()
}

/** Ends every secret of the client at `at`, unless it ends earlier. */
export async function endSecrets(db: Db, clientId: string, at: number): Promise<void> {
  await db
    .updateTable('client_secrets')
    .set({ expires_at: at })
    .where('client_id', '=', clientId)
    .where((eb) => eb.or([eb('expires_at', 'is', null), eb('expires_at', '>', at)]))
    .execute()
}

export async function deleteEndedSecrets(db: Db, now: number): Promise<void> {
  await db.deleteFrom('client_secrets').where('expires_at', '<=', now).execute()
}

export async function providersOf(db: Db, clientId: string): Promise<string[]> {
  const query = db
    .selectFrom('client_providers')
    .select('provider_id')
    .where('client_id', '=', clientId)
  return (await query.orderBy('provider_id').execute()).map((row) => row.provider_id)
}

export async function insertProviders(
  db: Db,
  clientId: string,
  providerIds: readonly string[],
): Promise<void> {
  if (providerIds.length === 0) return
  await db
    .insertInto('client_providers')
    .values(providerIds.map((provider_id) => ({ client_id: clientId, provider_id })))
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}
