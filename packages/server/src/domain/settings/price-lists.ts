/**
 * Price lists (contract, sections 9 and 11). Saving one creates the site's next version; a version
 * never changes and stays readable. In force on a day is the list with the latest validFrom not
 * after it and, among those, the newest.
 */
import {
  type Detail,
  formatTime,
  HubError,
  mustParseTime,
  type NewPriceList,
  type PriceList,
  parseTime,
} from '@dragoman/contract'
import { dayOf, faultsOfPriceList, mustBePriceList, type Validity } from '@dragoman/text/counting'
import type { Hub } from '../../hub.ts'
import type { Db } from '../../store/database.ts'
import { type Paging, readPage } from '../../store/filtered-page.ts'
import { newId } from '../../store/ids.ts'
import type { Page } from '../../store/page.ts'
import type { PriceListRow } from '../../store/tables.ts'
import { factsOf } from '../access/audit/acts.ts'
import { type Actor, commandLine, recordActs } from '../access/audit/record-acts.ts'
import { actorOf, type Call, type Caller } from '../access/caller.ts'
import { once } from '../access/once.ts'
import { mustFit } from '../access/quota.ts'
import { countBytes, mustFitBytes } from '../access/site-bytes.ts'
import { lockSite } from '../access/sites.ts'
import { selectKnownCodes } from './code-rows.ts'
import {
  hasSite,
  insertPriceList,
  lastVersion,
  selectInForce,
  selectPriceList,
  selectPriceLists,
} from './price-list-rows.ts'

type Prices = Pick<PriceList, 'minimumFee' | 'managementFeePercent' | 'bands' | 'lines'>

export function createPriceList(hub: Hub, call: Call, input: NewPriceList): Promise<PriceList> {
  return once(hub, call, (tx) =>
    savePriceList(hub, tx, input, { ...call.caller, by: actorOf(call) }),
  )
}

/** The command line acts for a site and not for a client. */
export function savePriceListOf(hub: Hub, siteId: string, input: NewPriceList): Promise<PriceList> {
  return hub.db.transact(async (tx) => {
    await mustBeSite(tx, siteId)
    return savePriceList(hub, tx, input, { siteId, quotas: {}, by: commandLine() })
  })
}

/** The list in force today or on a day, or the list with this id. */
export async function exportPriceList(
  hub: Hub,
  siteId: string,
  which: { id?: string; at?: string },
): Promise<PriceList> {
  await mustBeSite(hub.db.read, siteId)
  if (which.id !== undefined) return findPriceList(hub, siteId, which.id)
  const at = which.at === undefined ? hub.clock.now() : parseTime(which.at)
  if (at === undefined)
    throw new HubError('INVALID_PARAMETER', {
      because: `"${which.at}" is not a day such as 2026-11-14.`,
    })
  return findPriceListInForce(hub, siteId, at)
}

async function mustBeSite(db: Db, siteId: string): Promise<void> {
  if (!(await hasSite(db, siteId))) throw new HubError('NOT_FOUND', { what: `site ${siteId}` })
}

const validityOf = ({ validFrom, validTo }: NewPriceList): Validity => ({
  validFrom: dayOf(mustParseTime(validFrom)),
  validTo: validTo === undefined ? null : dayOf(mustParseTime(validTo)),
})
const codeIdsIn = ({ lines }: NewPriceList): string[] =>
  lines.flatMap(({ analysisCodeId }) => analysisCodeId ?? [])

/** Every fault that saving the list would be refused for. Writes nothing. */
export async function findFaults(hub: Hub, siteId: string, input: NewPriceList): Promise<Detail[]> {
  const known = await selectKnownCodes(hub.db.read, siteId, codeIdsIn(input))
  return faultsOfPriceList(input, validityOf(input), known)
}

/** Runs in the caller's transaction. */
export async function savePriceList(
  hub: Hub,
  tx: Db,
  input: NewPriceList,
  { by, ...owner }: Pick<Caller, 'siteId' | 'quotas'> & { readonly by: Actor },
): Promise<PriceList> {
  const { siteId } = owner
  const days = validityOf(input)
  await lockSite(tx, siteId)
  // Lists are never removed, so the last version is also their number.
  const last = await lastVersion(tx, siteId)
  mustFit(owner, 'MaxPriceListsPerSite', last)
  mustBePriceList(input, days, await selectKnownCodes(tx, siteId, codeIdsIn(input)))
  const { minimumFee = '0', managementFeePercent = '0', bands, lines } = input
  const prices: Prices = { minimumFee, managementFeePercent, bands, lines }
  const row: PriceListRow = {
    price_list_id: newId(),
    site_id: siteId,
    version: last + 1,
    name: input.name,
    currency: input.currency,
    valid_from: days.validFrom,
    valid_to: days.validTo,
    prices: JSON.stringify(prices),
    created_at: hub.clock.now(),
    cause_id: by.traceId,
  }
  const bytes = Buffer.byteLength(row.prices)
  await mustFitBytes(hub, tx, owner, bytes)
  await insertPriceList(tx, row)
  await countBytes(hub.db, tx, siteId, bytes)
  const shown = describePriceList(row)
  const facts = factsOf('price list', undefined, shown)
  await recordActs(hub, tx, by, [
    { thing: 'price list', verb: 'saved', id: row.price_list_id, siteId, ...facts },
  ])
  return shown
}

export async function findPriceList(
  hub: Hub,
  siteId: string,
  priceListId: string,
): Promise<PriceList> {
  const row = await selectPriceList(hub.db.read, siteId, priceListId)
  if (!row) throw new HubError('PRICE_LIST_NOT_FOUND', { which: priceListId })
  return describePriceList(row)
}

export async function findPriceListInForce(
  hub: Hub,
  siteId: string,
  at: number,
): Promise<PriceList> {
  const row = await selectInForce(hub.db.read, siteId, dayOf(at))
  if (!row) throw new HubError('PRICE_LIST_NOT_FOUND', { which: `valid on ${showDay(at)}` })
  return describePriceList(row)
}

/** The list in force today, or at the time the caller names. */
export const findCurrentPriceList = (hub: Hub, call: Call, at?: string): Promise<PriceList> =>
  findPriceListInForce(
    hub,
    call.caller.siteId,
    at === undefined ? hub.clock.now() : mustParseTime(at),
  )

export async function listPriceLists(
  hub: Hub,
  call: Call,
  asked: Paging,
): Promise<Page<PriceList>> {
  const { siteId } = call.caller
  const { rows, next } = await readPage(
    { vault: hub.vault, siteId, name: 'pricelists' },
    asked,
    (_, { after, limit }) =>
      selectPriceLists(hub.db.read, siteId, {
        ...(after && { before: Number(after[0]) }),
        limit,
      }),
    ({ version }) => [version],
  )
  return { items: rows.map(describePriceList), ...(next !== undefined && { next }) }
}

const showDay = (time: number): string => formatTime(time).slice(0, 10)

export function describePriceList(row: PriceListRow): PriceList {
  const { bands, lines, ...fees } = JSON.parse(row.prices) as Prices
  return {
    priceListId: row.price_list_id,
    version: row.version,
    name: row.name,
    currency: row.currency,
    validFrom: showDay(row.valid_from),
    ...(row.valid_to === null ? {} : { validTo: showDay(row.valid_to) }),
    ...fees,
    bands,
    lines,
  }
}
