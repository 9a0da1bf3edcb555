/**
 * Adds a client with everything it needs, in one transaction: its site if new, the providers of a new sandbox site, and the
 * providers it owns, which must belong to its site (contract, section 11).
 */
import type { Hub } from '../../hub.ts'
import type { Db } from '../../store/engine.ts'
import { addClient, type NewClient, type ReadyClient, readyClient, removeClient } from '../access/clients.ts'
import { type Actor, commandLine } from '../audit/record-acts.ts'
import { removeListenersOf } from '../listeners/listeners.ts'
import { addProvider, mustFindProvider } from '../providers/providers.ts'

export type Enrolled = {
  readonly clientId: string
  readonly siteId: string
  readonly scopes: readonly string[]
  readonly providerIds: readonly string[]
  readonly newSite: boolean
  /** Shown only here; the hub stores its hash. Empty for a client with certificates and no secret. */
  readonly secret: string
}

export async function enrolClient(hub: Hub, input: NewClient, by: Actor = commandLine()): Promise<Enrolled> {
  const ready = await readyClient(hub, input)
  return hub.engine.transact(async (tx) => {
    const { newSite } = await addClientAndSite(hub, tx, ready, by)
    for (const providerId of input.providerIds ?? []) await mustFindProvider(tx, input.siteId, providerId)
    const { clientId, siteId, scopes, providerIds = [] } = input
    return {
      clientId,
      siteId,
      scopes,
      providerIds,
      newSite,
      secret: ready.secret ?? '',
    }
  })
}

/** `providerIds` are the providers of a new site; an existing site gets none. */
export async function addClientAndSite(
  hub: Hub,
  tx: Db,
  ready: ReadyClient,
  by: Actor,
): Promise<{ newSite: boolean; providerIds: string[] }> {
  const { newSite } = await addClient(hub, tx, ready, by)
  const providerIds: string[] = []
  if (newSite && hub.config.profile === 'sandbox') {
    const { siteId, clientId } = ready.input
    // One millisecond apart, because providers are listed by creation time.
    const first = hub.clock.now() - sandboxProviders.length
    for (const [at, provider] of sandboxProviders.entries())
      providerIds.push(
        (await addProvider(hub, tx, { siteId, creatorId: clientId, by }, provider, first + at)).provider_id,
      )
  }
  return { newSite, providerIds }
}

const sandboxProviders = [
  { name: 'Pseudo', typeId: 'pseudo' },
  { name: 'Manual', typeId: 'manual' },
]

/** Removes a client with its secrets, keys and listeners. Its jobs and updates stay with the site. */
export const dismissClient = (hub: Hub, clientId: string, by: Actor = commandLine()): Promise<void> =>
  removeClient(hub, clientId, (tx, siteId) => removeListenersOf(tx, siteId, clientId), by)
