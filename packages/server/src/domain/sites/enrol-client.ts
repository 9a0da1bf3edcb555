/**
 * Adds a client with everything it needs, in one transaction: its site if new, the providers of a
 * new sandbox site, and the providers it owns, which must belong to its site (contract, section
 * 11).
 */
import { type Client, HubError, type NewClient as New, type SecretClient } from '@dragoman/contract'
import type { Hub } from '../../hub.ts'
import type { Db } from '../../store/database.ts'
import { type Actor, commandLine } from '../access/audit/record-acts.ts'
import { actorOf, type Call, noSite, sightOf } from '../access/caller.ts'
import { giveSettings } from '../access/change-client.ts'
import { wrong } from '../access/client-names.ts'
import {
  addClient,
  type NewClient,
  type ReadyClient,
  readyClient,
  removeClient,
  removeSeenClient,
} from '../access/clients.ts'
import { forgetClient } from '../access/known-clients.ts'
import { once } from '../access/once.ts'
import { addProvider, mustFindProvider } from '../engines/providers.ts'
import { removeListenersOf } from '../listeners/listeners.ts'

export type Enrolled = {
  readonly clientId: string
  readonly siteId: string
  readonly scopes: readonly string[]
  readonly providerIds: readonly string[]
  readonly newSite: boolean
  /**
   * Shown only here; the hub stores its hash. Empty for a client with certificates and no secret.
   */
  readonly secret: string
}

export async function enrolClient(
  hub: Hub,
  input: NewClient,
  by: Actor = commandLine(),
): Promise<Enrolled> {
  const ready = await readyClient(hub, input)
  return hub.db.transact(async (tx) => {
    const { newSite } = await addClientAndSite(hub, tx, ready, { by })
    for (const providerId of input.providerIds ?? [])
      await mustFindProvider(tx, input.siteId, providerId)
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
  { by, settings = {} }: { readonly by: Actor; readonly settings?: object },
): Promise<{ newSite: boolean; providerIds: string[] }> {
  const { newSite } = await addClient(hub, tx, ready, { by, settings })
  const providerIds: string[] = []
  if (newSite && hub.config.profile === 'sandbox') {
    const { siteId, clientId } = ready.input
    // One millisecond apart, because providers are listed by creation time.
    const first = hub.clock.now() - sandboxProviders.length
    for (const [at, provider] of sandboxProviders.entries())
      providerIds.push(
        (await addProvider(hub, tx, { siteId, creatorId: clientId, by, now: first + at }, provider))
          .provider_id,
      )
  }
  return { newSite, providerIds }
}

const sandboxProviders = [
  { name: 'Pseudo', typeId: 'pseudo' },
  { name: 'Manual', typeId: 'manual' },
]

/**
 * By a call: an admin adds clients to its own site, an operator to any site, and other operators.
 */
export async function createClient(hub: Hub, call: Call, given: New): Promise<SecretClient> {
  const { clientId, scopes, providers = [], siteId, ...settings } = given
  const input = {
    siteId: siteOf(call, given),
    clientId,
    scopes,
    providerIds: [...new Set(providers)],
    ...certified(given),
  }
  const ready = await readyClient(hub, input)
  const made = await once(hub, call, async (tx) => {
    await addClientAndSite(hub, tx, ready, { by: actorOf(call), settings })
    for (const providerId of input.providerIds) await mustFindProvider(tx, input.siteId, providerId)
    const shown = await giveSettings(hub, tx, clientId, settings)
    return { ...shown, ...(ready.secret === undefined ? {} : { clientSecret: ready.secret }) }
  })
  forgetClient(hub, clientId)
  return made
}

const certified = ({ certificates }: New) => (certificates ? { certificates } : {})

function siteOf(call: Call, { siteId, scopes }: New): string {
  const own = sightOf(call)
  const isOperator = scopes.includes('operator')
  if (own === undefined) {
    if (siteId === undefined && !isOperator)
      throw wrong('siteId', 'siteId is missing: only a client with the scope operator has no site.')
    return siteId ?? noSite
  }
  if (isOperator) throw new HubError('FORBIDDEN', { because: 'only an operator adds an operator.' })
  if (siteId !== undefined && siteId !== own)
    throw new HubError('FORBIDDEN', {
      because: 'an admin adds clients to its own site only; leave siteId out.',
    })
  return own
}

/**
 * Removes a client with its secrets, keys and listeners. Its jobs and updates stay with the site.
 */
export const dismissClient = (hub: Hub, clientId: string): Promise<void> =>
  removeClient(hub, clientId, (tx, siteId) => removeListenersOf(tx, siteId, clientId))

/** The same by a call. */
export const deleteClient = (hub: Hub, call: Call, clientId: string): Promise<Client> =>
  removeSeenClient(hub, call, clientId, (tx, siteId) => removeListenersOf(tx, siteId, clientId))
