/**
 * Changes a client's permissions, by an admin of its site or at the command line. A change takes effect on this node at
 * once and on others within half a minute.
 */
import {
  type ClientChange,
  formatTime,
  HubError,
  type QuotaName,
  quotaNames,
  type Client as Shown,
} from '@dragoman/contract'
import { network } from '../../config-values.ts'
import type { Hub } from '../../hub.ts'
import type { Db } from '../../store/engine.ts'
import type { ClientRow } from '../../store/tables.ts'
import { type Actor, commandLine, recordActs } from '../audit/record-acts.ts'
import { actorOf, type Call } from './caller.ts'
import { mustBeClient, mustBeThumbprints, wrong } from './client-names.ts'
import * as rows from './client-rows.ts'
import { forgetClient, readCertificates, readQuotas } from './known-clients.ts'

/** Finds a provider of the site, or throws. Passed in, because that room is above this one. */
export type MustFindProvider = (db: Db, siteId: string, providerId: string) => Promise<unknown>
type Changed = Pick<
  ClientRow,
  'scopes' | 'page_format' | 'quotas' | 'rate_limit' | 'allow_from' | 'certificates' | 'disabled_at'
>

/** Change by an admin of the client's site. The last admin cannot lose that scope. */
export function changeSiteClient(
  hub: Hub,
  call: Call,
  clientId: string,
  change: ClientChange,
  mustFind: MustFindProvider,
): Promise<Shown> {
  const { siteId } = call.caller
  return apply(hub, clientId, change, actorOf(call), mustFind, siteId, async (tx, row, after) => {
    const was = isAdmin(row)
    if (!was || isAdmin(after)) return
    const others = (await rows.listClients(tx, row.site_id)).filter((one) => one.client_id !== clientId)
    if (!others.some(isAdmin)) throw new HubError('LAST_ADMIN', { clientId })
  })
}

/** Change by the operator, for any site. */
export const setClient = (
  hub: Hub,
  clientId: string,
  change: ClientChange,
  mustFind: MustFindProvider,
): Promise<Shown> => apply(hub, clientId, change, commandLine(), mustFind, undefined, async () => {})

const isAdmin = ({ scopes, disabled_at }: Pick<ClientRow, 'scopes' | 'disabled_at'>): boolean =>
  disabled_at === null && scopes.split(' ').includes('admin')

const changeable = ['scopes', 'providers', 'pageFormat', 'quotas', 'rateLimit', 'allowFrom', 'disabled'] as const

async function apply(
  hub: Hub,
  clientId: string,
  change: ClientChange,
  by: Actor,
  mustFind: MustFindProvider,
  /** If given, a client of another site is not found, whatever else is wrong with the change. */
  siteId: string | undefined,
  mayHappen: (tx: Db, row: ClientRow, after: Changed) => Promise<void>,
): Promise<Shown> {
  const shown = await hub.engine.transact(async (tx) => {
    const row = await rows.lockClient(tx, clientId)
    if (!row || row.site_id !== (siteId ?? row.site_id)) throw new HubError('CLIENT_NOT_FOUND', { clientId })
    const before = await rows.providersOf(tx, clientId)
    const providerIds = change.providers ? [...new Set(change.providers)] : before
    const after = columnsOf(hub, row, change)
    mustBeClient({ siteId: row.site_id, clientId, scopes: after.scopes.split(' ') as Shown['scopes'], providerIds })
    await mayHappen(tx, row, after)
    await rows.updateClient(tx, row.site_id, clientId, after)
    if (change.providers) {
      for (const providerId of providerIds) await mustFind(tx, row.site_id, providerId)
      await rows.deleteProviders(tx, clientId)
      await rows.insertProviders(tx, clientId, providerIds)
    }
    const fields = changeable.filter((name) => change[name] !== undefined)
    await recordActs(hub, tx, by, [{ thing: 'client', verb: 'changed', id: clientId, siteId: row.site_id, fields }])
    return describe({ ...row, ...after }, providerIds)
  })
  forgetClient(hub, clientId)
  return shown
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
    disabled_at: disabled === undefined ? disabled_at : disabled ? (disabled_at ?? hub.clock.now()) : null,
  }
}

function quotasAfter(row: ClientRow, change: NonNullable<ClientChange['quotas']>): string | null {
  const after: Partial<Record<QuotaName, number>> = { ...readQuotas(row) }
  for (const [name, value] of Object.entries(change)) {
    const known = quotaNames.find((one) => one === name)
    if (!known) throw wrong('quotas', `Unknown quota "${name}"; the quotas are ${quotaNames.join(', ')}.`)
    if (value === null) delete after[known]
    else after[known] = value
  }
  return Object.keys(after).length === 0 ? null : JSON.stringify(after)
}

function networksOf(given: readonly string[]): string | null {
  const networks = given.map((text) => {
    const found = network(text.trim())
    if (!found) throw wrong('allowFrom', `"${text}" is not a network; use the form 192.0.2.7 or 192.0.2.0/24.`)
    return found
  })
  return networks.length === 0 ? null : JSON.stringify(networks)
}

function thumbprintsOf(given: readonly string[]): string | null {
  mustBeThumbprints(given)
  return given.length === 0 ? null : JSON.stringify([...new Set(given)])
}

const describe = (row: ClientRow, providers: string[]): Shown => ({
  clientId: row.client_id,
  siteId: row.site_id,
  scopes: row.scopes.split(' ') as Shown['scopes'],
  providers,
  pageFormat: row.page_format,
  quotas: readQuotas(row),
  ...(row.rate_limit === null ? {} : { rateLimit: row.rate_limit }),
  allowFrom: row.allow_from === null ? [] : JSON.parse(row.allow_from),
  certificates: readCertificates(row),
  disabled: row.disabled_at !== null,
  createdDate: formatTime(row.created_at),
})
