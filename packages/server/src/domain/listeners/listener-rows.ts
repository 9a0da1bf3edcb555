/** SQL of listeners. Functions for callers take the site and the owning client first. */

import { type Insertable, type SqlBool, sql, type Updateable } from 'kysely'
import type { Db } from '../../store/database.ts'
import { lock } from '../../store/lock.ts'
import { type Key, pageAfter } from '../../store/page.ts'
import type { ListenerRow, Tables } from '../../store/tables.ts'
import type { Recipient } from './events.ts'

export type Owner = {
  readonly siteId: string
  readonly clientId: string
  readonly side: ListenerRow['side']
}
/** Who may read: the owner or, without a client id, an admin of the site. */
export type Reader = Omit<Owner, 'clientId'> & { readonly clientId?: string }

export const listenerOrder = [
  { column: 'created_at', descending: false },
  { column: 'listener_id', descending: false },
] as const

const recipientColumns = [
  'listener_id',
  'client_id',
  'side',
  'type',
  'provider_id',
  'job_id',
  'job_uri',
  'job_codes',
  'request_uri',
  'request_codes',
  'on_support_asset',
  'on_tm_update',
  'on_comment',
] as const satisfies readonly (keyof Recipient)[]

/** The owners of the jobs that the events are about. */
export type Concerned = {
  readonly clientIds: readonly string[]
  readonly providerIds: readonly string[]
}

/**
 * The enabled listeners of these clients, and the provider listeners for one of these providers or
 * for all. Locked against deletion until the transaction ends, because delivery rows will refer to
 * them. Each part repeats side and site, so that both planners use the partial indexes.
 */
export function selectRecipients(
  tx: Db,
  siteId: string,
  concerned: Concerned,
): Promise<Recipient[]> {
  const query = tx
    .selectFrom('listeners')
    .select(recipientColumns)
    .where((eb) => {
      const ofSite = eb('site_id', '=', siteId)
      const providers = eb.and([sql<SqlBool>`side = 'provider'`, ofSite])
      return eb.or([
        eb.and([
          sql<SqlBool>`side = 'connector'`,
          ofSite,
          eb('client_id', 'in', concerned.clientIds),
        ]),
        eb.and([providers, eb('provider_id', 'is', null)]),
        eb.and([providers, eb('provider_id', 'in', concerned.providerIds)]),
      ])
    })
    .where('disabled', '=', 0)
  return lock(tx, query, 'key share').execute()
}

/** The client's enabled listener that acknowledges updates. Locked until the transaction ends. */
export function selectAcknowledger(
  tx: Db,
  siteId: string,
  clientId: string,
): Promise<Pick<ListenerRow, 'job_id' | 'request_codes'> | undefined> {
  const query = tx
    .selectFrom('listeners')
    .select(['job_id', 'request_codes'])
    .where(sql<SqlBool>`side = 'connector'`)
    .where('site_id', '=', siteId)
    .where('client_id', '=', clientId)
    .where('type', '=', 'REQUEST_STATUS_UPDATED')
    .where('disabled', '=', 0)
    .where('acknowledges', '=', 1)
  return lock(tx, query, 'share').executeTakeFirst()
}

export type OwnerRow = {
  readonly client_id: string
  readonly isAdmin: boolean
  readonly provider_id: string | null
}

/**
 * The providers these clients own. An `admin` owns all providers of its site; a disabled client
 * owns none.
 */
export async function selectOwners(
  db: Db,
  siteId: string,
  clientIds: readonly string[],
): Promise<OwnerRow[]> {
  const rows = await db
    .selectFrom('clients')
    .leftJoin('client_providers', 'client_providers.client_id', 'clients.client_id')
    .select(['clients.client_id', 'clients.scopes', 'client_providers.provider_id'])
    .where('clients.site_id', '=', siteId)
    .where('clients.client_id', 'in', clientIds)
    .where('clients.disabled_at', 'is', null)
    .execute()
  return rows.map(({ client_id, scopes, provider_id }) => ({
    client_id,
    isAdmin: scopes.split(' ').includes('admin'),
    provider_id,
  }))
}

