/** Quotas of a client (specification, Limits): the table's values, raised for a client where its row says so. */
import { HubError, type QuotaName, quotaNames, quotas } from '@dragoman/contract'
import type { Db } from '../../store/engine.ts'
import type { Caller } from './caller.ts'
import { clientById } from './client-rows.ts'

export const quotaOf = (caller: Pick<Caller, 'quotas'>, name: QuotaName): number => caller.quotas[name] ?? quotas[name]

/** Refuses what would make `count` of something that has a quota. */
export function mustFit(caller: Pick<Caller, 'quotas'>, quota: QuotaName, count: number): void {
  const limit = quotaOf(caller, quota)
  if (count > limit) throw new HubError('QUOTA_EXCEEDED', { quota, limit, count })
}

export const listQuotas = (caller: Pick<Caller, 'quotas'>) => ({
  quotas: quotaNames.map((name) => ({ name, value: quotaOf(caller, name) })),
})

/** The raised quotas of a client that is not calling now, such as the owner of an upload. */
export async function quotasOf(db: Db, clientId: string): Promise<Caller['quotas']> {
  const client = await clientById(db, clientId)
  return client?.quotas ? JSON.parse(client.quotas) : {}
}
