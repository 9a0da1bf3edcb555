/**
 * A client as admins and operators see it: never its secrets, only when they were made and when
 * they end.
 */
import { formatTime, type Client as Shown } from '@dragoman/contract'
import type { Db } from '../../store/database.ts'
import type { ClientRow } from '../../store/tables.ts'
import * as rows from './client-rows.ts'
import { readCertificates, readQuotas } from './known-clients.ts'

export async function describeClients(
  db: Db,
  clients: readonly ClientRow[],
  now: number,
): Promise<Shown[]> {
  if (clients.length === 0) return []
  const ids = clients.map((client) => client.client_id)
  const providers = await rows.providersOfMany(db, ids)
  const secrets = await rows.secretsOfMany(db, ids)
  return clients.map((client) => {
    const own = <T extends { client_id: string }>(all: readonly T[]) =>
      all.filter(({ client_id }) => client_id === client.client_id)
    return {
      ...factsOf(client),
      providers: own(providers).map(({ provider_id }) => provider_id),
      secrets: own(secrets)
        .filter(({ expires_at }) => expires_at === null || expires_at > now)
        .map(({ created_at, expires_at }) => ({
          createdDate: formatTime(created_at),
          ...(expires_at === null ? {} : { expiryDate: formatTime(expires_at) }),
        })),
    }
  })
}

export async function describeClient(db: Db, client: ClientRow, now: number): Promise<Shown> {
  const [shown] = await describeClients(db, [client], now)
  if (!shown) throw new Error(`The client ${client.client_id} is gone.`)
  return shown
}

const factsOf = (row: ClientRow): Omit<Shown, 'providers' | 'secrets'> => ({
  clientId: row.client_id,
  siteId: row.site_id,
  scopes: row.scopes.split(' ') as Shown['scopes'],
  pageFormat: row.page_format,
  quotas: readQuotas(row),
  ...(row.rate_limit === null ? {} : { rateLimit: row.rate_limit }),
  allowFrom: row.allow_from === null ? [] : JSON.parse(row.allow_from),
  certificates: readCertificates(row),
  disabled: row.disabled_at !== null,
  createdDate: formatTime(row.created_at),
  ...(row.last_used_at === null ? {} : { lastUsedDate: formatTime(row.last_used_at) }),
})
