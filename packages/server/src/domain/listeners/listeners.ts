/**
 * A client's listeners (contract, sections 7 and 8): a connector has one of each type, a provider
 * several. A listener belongs to the client that created it and is visible only to that client and
 * to admins of the site.
 */
import { HubError, type Listener, type ProviderListener } from '@dragoman/contract'
import type { Hub } from '../../hub.ts'
import type { Db } from '../../store/database.ts'
import { type Paging, readPage } from '../../store/filtered-page.ts'
import { newId } from '../../store/ids.ts'
import type { Page } from '../../store/page.ts'
import type { ListenerRow } from '../../store/tables.ts'
import { factsOf } from '../access/audit/acts.ts'
import { recordActs } from '../access/audit/record-acts.ts'
import { actorOf, type Call } from '../access/caller.ts'
import { once } from '../access/once.ts'
import { mustFit } from '../access/quota.ts'
import { lockSite } from '../access/sites.ts'
import { stopPending } from './delivery-rows.ts'
import { describeListener, describeProviderListener } from './describe-listener.ts'
import {
  type Columns,
  connectorColumns,
  fieldsIn,
  type ListenerInput,
  mustHaveAddress,
  providerColumns,
} from './listener-fields.ts'
import * as rows from './listener-rows.ts'
import { resume } from './resume.ts'
import { mustBeSecret, newSecret, rotate, sealSecret } from './sign.ts'

export type Side = ListenerRow['side']
type Shown = { readonly connector: Listener; readonly provider: ProviderListener }
export type ListenerOfSide<S extends Side = Side> = {
  readonly side: S
  readonly listenerId: string
}
/**
 * Fields of a listener, and what finds the job or provider that they name, or throws: those rooms
 * are above this one.
 */
type Fields<S extends Side> = {
  readonly input: ListenerInput[S]
  readonly mustFind: (db: Db, siteId: string, id: string) => Promise<unknown>
}

const sides = {
  connector: { columns: connectorColumns, describe: describeListener },
  provider: { columns: providerColumns, describe: describeProviderListener },
} as const

export const ownerOf = (call: Call, side: Side): rows.Owner => ({
  siteId: call.caller.siteId,
  clientId: call.caller.clientId,
  side,
})

/** An admin reads the listeners of the whole site. */
export const readerOf = (call: Call, side: Side): rows.Reader => {
  const { clientId, ...site } = ownerOf(call, side)
  return call.caller.scopes.includes('admin') ? site : { ...site, clientId }
}

/** The owner writes, and so does a person of the site at the console. */
export const writerOf = (call: Call, side: Side): rows.Reader =>
  call.caller.person ? readerOf(call, side) : ownerOf(call, side)

/** Only this response shows the secret. A person names the client that will own it. */
export function createListener<S extends Side>(
  hub: Hub,
  call: Call,
  side: S,
  {
    input,
    mustFind,
    clientId = call.caller.clientId,
  }: Fields<S> & { readonly clientId?: string | undefined },
): Promise<Shown[S]> {
  const owner = { ...ownerOf(call, side), clientId }
  const columns = columnsOf(side, hub, call, input)
  mustHaveAddress(columns)
  if (input.secret !== undefined) mustBeSecret(input.secret)
  const secret = input.secret ?? newSecret()
  return once(hub, call, async (tx) => {
    if (side === 'provider') await lockSite(tx, owner.siteId)
    const named = side === 'connector' ? columns.job_id : columns.provider_id
    if (typeof named === 'string') await mustFind(tx, owner.siteId, named)
    if (side === 'provider')
      await mustHaveRoom(tx, call, owner, { providerId: columns.provider_id ?? null })
    const now = hub.clock.now()
    const row = {
      ...unset,
      ...columns,
      listener_id: newId(),
      site_id: owner.siteId,
      client_id: owner.clientId,
      side,
    }
    await mustBeOnly(tx, owner, row)
    const made = {
      ...row,
      sealed_secret: sealSecret(hub.vault, secret),
      created_at: now,
      modified_at: now,
    }
    const inserted = await rows.insertListener(tx, made)
    const shown = describe(side, inserted)
    const facts = factsOf('listener', undefined, shown)
    await recordActs(hub, tx, actorOf(call), [
      { thing: 'listener', verb: 'created', id: made.listener_id, ...facts },
    ])
    return { ...shown, secret }
  }).catch((error: unknown) => explainConflict(hub, owner, columns.type, error))
}

