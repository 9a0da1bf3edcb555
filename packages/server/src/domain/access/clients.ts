/**
 * Clients of sites: add, list, disable, enable, remove. A site is created with its first client
 * (contract, section 11). A change takes effect on this node at once and on others within five
 * seconds.
 */
import { HubError, type Scope, type Client as Shown } from '@dragoman/contract'
import type { Hub } from '../../hub.ts'
import type { Db } from '../../store/database.ts'
import { newId } from '../../store/ids.ts'
import type { ClientRow } from '../../store/tables.ts'
import { factsOf } from './audit/acts.ts'
import { type Actor, commandLine, recordActs } from './audit/record-acts.ts'
import { actorOf, type Call, noSite, sightOf } from './caller.ts'
import { mustBeClient, type NewClient } from './client-names.ts'
import * as rows from './client-rows.ts'
import { describeClient } from './describe-client.ts'
import { forgetClient, readCertificates, readQuotas } from './known-clients.ts'
import { deleteTriesOf } from './login-throttle-rows.ts'
import { removeKeys } from './once-rows.ts'
import { generateSecret, hashSecret } from './secrets.ts'
import { lockSeenClient, mustKeepOne } from './seen-clients.ts'
import { mustNotGo } from './sites.ts'

export type { NewClient } from './client-names.ts'

/** A client as an operator sees it. */
export type Client = {
  readonly clientId: string
  readonly siteId: string
  readonly scopes: readonly Scope[]
  readonly providerIds: readonly string[]
  readonly pageFormat: 'full' | 'plain'
  readonly certificates: readonly string[]
  readonly createdAt: number
  readonly disabled: boolean
  readonly disabledAt?: number
  /** When its secrets end. The current one has no end. */
  readonly secrets: readonly { readonly createdAt: number; readonly expiresAt?: number }[]
}

/** Checked and hashed. Hashing is slow and must not happen inside a transaction. */
export type ReadyClient = {
  readonly input: NewClient
  readonly secret?: string
  readonly hash?: string
}

export async function readyClient(
  hub: Hub,
  input: NewClient,
  kind?: 'well-known',
): Promise<ReadyClient> {
  mustBeClient(input)
  const secret = input.secret ?? (input.certificates?.length ? undefined : generateSecret())
  return secret === undefined
    ? { input }
    : { input, secret, hash: await hashSecret(hub, secret, kind) }
}

export type Added = {
  readonly by?: Actor
  /** What it is given later in the transaction, for the audit log. */
  readonly settings?: object
}

/**
 * Inserts the client, and its site if new. Throws if the id is taken. Providers are not checked
 * here.
 */
export async function addClient(
  hub: Hub,
  tx: Db,
  ready: ReadyClient,
  { by = commandLine(), settings = {} }: Added = {},
): Promise<{ newSite: boolean }> {
  const { input, hash } = ready
  const now = hub.clock.now()
  const newSite = input.siteId !== noSite && (await rows.addSite(tx, input.siteId, now))
  // The lock keeps the removal of the site from beginning before this client is there to be
  // disabled.
  if (!newSite) await mustNotGo(tx, input.siteId)
  const isNew = await rows.insertClient(tx, {
    client_id: input.clientId,
    site_id: input.siteId,
    scopes: [...new Set(input.scopes)].join(' '),
    page_format: input.pageFormat ?? 'full',
    quotas: null,
    created_at: input.since ?? now,
    disabled_at: null,
    rate_limit: null,
    allow_from: null,
    certificates: input.certificates?.length
      ? JSON.stringify([...new Set(input.certificates)])
      : null,
    last_used_at: null,
  })
  if (!isNew) throw new HubError('CLIENT_EXISTS', { clientId: input.clientId })
  if (hash !== undefined)
    await rows.insertSecret(tx, input.clientId, {
      secret_id: newId(),
      hash,
      created_at: now,
      expires_at: null,
    })
  await rows.insertProviders(tx, input.clientId, input.providerIds ?? [])
  const {
    siteId,
    clientId,
    scopes,
    providerIds: providers,
    pageFormat = 'full',
    certificates,
  } = input
  const added = { scopes, providers, pageFormat, certificates, disabled: false, ...settings }
  await recordActs(hub, tx, by, [
    ...(newSite ? [{ thing: 'site', verb: 'added', id: siteId, siteId } as const] : []),
    {
      thing: 'client',
      verb: 'added',
      id: clientId,
      siteId,
      ...factsOf('client', undefined, added),
    },
  ])
  forgetClient(hub, input.clientId)
  return { newSite }
}

/** Makes the client the owner of these providers, which must belong to its site. */
export async function ownProviders(
  hub: Hub,
  tx: Db,
  by: Actor,
  {
    siteId,
    clientId,
    providerIds,
  }: Required<Pick<NewClient, 'siteId' | 'clientId' | 'providerIds'>>,
): Promise<void> {
  const before = await rows.providersOf(tx, clientId)
  await rows.insertProviders(tx, clientId, providerIds)
  const facts = factsOf('client', { providers: before }, { providers: [...before, ...providerIds] })
  const act = {
    thing: 'client',
    verb: 'changed',
    id: clientId,
    siteId,
    fields: ['providerIds'],
    ...facts,
  } as const
  await recordActs(hub, tx, by, [act])
}