/**
 * The number of the client's listeners by provider; null counts those for all providers. `but` is
 * not counted.
 */
export async function countByProvider(
  db: Db,
  owner: Owner,
  but = '',
): Promise<Map<string | null, number>> {
  const rows = await db
    .selectFrom('listeners')
    .select((eb) => ['provider_id', eb.fn.countAll().as('listeners')])
    .where('site_id', '=', owner.siteId)
    .where('client_id', '=', owner.clientId)
    .where('side', '=', owner.side)
    .where('deleted_at', 'is', null)
    .where('listener_id', '<>', but)
    .groupBy('provider_id')
    .execute()
  return new Map(rows.map((row) => [row.provider_id, Number(row.listeners)]))
}

export function insertListener(db: Db, row: Insertable<Tables['listeners']>): Promise<ListenerRow> {
  return db.insertInto('listeners').values(row).returningAll().executeTakeFirstOrThrow()
}

const owned = (db: Db, { siteId, clientId, side }: Reader) =>
  db
    .selectFrom('listeners')
    .selectAll()
    .where('site_id', '=', siteId)
    .$if(clientId !== undefined, (query) => query.where('client_id', '=', clientId ?? ''))
    .where('side', '=', side)
    .where('deleted_at', 'is', null)

export const selectListener = (
  db: Db,
  owner: Reader,
  listenerId: string,
): Promise<ListenerRow | undefined> =>
  owned(db, owner).where('listener_id', '=', listenerId).executeTakeFirst()

export const lockListener = (
  tx: Db,
  owner: Reader,
  listenerId: string,
): Promise<ListenerRow | undefined> =>
  lock(tx, owned(tx, owner).where('listener_id', '=', listenerId)).executeTakeFirst()

/** Whoever owns it: for an admin of the site or an operator. */
export const lockOfSite = (
  tx: Db,
  siteId: string,
  listenerId: string,
): Promise<ListenerRow | undefined> =>
  lock(
    tx,
    tx
      .selectFrom('listeners')
      .selectAll()
      .where('site_id', '=', siteId)
      .where('listener_id', '=', listenerId)
      .where('deleted_at', 'is', null),
  ).executeTakeFirst()

export function selectListenerOfType(
  db: Db,
  owner: Owner,
  type: string,
): Promise<ListenerRow | undefined> {
  return owned(db, owner).where('type', '=', type).executeTakeFirst()
}

export function selectListeners(
  db: Db,
  owner: Reader,
  page: { after?: Key; limit: number },
): Promise<ListenerRow[]> {
  return pageAfter(owned(db, owner).limit(page.limit), listenerOrder, page.after).execute()
}

export function updateListener(
  db: Db,
  siteId: string,
  listenerId: string,
  change: Updateable<Tables['listeners']>,
): Promise<ListenerRow | undefined> {
  return db
    .updateTable('listeners')
    .set(change)
    .where('site_id', '=', siteId)
    .where('listener_id', '=', listenerId)
    .returningAll()
    .executeTakeFirst()
}

/**
 * Hides the listener. Its row stays for its deliveries, without its secret; its type is free for
 * another one.
 */
export async function hideListener(
  db: Db,
  siteId: string,
  listenerId: string,
  { now, secret }: { readonly now: number; readonly secret: string },
): Promise<void> {
  await db
    .updateTable('listeners')
    .set({
      deleted_at: now,
      type: `DELETED ${listenerId}`,
      disabled: 1,
      disabled_reason: null,
      failing_since: null,
    })
    .set({ sealed_secret: secret, sealed_old_secret: null, old_secret_until: null })
    .where('site_id', '=', siteId)
    .where('listener_id', '=', listenerId)
    .execute()
}

/**
 * Removes listeners that were deleted before that time, with their deliveries. No site: upkeep over
 * all sites.
 */
