/**
 * The clients that a caller sees: an admin those of its site, an operator all of them. The last
 * enabled admin of a site, and the last enabled operator, stay what they are.
 */
import { type Client, formatTime, HubError } from '@dragoman/contract'
import type { Hub } from '../../hub.ts'
import type { Db } from '../../store/database.ts'
import { type Paging, readPage } from '../../store/filtered-page.ts'
import type { Page } from '../../store/page.ts'
import type { ClientRow } from '../../store/tables.ts'
import { type Call, sightOf } from './caller.ts'
import * as rows from './client-rows.ts'
import { describeClient, describeClients } from './describe-client.ts'

type ClientsQuery = Paging & { readonly siteId?: string }

export async function listSeenClients(
  hub: Hub,
  call: Call,
  asked: ClientsQuery,
): Promise<Page<Client>> {
  const { db, vault, clock } = hub
  const { rows: found, next } = await readPage(
    { vault, siteId: call.caller.siteId, name: 'clients' },
    asked,
    ({ siteId }, { after, limit }) =>
      rows.pageOfClients(db.read, sightOf(call, siteId), { after, limit }),
    ({ created_at, client_id }) => [created_at, client_id],
  )
  return {
    items: await describeClients(db.read, found, clock.now()),
    ...(next !== undefined && { next }),
  }
}

export async function findSeenClient(hub: Hub, call: Call, clientId: string): Promise<Client> {
  const row = mustSee(await rows.clientById(hub.db.read, clientId), sightOf(call), clientId)
  return describeClient(hub.db.read, row, hub.clock.now())
}

/** The enabled clients that own the provider. */
export async function listProviderClients(
  hub: Hub,
  siteId: string,
  providerId: string,
): Promise<{ clientId: string; lastUsedDate?: string }[]> {
  const found = await rows.clientsOfProvider(hub.db.read, siteId, providerId)
  return found.map(({ client_id: clientId, last_used_at: usedAt }) => ({
    clientId,
    ...(usedAt !== null && { lastUsedDate: formatTime(usedAt) }),
  }))
}

/**
 * The client, locked to be changed. If it is an admin or an operator, so are the others, for
 * `mustKeepOne`.
 */
export async function lockSeenClient(
  tx: Db,
  sight: string | undefined,
  clientId: string,
): Promise<ClientRow> {
  const seen = mustSee(await rows.clientById(tx, clientId), sight, clientId)
  const role = roleOf(seen)
  if (role) await rows.lockEnabled(tx, seen.site_id, role)
  return mustSee(await rows.lockClient(tx, clientId), sight, clientId)
}

function mustSee(
  row: ClientRow | undefined,
  sight: string | undefined,
  clientId: string,
): ClientRow {
  if (!row || (sight !== undefined && row.site_id !== sight))
    throw new HubError('CLIENT_NOT_FOUND', { clientId })
  return row
}

type Standing = Pick<ClientRow, 'scopes' | 'disabled_at'>

const roleOf = ({ scopes, disabled_at }: Standing): 'admin' | 'operator' | undefined =>
  disabled_at === null
    ? (['admin', 'operator'] as const).find((role) => scopes.split(' ').includes(role))
    : undefined

/**
 * Refuses to take its role from the last one that has it. `after` is absent if the client is
 * removed.
 */
export async function mustKeepOne(tx: Db, row: ClientRow, after?: Standing): Promise<void> {
  const role = roleOf(row)
  if (!role || (after && roleOf(after) === role)) return
  const others = await rows.lockEnabled(tx, row.site_id, role)
  if (others.some((one) => one.client_id !== row.client_id && roleOf(one) === role)) return
  throw new HubError(role === 'admin' ? 'LAST_ADMIN' : 'LAST_OPERATOR', { clientId: row.client_id })
}