export const hasClient = async (hub: Hub, clientId: string): Promise<boolean> =>
  (await rows.clientById(hub.db.read, clientId)) !== undefined

/** Also of a site that is being removed. */
export const hasSite = async (hub: Hub, siteId: string): Promise<boolean> =>
  (await rows.siteById(hub.db.read, siteId)) !== undefined

/** The clients of one site or, for the operator, of all sites. */
export async function listClients(hub: Hub, siteId?: string): Promise<Client[]> {
  const clients = await rows.listClients(hub.db.read, siteId)
  return Promise.all(clients.map((client) => describe(hub, client)))
}

/** Its tokens are refused too. */
export const disableClient = (hub: Hub, clientId: string): Promise<void> =>
  changeClient(hub, clientId, 'disabled', (tx, { site_id, disabled_at }) =>
    rows.updateClient(tx, site_id, clientId, { disabled_at: disabled_at ?? hub.clock.now() }),
  )

export const enableClient = (hub: Hub, clientId: string): Promise<void> =>
  changeClient(hub, clientId, 'enabled', async (tx, { site_id }) => {
    await mustNotGo(tx, site_id)
    await rows.updateClient(tx, site_id, clientId, { disabled_at: null })
  })

/** Removes what other rooms store about a client, in the transaction that removes it. */
export type AlsoRemove = (tx: Db, siteId: string) => Promise<void>

/**
 * Removes a client with its idempotency keys, secrets and failed logins. Its jobs and updates stay
 * with the site.
 */
export const removeClient = (
  hub: Hub,
  clientId: string,
  also: AlsoRemove = async () => {},
): Promise<void> => changeClient(hub, clientId, 'removed', (tx, row) => dropClient(tx, row, also))

async function dropClient(
  tx: Db,
  { site_id, client_id }: ClientRow,
  also: AlsoRemove,
): Promise<void> {
  await also(tx, site_id)
  await removeKeys(tx, site_id, client_id)
  await deleteTriesOf(tx, client_id)
  await rows.deleteClient(tx, site_id, client_id)
}

/** The same by a call: of a client that the caller sees, and not of the last admin. */
export async function removeSeenClient(
  hub: Hub,
  call: Call,
  clientId: string,
  also: AlsoRemove,
): Promise<Shown> {
  const shown = await hub.db.transact(async (tx) => {
    const row = await lockSeenClient(tx, sightOf(call), clientId)
    await mustKeepOne(tx, row)
    const shown = await describeClient(tx, row, hub.clock.now())
    await dropClient(tx, row, also)
    const facts = factsOf('client', shown, undefined)
    const act = {
      thing: 'client',
      verb: 'removed',
      id: clientId,
      siteId: row.site_id,
      ...facts,
    } as const
    await recordActs(hub, tx, actorOf(call), [act])
    return shown
  })
  forgetClient(hub, clientId)
  return shown
}

/** Part of the sweep: removes secrets whose overlap has ended. */
export const forgetSecrets = (tx: Db, now: number): Promise<void> =>
  rows.deleteEndedSecrets(tx, now)

type Verb = 'disabled' | 'enabled' | 'removed'

async function changeClient(
  hub: Hub,
  clientId: string,
  verb: Verb,
  change: (tx: Db, row: ClientRow) => Promise<void>,
): Promise<void> {
  await hub.db.transact(async (tx) => {
    const row = await rows.clientById(tx, clientId)
    if (!row) throw new HubError('NOT_FOUND', { what: `client ${clientId}` })
    await change(tx, row)
    const facts = factsAfter(verb, row)
    await recordActs(hub, tx, commandLine(), [
      { thing: 'client', verb, id: clientId, siteId: row.site_id, ...facts },
    ])
  })
  forgetClient(hub, clientId)
}

function factsAfter(verb: Verb, row: ClientRow): ReturnType<typeof factsOf> {
  const disabled = row.disabled_at !== null
  if (verb !== 'removed') return factsOf('client', { disabled }, { disabled: verb === 'disabled' })
  const was = {
    scopes: row.scopes.split(' '),
    quotas: readQuotas(row),
    certificates: readCertificates(row),
    disabled,
  }
  return factsOf('client', was, undefined)
}

async function describe(hub: Hub, row: ClientRow): Promise<Client> {
  const [providerIds, secrets] = await Promise.all([
    rows.providersOf(hub.db.read, row.client_id),
    rows.secretsOf(hub.db.read, row.client_id),
  ])
  return {
    clientId: row.client_id,
    siteId: row.site_id,
    scopes: row.scopes.split(' ') as Scope[],
    providerIds,
    pageFormat: row.page_format,
    certificates: readCertificates(row),
    createdAt: row.created_at,
    disabled: row.disabled_at !== null,
    ...(row.disabled_at === null ? {} : { disabledAt: row.disabled_at }),
    secrets: secrets.map(({ created_at, expires_at }) => ({
      createdAt: created_at,
      ...(expires_at === null ? {} : { expiresAt: expires_at }),
    })),
  }
}
