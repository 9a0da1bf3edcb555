/**
 * Changes a client's permissions, by an admin of its site, by an operator or at the command line. A
 * change takes effect on this node at once and on others within five seconds.
 */
import {
  type ClientChange,
  type QuotaName,
  quotaNames,
  type Client as Shown,
} from '@dragoman/contract'
import { network } from '../../config/config-values.ts'
import type { Hub } from '../../hub.ts'
import type { Db } from '../../store/database.ts'
import type { ClientRow } from '../../store/tables.ts'
import { factsOf } from './audit/acts.ts'
import { type Actor, commandLine, recordActs } from './audit/record-acts.ts'
import { actorOf, type Call, sightOf } from './caller.ts'
import { mustBeClient, mustBeThumbprints, wrong } from './client-names.ts'
import * as rows from './client-rows.ts'
import { describeClient } from './describe-client.ts'
import { forgetClient, readQuotas } from './known-clients.ts'
import { lockSeenClient, mustKeepOne } from './seen-clients.ts'
import { mustNotGo } from './sites.ts'

type Changing = {
  readonly change: ClientChange
  /** Finds a provider of the site, or throws. Passed in, because that room is above this one. */
  readonly mustFind: (db: Db, siteId: string, providerId: string) => Promise<unknown>
}
type Changed = Pick<
  ClientRow,
  'scopes' | 'page_format' | 'quotas' | 'rate_limit' | 'allow_from' | 'certificates' | 'disabled_at'
>

/** A call changes only a client that its caller sees. The last admin cannot lose that scope. */
export const changeSeenClient = (
  hub: Hub,
  call: Call,
  clientId: string,
  changing: Changing,
): Promise<Shown> =>
  apply(hub, clientId, { ...changing, by: actorOf(call) }, async (tx) => {
    const row = await lockSeenClient(tx, sightOf(call), clientId)
    return { row, mayBecome: (after) => mustKeepOne(tx, row, after) }
  })

/** The command line changes any client. */
export const setClient = (
  hub: Hub,
  clientId: string,
  change: ClientChange,
  mustFind: Changing['mustFind'],
): Promise<Shown> =>
  apply(hub, clientId, { change, mustFind, by: commandLine() }, async (tx) => ({
    row: await lockSeenClient(tx, undefined, clientId),
    mayBecome: async () => {},
  }))

const changeable = [
  'scopes',
  'providers',
  'pageFormat',
  'quotas',
  'rateLimit',
  'allowFrom',
  'certificates',
  'disabled',
] as const

type Locked = { readonly row: ClientRow; readonly mayBecome: (after: Changed) => Promise<void> }

async function apply(
  hub: Hub,
  clientId: string,
  { change, mustFind, by }: Changing & { readonly by: Actor },
  lockClient: (tx: Db) => Promise<Locked>,
): Promise<Shown> {
  const shown = await hub.db.transact(async (tx) => {
    const { row, mayBecome } = await lockClient(tx)
    const { site_id: siteId } = row
    const before = await describeClient(tx, row, hub.clock.now())
    const providerIds = change.providers ? [...new Set(change.providers)] : before.providers
    const after = columnsOf(hub, row, change)
    mustBeClient({
      siteId,
      clientId,
      scopes: after.scopes.split(' ') as Shown['scopes'],
      providerIds,
    })
    await mayBecome(after)
    if (row.disabled_at !== null && after.disabled_at === null) await mustNotGo(tx, siteId)
    await rows.updateClient(tx, siteId, clientId, after)
    if (change.providers) {
      for (const providerId of providerIds) await mustFind(tx, siteId, providerId)
      await rows.deleteProviders(tx, clientId)
      await rows.insertProviders(tx, clientId, providerIds)
    }
    const shown = await describeClient(tx, { ...row, ...after }, hub.clock.now())
    const fields = changeable.filter((name) => change[name] !== undefined)
    const facts = factsOf('client', before, shown)
    const act = {
      thing: 'client',
      verb: 'changed',
      id: clientId,
      siteId,
      fields,
      ...facts,
    } as const
    await recordActs(hub, tx, by, [act])
    return shown
  })
  forgetClient(hub, clientId)
  return shown
}

/** What a new client is given besides what every client has; in the transaction that adds it. */
export async function giveSettings(
  hub: Hub,
  tx: Db,
  clientId: string,
  settings: ClientChange,
): Promise<Shown> {
  const row = await lockSeenClient(tx, undefined, clientId)
  const after = columnsOf(hub, row, settings)
  await rows.updateClient(tx, row.site_id, clientId, after)
  return describeClient(tx, { ...row, ...after }, hub.clock.now())
}

function columnsOf(hub: Hub, row: ClientRow, change: ClientChange): Changed {
  const { scopes, pageFormat, quotas, rateLimit, allowFrom, certificates, disabled } = change
  const { disabled_at } = row
  return {
    scopes: scopes ? [...new Set(scopes)].join(' ') : row.scopes,
    page_format: pageFormat ?? row.page_format,
    quotas: quotas ? quotasAfter(row, quotas) : row.quotas,
    rate_limit: rateLimit === undefined ? row.rate_limit : rateLimit || null,
    allow_from: allowFrom === undefined ? row.allow_from : networksOf(allowFrom),
    certificates: certificates === undefined ? row.certificates : thumbprintsOf(certificates),
    disabled_at:
      disabled === undefined ? disabled_at : disabled ? (disabled_at ?? hub.clock.now()) : null,
  }
}

function quotasAfter(row: ClientRow, change: NonNullable<ClientChange['quotas']>): string | null {
  const after: Partial<Record<QuotaName, number>> = { ...readQuotas(row) }
  for (const [name, value] of Object.entries(change)) {
    const known = quotaNames.find((one) => one === name)
    if (!known)
      throw wrong('quotas', `Unknown quota "${name}"; the quotas are ${quotaNames.join(', ')}.`)
    if (value === null) delete after[known]
    else after[known] = value
  }
  return Object.keys(after).length === 0 ? null : JSON.stringify(after)
}

function networksOf(given: readonly string[]): string | null {
  const networks = given.map((text) => {
    const found = network(text.trim())
    if (!found)
      throw wrong(
        'allowFrom',
        `"${text}" is not a network; use the form 192.0.2.7 or 192.0.2.0/24.`,
      )
    return found
  })
  return networks.length === 0 ? null : JSON.stringify(networks)
}

function thumbprintsOf(given: readonly string[]): string | null {
  mustBeThumbprints(given)
  return given.length === 0 ? null : JSON.stringify([...new Set(given)])
}
