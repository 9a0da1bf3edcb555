/**
 * What a token's client may do now, as its row says: read again after half a minute, so that a client that was disabled,
 * removed or changed on any node or at the command line is so everywhere within that time. The node that changed it
 * forgets it at once.
 */
import type { QuotaName, Scope } from '@dragoman/contract'
import { LRUCache } from 'lru-cache'
import { perHub } from '../../caches.ts'
import type { Hub } from '../../hub.ts'
import { openNetworks } from '../../networks.ts'
import type { Caller } from './caller.ts'
import * as rows from './client-rows.ts'

export type KnownClient = Caller & {
  readonly disabled: boolean
  readonly since: number
  /** Thumbprints; where there are any, it must show one of these certificates. */
  readonly certificates: readonly string[]
}

const knownMs = 30_000
const most = 10_000
type Seen = { readonly client: KnownClient | undefined; readonly readAt: number }
const seenBy = perHub(() => new LRUCache<string, Seen>({ max: most }))

/** The client, at most half a minute old; undefined when there is none. */
export async function knownClient(hub: Hub, clientId: string): Promise<KnownClient | undefined> {
  const clients = seenBy(hub)
  const now = hub.clock.now()
  const known = clients.get(clientId)
  // A clock that was set back (the sandbox's reset) makes nothing known for longer.
  if (known && Math.abs(now - known.readAt) < knownMs) return known.client
  const client = await readClient(hub, clientId)
  clients.set(clientId, { client, readAt: now })
  return client
}

export async function readClient(hub: Hub, clientId: string): Promise<KnownClient | undefined> {
  // Both in any case: how long it takes must not tell whether there is one.
  const [row, providerIds] = await Promise.all([
    rows.clientById(hub.engine.read, clientId),
    rows.providersOf(hub.engine.read, clientId),
  ])
  if (!row) return undefined
  return {
    siteId: row.site_id,
    clientId,
    scopes: row.scopes.split(' ') as Scope[],
    providerIds,
    pageFormat: row.page_format,
    quotas: readQuotas(row),
    disabled: row.disabled_at !== null,
    since: row.created_at,
    certificates: readCertificates(row),
    ...(row.rate_limit === null ? {} : { rateLimit: row.rate_limit }),
    ...(row.allow_from === null ? {} : { mayCallFrom: openNetworks(JSON.parse(row.allow_from)) }),
  }
}

export const readQuotas = (row: { quotas: string | null } | undefined): Caller['quotas'] =>
  JSON.parse(row?.quotas ?? '{}') as Partial<Record<QuotaName, number>>

export const readCertificates = ({ certificates }: { certificates: string | null }): string[] =>
  JSON.parse(certificates ?? '[]') as string[]

export const forgetClient = (hub: Hub, clientId: string): boolean => seenBy(hub).delete(clientId)
export const forgetClients = (hub: Hub): void => seenBy(hub).clear()

/** Narrows what was asked for (a token, a token call) to what the client has; `admin` has everything. */
export const granted = (client: Pick<Caller, 'scopes'>, asked: readonly Scope[]): Scope[] =>
  client.scopes.includes('admin') ? [...asked] : asked.filter((scope) => client.scopes.includes(scope))
