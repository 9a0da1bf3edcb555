/**
 * Removes a provider that nothing refers to. A provider with jobs is part of their history: it can
 * be disabled instead. What its engine cost stays in the reports.
 */
import { HubError, type Provider } from '@dragoman/contract'
import type { Hub } from '../../hub.ts'
import { factsOf } from '../access/audit/acts.ts'
import { recordActs } from '../access/audit/record-acts.ts'
import { actorOf, type Call } from '../access/caller.ts'
import { lockSite } from '../access/sites.ts'
import { countUses, deleteProviderRow, type ProviderUses } from './provider-rows.ts'
import { describeProvider, factual, mustFindProvider } from './providers.ts'

export function deleteProvider(hub: Hub, call: Call, providerId: string): Promise<Provider> {
  const { siteId } = call.caller
  return hub.db.transact(async (tx) => {
    await lockSite(tx, siteId)
    const row = await mustFindProvider(tx, siteId, providerId)
    const because = usesOf(await countUses(tx, siteId, providerId))
    if (because) throw new HubError('PROVIDER_IN_USE', { providerId, because })
    await deleteProviderRow(tx, siteId, providerId)
    const facts = factsOf('provider', factual(row), undefined)
    await recordActs(hub, tx, actorOf(call), [
      { thing: 'provider', verb: 'removed', id: providerId, ...facts },
    ])
    return describeProvider(row)
  })
}

/** A rule is one of the site's, which are stored together. */
const says: Readonly<Record<keyof ProviderUses, (count: number) => string>> = {
  jobs: (count) => (count === 1 ? 'a job has it' : `${count} jobs have it`),
  rules: () => 'a rule of the routing names it',
  clients: (count) => (count === 1 ? 'a client works for it' : `${count} clients work for it`),
  people: (count) => (count === 1 ? 'a person works for it' : `${count} people work for it`),
  listeners: (count) => (count === 1 ? 'a listener names it' : `${count} listeners name it`),
  providers: (count) =>
    count === 1 ? 'another provider uses it' : `${count} other providers use it`,
}

const usesOf = (uses: ProviderUses): string =>
  Object.entries(uses)
    .flatMap(([name, count]) => (count > 0 ? says[name as keyof ProviderUses](count) : []))
    .join(', and ')