export async function removeDeleted(db: Db, before: number): Promise<void> {
  await db.deleteFrom('listeners').where('deleted_at', '<=', before).execute()
}

export async function removeListenersOf(db: Db, siteId: string, clientId: string): Promise<void> {
  await db
    .deleteFrom('listeners')
    .where('site_id', '=', siteId)
    .where('client_id', '=', clientId)
    .execute()
}

/**
 * Locks in a fixed order and before anything else, so that two writers of the same listeners cannot
 * deadlock. No site: by the random ids of listeners, from tasks that this node holds for several
 * sites.
 */
export async function lockListeners(tx: Db, listenerIds: readonly string[]): Promise<void> {
  if (listenerIds.length === 0) return
  const query = tx
    .selectFrom('listeners')
    .select('listener_id')
    .where('listener_id', 'in', [...listenerIds])
    .orderBy('listener_id')
  await lock(tx, query, 'no key update').execute()
}

export type ReplayTo = Recipient & Pick<ListenerRow, 'site_id' | 'disabled'>
const replayColumns = [...recipientColumns, 'site_id', 'disabled'] as const

/**
 * Locks listeners in a fixed order, also against events that would add deliveries. No site: by the
 * random ids of listeners that the caller may see.
 */
export function lockForReplay(tx: Db, listenerIds: readonly string[]): Promise<ReplayTo[]> {
  const query = tx
    .selectFrom('listeners')
    .select(replayColumns)
    .where('listener_id', 'in', listenerIds.length > 0 ? [...listenerIds] : [''])
    .where('deleted_at', 'is', null)
    .orderBy('listener_id')
  return lock(tx, query).execute()
}

/**
 * The enabled listeners that are told of status updates, by id, from `from` on. No site: an
 * operator sees all sites. With one, of this site only.
 */
export function selectTold(
  db: Db,
  siteId: string | undefined,
  which: { readonly listenerId?: string; readonly from?: string },
): Promise<ReplayTo[]> {
  const { listenerId, from } = which
  return db
    .selectFrom('listeners')
    .select(replayColumns)
    .where('side', '=', 'connector')
    .where('type', '=', 'REQUEST_STATUS_UPDATED')
    .where('disabled', '=', 0)
    .$if(siteId !== undefined, (query) => query.where('site_id', '=', siteId ?? ''))
    .$if(listenerId !== undefined, (query) => query.where('listener_id', '=', listenerId ?? ''))
    .$if(from !== undefined, (query) => query.where('listener_id', '>=', from ?? ''))
    .orderBy('listener_id')
    .execute()
}

/**
 * Marks listeners as working again. No site: by the random ids of listeners, from tasks that this
 * node holds for several sites.
 */
export async function clearFailing(db: Db, listenerIds: readonly string[]): Promise<void> {
  if (listenerIds.length === 0) return
  await db
    .updateTable('listeners')
    .set({ failing_since: null })
    .where('listener_id', 'in', [...listenerIds])
    .where('failing_since', 'is not', null)
    .execute()
}

export async function noteFailing(
  db: Db,
  siteId: string,
  listenerId: string,
  since: number,
): Promise<void> {
  await db
    .updateTable('listeners')
    .set({ failing_since: since })
    .where('site_id', '=', siteId)
    .where('listener_id', '=', listenerId)
    .where('failing_since', 'is', null)
    .execute()
}

/** Disables a listener on the hub's own decision. One that a person disabled stays unchanged. */
export async function disableListener(
  db: Db,
  siteId: string,
  listenerId: string,
  { reason, now }: { readonly reason: string; readonly now: number },
): Promise<boolean> {
  const done = await db
    .updateTable('listeners')
    .set({ disabled: 1, disabled_reason: reason, modified_at: now })
    .where('site_id', '=', siteId)
    .where('listener_id', '=', listenerId)
    .where('disabled', '=', 0)
    .executeTakeFirst()
  return done.numUpdatedRows > 0n
}
