/**
 * Caches clients for five seconds, so that a client that was disabled, removed or changed on any
 * node or at the command line is refused everywhere within that time. The node that made the change
 * forgets the client at once.
 */
import type { QuotaName, Scope } from '@dragoman/contract'
import { LRUCache } from 'lru-cache'
import type { Hub } from '../../hub.ts'
import { perHub } from '../../process/caches.ts'
import { openNetworks } from '../../process/networks.ts'
import { type Caller, mayCall } from './caller.ts'
import * as rows from './client-rows.ts'

export type KnownClient = Caller & {
  readonly disabled: boolean
  readonly since: number
  /** Thumbprints. If there are any, the client must present one of these certificates. */
  readonly certificates: readonly string[]
}

const knownMs = 5_000
const maxClients = 10_000
type Entry = { readonly client: KnownClient | undefined; readonly readAt: number }
const cacheOf = perHub(() => ({
  clients: new LRUCache<string, Entry>({ max: maxClients }),
  forgotten: 0,
}))

/** The client, at most five seconds old, or undefined if there is none. */
export async function knownClient(hub: Hub, clientId: string): Promise<KnownClient | undefined> {
  const cache = cacheOf(hub)
  const { clients, forgotten } = cache
  const now = hub.clock.now()
  const known = clients.get(clientId)
  // Math.abs: a clock set back (a sandbox reset) must not extend the cache.
  if (known && Math.abs(now - known.readAt) < knownMs) return known.client
  const client = await readClient(hub, clientId)
  // A read that began before a change may end after it; what it found is of the past.
  if (cache.forgotten === forgotten) clients.set(clientId, { client, readAt: now })
  return client
}

export async function readClient(hub: Hub, clientId: string): Promise<KnownClient | undefined> {
  // Both queries always run, so that the duration does not reveal whether the client exists.
  const [row, providerIds] = await Promise.all([
    rows.clientById(hub.db.read, clientId),
    rows.providersOf(hub.db.read, clientId),
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

export function forgetClient(hub: Hub, clientId: string): void {
  cacheOf(hub).forgotten += 1
  cacheOf(hub).clients.delete(clientId)
}

export function forgetClients(hub: Hub): void {
  cacheOf(hub).forgotten += 1
  cacheOf(hub).clients.clear()
}

/** Limits the requested scopes to those of the client. `admin` has all of its site. */
export const granted = (client: Pick<Caller, 'scopes'>, asked: readonly Scope[]): Scope[] =>
  asked.filter((scope) => mayCall(client, scope))
