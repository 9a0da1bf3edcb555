/** Quotas of a client (specification, Limits): the defaults, unless raised for the client. */
import { HubError, type QuotaName, quotaNames, quotas } from '@dragoman/contract'
import type { Db } from '../../store/database.ts'
import type { Caller } from './caller.ts'
import { clientById } from './client-rows.ts'
import { readQuotas } from './known-clients.ts'

export const quotaOf = (caller: Pick<Caller, 'quotas'>, name: QuotaName): number =>
  caller.quotas[name] ?? quotas[name]

/** Refuses to add more than the quota allows to what is already used. */
export function mustFit(
  caller: Pick<Caller, 'quotas'>,
  name: QuotaName,
  used: number,
  added = 1,
): void {
  const limit = quotaOf(caller, name)
  if (used + added > limit)
    throw new HubError(
      'QUOTA_EXCEEDED',
      { quota: name, limit, count: used + added },
      { quota: { name, limit, used } },
    )
}

export const listQuotas = (caller: Pick<Caller, 'quotas'>) => ({
  quotas: quotaNames.map((name) => ({ name, value: quotaOf(caller, name) })),
})

/**
 * The raised quotas of a client that is not the caller, such as the owner of an upload. Empty if it
 * has no row.
 */
export async function quotasOf(
  db: Db,
  siteId: string,
  clientId: string,
): Promise<Caller['quotas']> {
  const client = await clientById(db, clientId)
  return client?.site_id === siteId ? readQuotas(client) : {}
}
