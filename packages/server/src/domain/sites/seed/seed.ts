/**
 * Seeds the hub at start (contract, sections 10 and 11): in the sandbox the demo site with its
 * clients and providers; with a bootstrap client configured, that client, once. Can run at every
 * start and on several nodes at once.
 */
import type { Hub } from '../../../hub.ts'
import { readHubState, writeHubState } from '../../../store/hub-state.ts'
import { madeAt } from '../../../store/migrate.ts'
import { hubItself } from '../../access/audit/record-acts.ts'
import { noSite } from '../../access/caller.ts'
import {
  hasClient,
  hasSite,
  type NewClient,
  ownProviders,
  readyClient,
} from '../../access/clients.ts'
import { forgetClients } from '../../access/known-clients.ts'
import { firstSiteName } from '../../access/sites.ts'
import { addDemoPerson } from '../../people/first-sign-in.ts'
import { addClientAndSite, enrolClient } from '../enrol-client.ts'
import { clearTables } from './seed-rows.ts'

const demoSite = 'demo'

/** The first client creates the site and its providers. */
const demoClients = [
  { clientId: 'demo-admin', scopes: ['admin'] },
  { clientId: 'demo-connector', scopes: ['content'] },
  { clientId: 'demo-provider', scopes: ['provider'] },
  { clientId: 'demo-settings', scopes: ['settings'] },
  { clientId: 'demo-operator', scopes: ['operator'], siteId: noSite },
] as const

export async function seedHub(hub: Hub): Promise<void> {
  await Promise.all([hub.config.profile === 'sandbox' && seedDemo(hub), seedBootstrap(hub)])
}

/** Deletes everything, resets the clock and seeds the demo site again. */
export async function resetHub(hub: Hub): Promise<void> {
  await hub.db.transact(async (tx) => {
    await clearTables(hub, tx)
    await writeHubState(tx, 'clock_offset', '0')
    if (hub.config.bootstrap)
      await writeHubState(tx, bootstrapped(hub.config.bootstrap.clientId), 'no')
  })
  hub.clock.setOffset(0)
  forgetClients(hub)
  // Bytes that cannot be removed now are orphans for the sweep.
  await removeAllBytes(hub).catch((error: unknown) =>
    hub.log.warn({ err: error }, 'the reset could not remove all bytes; the sweep will'),
  )
  await seedHub(hub)
}

/** No row refers to them any more, and writes in progress will find no row. */
async function removeAllBytes({ blobs }: Hub): Promise<void> {
  for await (const { blobId } of blobs.list()) await blobs.remove(blobId)
  await blobs.sweep(Number.POSITIVE_INFINITY)
}

async function seedDemo(hub: Hub): Promise<void> {
  await seedDemoSite(hub)
  await addDemoPerson(hub, demoSite)
}

async function seedDemoSite(hub: Hub): Promise<void> {
  if (await hasSite(hub, demoSite)) return
  // Tokens from before a reset stay valid.
  const since = await madeAt(hub.db.read)
  const inputs = demoClients.map(
    (client): NewClient => ({
      siteId: demoSite,
      ...client,
      secret: `${client.clientId}-secret`,
      since,
    }),
  )
  const ready = await Promise.all(inputs.map((input) => readyClient(hub, input, 'well-known')))
  const seeded = hub.db.transact(async (tx) => {
    const by = hubItself()
    const providerIds: string[] = []
    for (const client of ready)
      providerIds.push(...(await addClientAndSite(hub, tx, client, { by })).providerIds)
    await ownProviders(hub, tx, by, { siteId: demoSite, clientId: 'demo-provider', providerIds })
  })
  await unlessDoneElsewhere(seeded, () => hasSite(hub, demoSite))
}

/**
 * Runs once and is recorded: a bootstrap client that the operator removed does not return at the
 * next start.
 */
async function seedBootstrap(hub: Hub): Promise<void> {
  const { bootstrap } = hub.config
  if (!bootstrap) return
  const note = bootstrapped(bootstrap.clientId)
  if ((await readHubState(hub.db.read, note)) === 'yes') return
  const { clientId, secret, scope } = bootstrap
  if (!(await hasClient(hub, clientId))) {
    const siteId = scope === 'operator' ? noSite : firstSiteName
    const made = enrolClient(hub, { siteId, clientId, secret, scopes: [scope] }, hubItself())
    await unlessDoneElsewhere(made, () => hasClient(hub, clientId))
    hub.log.info({ clientId, siteId, scope }, 'the bootstrap client was created')
  }
  await hub.db.transact((tx) => writeHubState(tx, note, 'yes'))
}

const bootstrapped = (clientId: string): string => `bootstrapped ${clientId}`

/** Another node that starts at the same time may have been faster; its rows are equivalent. */
async function unlessDoneElsewhere(
  work: Promise<unknown>,
  isDone: () => Promise<boolean>,
): Promise<void> {
  try {
    await work
  } catch (error) {
    if (!(await isDone())) throw error
  }
}