const unset = {
  type: 'PROVIDER',
  provider_id: null,
  job_id: null,
  job_uri: null,
  job_codes: null,
  request_uri: null,
  request_codes: null,
  acknowledges: 1,
  on_support_asset: 0,
  on_tm_update: 0,
  on_comment: 0,
  auth_type: 'SIGNATURE' as const,
  auth_name: null,
  deleted_at: null,
  sealed_old_secret: null,
  old_secret_until: null,
  disabled: 0,
  disabled_reason: null,
  failing_since: null,
}

export async function listListeners<S extends Side>(
  hub: Hub,
  call: Call,
  side: S,
  asked: Paging,
): Promise<Page<Shown[S]>> {
  const { rows: found, next } = await readPage(
    { vault: hub.vault, siteId: call.caller.siteId, name: `listeners:${side}` },
    asked,
    (_, part) => rows.selectListeners(hub.db.read, readerOf(call, side), part),
    ({ created_at, listener_id }) => [created_at, listener_id],
  )
  const items = found.map((row) => ({ ...describe(side, row), ...named(call, row) }))
  return { items, ...(next !== undefined && { next }) }
}

export async function findListener<S extends Side>(
  hub: Hub,
  call: Call,
  side: S,
  listenerId: string,
) {
  const row = await mustFindListener(hub.db.read, readerOf(call, side), listenerId)
  return { ...describe(side, row), ...named(call, row) }
}

/** Admins also see which client owns the listener. */
const named = ({ caller }: Call, { client_id }: ListenerRow): { clientId?: string } =>
  caller.scopes.includes('admin') ? { clientId: client_id } : {}

/**
 * `disabled: false` also sends pending and parked deliveries. After a change of secret, the old one
 * also signs for a day.
 */
export function changeListener<S extends Side>(
  hub: Hub,
  call: Call,
  { side, listenerId }: ListenerOfSide<S>,
  { input, mustFind }: Fields<S>,
): Promise<Shown[S]> {
  const writer = writerOf(call, side)
  let owner = ownerOf(call, side)
  if (input.secret !== undefined) mustBeSecret(input.secret)
  const changed = hub.db.transact(async (tx) => {
    const providerChanges = 'providerId' in input && input.providerId !== undefined
    // The site is locked before the listener, in the order that job submission uses.
    if (providerChanges) await lockSite(tx, owner.siteId)
    const before = await mustLockListener(tx, writer, listenerId)
    owner = { ...owner, clientId: before.client_id }
    const columns = columnsOf(side, hub, call, input, before)
    const named = side === 'connector' ? columns.job_id : columns.provider_id
    if (typeof named === 'string') await mustFind(tx, owner.siteId, named)
    if (providerChanges && columns.provider_id !== before.provider_id)
      await mustHaveRoom(tx, call, owner, {
        providerId: columns.provider_id ?? null,
        but: listenerId,
      })
    await mustBeOnly(tx, owner, { ...before, ...columns })
    const now = hub.clock.now()
    const after = await rows.updateListener(tx, owner.siteId, listenerId, {
      ...columns,
      ...(input.secret === undefined ? {} : rotate(hub.vault, before, input.secret, now)),
      // When a person enables or disables a listener, the hub's own reason is cleared.
      ...(input.disabled === undefined ? {} : { disabled_reason: null, failing_since: null }),
      modified_at: now,
    })
    if (input.disabled === false) await resume({ hub, tx, causeId: call.traceId }, before)
    if (input.disabled === true) await stopPending(tx, owner.siteId, listenerId, 'PENDING')
    const fields = fieldsIn(input)
    const shown = describe(side, after ?? before)
    const facts = factsOf('listener', describe(side, before), shown)
    await recordActs(hub, tx, actorOf(call), [
      { thing: 'listener', verb: 'changed', id: listenerId, fields, ...facts },
    ])
    return shown
  })
  return changed.catch((error: unknown) =>
    explainConflict(hub, owner, 'type' in input ? input.type : undefined, error),
  )
}

