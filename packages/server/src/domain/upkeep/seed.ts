/**
 * What a hub finds in itself when it starts (contract, sections 10 and 11): in the sandbox the site demo with its clients and
 * providers; with a bootstrap client configured, that client, once. May run at every start and on several nodes at once.
 */
import type { Hub } from '../../hub.ts'
import { readHubState, writeHubState } from '../../store/hub-state.ts'
import { madeAt } from '../../store/migrate.ts'
import { hasClient, hasSite, type NewClient, ownProviders, readyClient } from '../access/clients.ts'
import { forgetClients } from '../access/known-clients.ts'
import { hubItself } from '../audit/record-acts.ts'
import { addClientAndSite, enrolClient } from './enrol-client.ts'
import { clearTables } from './seed-rows.ts'

const demoSite = 'demo'
/** The site of the bootstrap client; further clients name the same or another. */
const firstSite = 'main'

/** The first one makes the site and is the creator of its providers. */
const demoClients = [
  { clientId: 'demo-admin', scopes: ['admin'] },
  { clientId: 'demo-connector', scopes: ['content'] },
  { clientId: 'demo-provider', scopes: ['provider'] },
  { clientId: 'demo-settings', scopes: ['settings'] },
] as const

export async function seedHub(hub: Hub): Promise<void> {
  await Promise.all([hub.config.profile === 'sandbox' && seedDemo(hub), seedBootstrap(hub)])
}

/** Everything that was made is gone, the clock runs with the machine's again, and the demo site is as on the first day. */
export async function resetHub(hub: Hub): Promise<void> {
  await hub.engine.transact(async (tx) => {
    await clearTables(tx)
    await writeHubState(tx, 'clock_offset', '0')
    if (hub.config.bootstrap) await writeHubState(tx, bootstrapped(hub.config.bootstrap.clientId), 'no')
  })
  hub.clock.setOffset(0)
  forgetClients(hub)
  // What cannot be removed now is an orphan, and the sweep's.
  await removeAllBytes(hub).catch((error: unknown) => hub.log.warn({ err: error }, 'bytes were left behind by a reset'))
  await seedHub(hub)
}

/** No row is left that could know any of them; writes that are under way find no row to end in. */
async function removeAllBytes({ blobs }: Hub): Promise<void> {
  for await (const { blobId } of blobs.list()) await blobs.remove(blobId)
  await blobs.sweep(Number.POSITIVE_INFINITY)
}

async function seedDemo(hub: Hub): Promise<void> {
  if (await hasSite(hub, demoSite)) return
  // Tokens of before a reset stay good.
  const since = await madeAt(hub.engine.read)
  const inputs = demoClients.map(
    (client): NewClient => ({ ...client, siteId: demoSite, secret: `${client.clientId}-secret`, since }),
  )
  const ready = await Promise.all(inputs.map((input) => readyClient(hub, input, 'well-known')))
  const seeded = hub.engine.transact(async (tx) => {
    const by = hubItself()
    const providerIds: string[] = []
    for (const client of ready) providerIds.push(...(await addClientAndSite(hub, tx, client, by)).providerIds)
    await ownProviders(hub, tx, { siteId: demoSite, clientId: 'demo-provider' }, providerIds, by)
  })
  await unlessDoneElsewhere(seeded, () => hasSite(hub, demoSite))
}

/** Once, and noted: a bootstrap client that the operator removed does not come back with the next start. */
async function seedBootstrap(hub: Hub): Promise<void> {
  const { bootstrap } = hub.config
  if (!bootstrap) return
  const note = bootstrapped(bootstrap.clientId)
  if ((await readHubState(hub.engine.read, note)) === 'yes') return
  const { clientId, secret } = bootstrap
  if (!(await hasClient(hub, clientId))) {
    const made = enrolClient(hub, { siteId: firstSite, clientId, secret, scopes: ['admin'] }, hubItself())
    await unlessDoneElsewhere(made, () => hasClient(hub, clientId))
    hub.log.info({ clientId, siteId: firstSite }, 'the bootstrap client was created')
  }
  await hub.engine.transact((tx) => writeHubState(tx, note, 'yes'))
}

const bootstrapped = (clientId: string): string => `bootstrapped ${clientId}`

/** Another node that starts at the same time may have been quicker: then its rows are as good as ours. */
async function unlessDoneElsewhere(work: Promise<unknown>, isDone: () => Promise<boolean>): Promise<void> {
  try {
    await work
  } catch (error) {
    if (!(await isDone())) throw error
  }
}