/** Its deliveries stay in the log for as long as others do; those not sent yet are parked. */
export function deleteListener<S extends Side>(
  hub: Hub,
  call: Call,
  side: S,
  listenerId: string,
): Promise<Shown[S]> {
  const writer = writerOf(call, side)
  return hub.db.transact(async (tx) => {
    const row = await mustLockListener(tx, writer, listenerId)
    const secret = sealSecret(hub.vault, newSecret())
    await rows.hideListener(tx, writer.siteId, listenerId, { now: hub.clock.now(), secret })
    await stopPending(tx, writer.siteId, listenerId, 'PARKED')
    const shown = describe(side, row)
    const facts = factsOf('listener', shown, undefined)
    await recordActs(hub, tx, actorOf(call), [
      { thing: 'listener', verb: 'deleted', id: listenerId, ...facts },
    ])
    return shown
  })
}

/** Their deliveries are deleted with them. */
export const removeListenersOf = (tx: Db, siteId: string, clientId: string): Promise<void> =>
  rows.removeListenersOf(tx, siteId, clientId)

export async function mustFindListener(
  db: Db,
  owner: rows.Reader,
  listenerId: string,
): Promise<ListenerRow> {
  return (await rows.selectListener(db, owner, listenerId)) ?? missing(listenerId)
}

/** Locks the listener until the transaction ends. */
export async function mustLockListener(
  tx: Db,
  owner: rows.Reader,
  listenerId: string,
): Promise<ListenerRow> {
  return (await rows.lockListener(tx, owner, listenerId)) ?? missing(listenerId)
}

function missing(listenerId: string): never {
  throw new HubError('LISTENER_NOT_FOUND', { listenerId })
}

const describe = <S extends Side>(side: S, row: ListenerRow): Shown[S] =>
  sides[side].describe(row) as Shown[S]

type ToColumns<S extends Side> = (
  hub: Hub,
  call: Call,
  input: ListenerInput[S],
  before?: ListenerRow,
) => Columns

const columnsOf = <S extends Side>(side: S, ...given: Parameters<ToColumns<S>>): Columns =>
  (sides[side].columns as ToColumns<S>)(...given)

/**
 * Every event of a job is sent to all listeners of its provider and to those for all providers, so
 * both count.
 */
async function mustHaveRoom(
  tx: Db,
  call: Call,
  owner: rows.Owner,
  { providerId, but }: { readonly providerId: string | null; readonly but?: string },
): Promise<void> {
  const counts = await rows.countByProvider(tx, owner, but)
  const forAll = counts.get(null) ?? 0
  counts.delete(null)
  const forOne =
    providerId === null ? Math.max(0, ...counts.values()) : (counts.get(providerId) ?? 0)
  mustFit(call.caller, 'MaxProviderListeners', forAll + forOne)
}

async function mustBeOnly(
  tx: Db,
  owner: rows.Owner,
  row: { listener_id: string; type: string },
): Promise<void> {
  if (owner.side === 'provider') return
  const other = await rows.selectListenerOfType(tx, owner, row.type)
  if (other && other.listener_id !== row.listener_id) throw exists(other)
}

/**
 * Two concurrent calls may both find no other listener; then the unique index refuses one of them.
 */
async function explainConflict(
  hub: Hub,
  owner: rows.Owner,
  type: string | undefined,
  error: unknown,
): Promise<never> {
  if (type === undefined || !hub.db.isConflict(error)) throw error
  const other = await rows.selectListenerOfType(hub.db.read, owner, type)
  throw other ? exists(other) : error
}

const exists = ({ type, listener_id: listenerId }: ListenerRow) =>
  new HubError('LISTENER_EXISTS', { type, listenerId })
