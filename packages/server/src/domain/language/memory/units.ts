/**
 * The units of a site's memory, one by one: listed, searched, added, corrected and removed. A
 * search reads a bounded number of units for each page, so a page may be empty and still have a
 * next one. Changes name the version that they are based on.
 */
import {
  findLanguage,
  formatTime,
  type GivenText,
  HubError,
  limits,
  type MemoryUnit,
  type MemoryUnitChange,
  type MemoryUnitsQuery,
  type NewMemoryUnit,
  type TextTag,
} from '@dragoman/contract'
import { compose } from '@dragoman/text/characters'
import { hashOf, plainSource, writtenText } from '@dragoman/text/likeness'
import { placeholdersIn, wireOf } from '@dragoman/text/placeholders'
import type { Hub } from '../../../hub.ts'
import type { Db } from '../../../store/database.ts'
import { mustMatch, openCursor, type Page, sealCursor } from '../../../store/page.ts'
import type { MemoryRow, MemoryUnitRow } from '../../../store/tables.ts'
import { type Call, creatorOf } from '../../access/caller.ts'
import { once } from '../../access/once.ts'
import { addUnits, lockMemory, pairOf } from './add-units.ts'
import { everyUnit, type UnitPlace } from './every-unit.ts'
import { selectByHash, updateUnit } from './memory-rows.ts'
import { addPostings, removePostings } from './postings.ts'
import { prepareSafely } from './prepare-units.ts'
import {
  deleteUnit,
  lockMemoryById,
  selectMemories,
  selectMemoryById,
  selectUnit,
} from './unit-rows.ts'

const list = 'memory-units'
/** The origin of a unit that was written by hand. */
const byHand = 'manual'
export const isByHand = ({ origin }: Pick<MemoryUnitRow, 'origin'>): boolean => origin === byHand
/** Texts may be long; a page of the longest would not fit into memory. */
const pageCharacters = 2 * 1024 ** 2

export async function listMemoryUnits(
  hub: Hub,
  call: Call,
  asked: MemoryUnitsQuery,
): Promise<Page<MemoryUnit>> {
  const { siteId } = call.caller
  const { navNext, pageSize = limits.pageItems, in: side, text } = asked
  const pair = pairGiven(asked)
  const filter = JSON.stringify([pair, text, side])
  const cursor = navNext
    ? mustMatch(openCursor(hub.vault, siteId, list, navNext), { filter })
    : undefined
  const [memoryId, unitId] = cursor?.key ?? []
  const start = cursor && { memoryId: Number(memoryId), unitId: Number(unitId) }
  const has = text === undefined ? () => true : holds(text, side)
  const items: MemoryUnit[] = []
  let left = limits.searchedUnits
  let characters = pageCharacters
  let last: UnitPlace | undefined
  for await (const { memory, units } of everyUnit(
    hub,
    await selectMemories(hub.db.read, siteId, pair),
    start,
  ))
    for (const unit of units) {
      if (items.length === pageSize || left === 0 || characters <= 0) {
        const key = last ? [last.memoryId, last.unitId] : []
        return { items, next: sealCursor(hub.vault, siteId, { list, key, filter }) }
      }
      left -= 1
      last = { memoryId: unit.memory_id, unitId: unit.unit_id }
      if (!has(unit)) continue
      characters -= unit.source.length + unit.target.length
      items.push(describe(memory, unit))
    }
  return { items }
}

/** Whether a unit has the text, in any case. */
export function holds(
  text: string,
  side: MemoryUnitsQuery['in'],
): (unit: MemoryUnitRow) => boolean {
  const sought = compose(text).toLowerCase()
  const isIn = (other: string) => other.toLowerCase().includes(sought)
  return ({ source, target }) =>
    (side !== 'target' && isIn(source)) || (side !== 'source' && isIn(target))
}

type GivenPair = Partial<Record<'sourceNativeLanguageCode' | 'targetNativeLanguageCode', string>>
const spelled = (code: string): string => findLanguage(code) ?? code

/** What a filter names of a pair. */
export const pairGiven = ({
  sourceNativeLanguageCode: source,
  targetNativeLanguageCode: target,
}: GivenPair) => ({
  ...(source !== undefined && { sourceLanguage: spelled(source) }),
  ...(target !== undefined && { targetLanguage: spelled(target) }),
})

export async function createMemoryUnit(
  hub: Hub,
  call: Call,
  input: NewMemoryUnit,
): Promise<MemoryUnit> {
  const { siteId } = call.caller
  const pair = pairOf(input.sourceNativeLanguageCode, input.targetNativeLanguageCode)
  const source = unitText('source', input.source, input.tags)
  const target = unitText('target', input.target, input.tags ?? tagsIn(input.source))
  const units = await prepareSafely(siteId, [
    { source, target, origin: byHand, changedBy: creatorOf(call.caller) },
  ])
  return once(hub, call, async (tx) => {
    const memory = await lockMemory(tx, siteId, pair)
    const hash = hashOf(plainSource(source))
    await mustBeNew(tx, memory, hash)
    await addUnits(hub, tx, { siteId, pair }, units)
    const [added] = await selectByHash(tx, [{ hash }], memory.memory_id)
    return describe(memory, await mustFindUnit(tx, memory, added?.unit_id ?? 0))
  })
}

/** What the parts of a target may name, where `tags` does not say it. */
const tagsIn = (source: GivenText): readonly TextTag[] =>
  typeof source === 'string' ? wireOf(source).tags : placeholdersIn(source)

/** As it is stored: a string, with its codes as in a file. */
function unitText(
  field: 'source' | 'target',
  given: GivenText,
  tags: readonly TextTag[] | undefined,
): string {
  if (typeof given === 'string') return given
  const text = writtenText(given, tags ?? placeholdersIn(given))
  const refused = (because: string) =>
    new HubError('INVALID_REQUEST', { because: `${field} ${because}.` })
  if (text.trim() === '') throw refused('has no text')
  const bytes = Buffer.byteLength(text)
  const most = limits.unitTextBytes
  if (bytes > most) throw refused(`has ${bytes} bytes as a text; at most ${most} are allowed`)
  return text
}

async function mustBeNew(tx: Db, { memory_id }: MemoryRow, hash: string): Promise<void> {
  const [known] = await selectByHash(tx, [{ hash }], memory_id)
  if (known)
    throw new HubError('MEMORY_UNIT_EXISTS', { unitId: unitIdOf(memory_id, known.unit_id) })
}

export async function changeMemoryUnit(
  hub: Hub,
  call: Call,
  unitId: string,
  { version, tags, ...change }: MemoryUnitChange,
): Promise<MemoryUnit> {
  const { before, old } = await openUnit(hub, call, unitId, version)
  const { source = before.source, target = before.target } = change
  const given = {
    source: unitText('source', source, tags),
    target: unitText('target', target, tags ?? tagsIn(source)),
    origin: byHand,
  }
  const [next = old] = await prepareSafely(call.caller.siteId, [given])
  return hub.db.transact(async (tx) => {
    const { memory, unit } = await lockUnit(tx, call, unitId, version)
    const { memory_id: memoryId } = memory
    const isMoved = next.hash !== unit.source_hash
    if (isMoved) {
      await mustBeNew(tx, memory, next.hash)
      await removePostings(tx, memory, old)
    }
    await updateUnit(tx, memoryId, unit.unit_id, {
      target: next.target,
      origin: byHand,
      changed_at: hub.clock.now(),
      changed_by: creatorOf(call.caller),
      // Another text stands between other neighbours.
      ...(isMoved
        ? { source: next.source, source_hash: next.hash, context: null }
        : { context: unit.context }),
    })
    if (isMoved) await addPostings(tx, memoryId, [{ ...next, unitId: unit.unit_id }])
    return describe(memory, await mustFindUnit(tx, memory, unit.unit_id))
  })
}

export async function deleteMemoryUnit(
  hub: Hub,
  call: Call,
  unitId: string,
  version: number | undefined,
): Promise<MemoryUnit> {
  const { before, old } = await openUnit(hub, call, unitId, version)
  return hub.db.transact(async (tx) => {
    const { memory, unit } = await lockUnit(tx, call, unitId, before.version)
    await removePostings(tx, memory, old)
    await deleteUnit(tx, memory.memory_id, unit.unit_id)
    return describe(memory, unit)
  })
}

/** Reads a unit before the transaction, with its keys: a long text takes a worker a while. */
async function openUnit(hub: Hub, call: Call, unitId: string, version: number | undefined) {
  const { unit } = await findUnit(hub.db.read, call, unitId, version)
  const [keys] = await prepareSafely(call.caller.siteId, [
    { source: unit.source, target: unit.target, origin: byHand },
  ])
  if (!keys) throw new Error('a unit of the memory is empty')
  return { before: unit, old: { ...keys, unitId: unit.unit_id } }
}

type FindUnit = (
  db: Db,
  call: Call,
  unitId: string,
  version: number | undefined,
) => Promise<{ memory: MemoryRow; unit: MemoryUnitRow }>

const finder =
  (findMemory: typeof selectMemoryById): FindUnit =>
  async (db, { caller: { siteId } }, unitId, version) => {
    const [, memoryId, number] = /^(\d{1,15})-(\d{1,15})$/.exec(unitId) ?? []
    const memory =
      memoryId === undefined ? undefined : await findMemory(db, siteId, Number(memoryId))
    const unit = memory && (await selectUnit(db, memory.memory_id, Number(number)))
    if (!memory || !unit) throw new HubError('MEMORY_UNIT_NOT_FOUND', { unitId })
    if (version !== undefined && version !== unit.version)
      throw new HubError(
        'VERSION_CONFLICT',
        { sent: version, version: unit.version },
        { also: { current: describe(memory, unit) } },
      )
    return { memory, unit }
  }
const findUnit = finder(selectMemoryById)
/** With its memory, which stays locked until the transaction ends. */
const lockUnit = finder(lockMemoryById)

async function mustFindUnit(
  tx: Db,
  { memory_id }: MemoryRow,
  unitId: number,
): Promise<MemoryUnitRow> {
  const unit = await selectUnit(tx, memory_id, unitId)
  if (!unit) throw new Error('a unit that was just written is not there')
  return unit
}

export const unitIdOf = (memoryId: number, unitId: number): string => `${memoryId}-${unitId}`

const describe = (memory: MemoryRow, unit: MemoryUnitRow): MemoryUnit => ({
  unitId: unitIdOf(unit.memory_id, unit.unit_id),
  source: unit.source,
  target: unit.target,
  sourceNativeLanguageCode: memory.source_language,
  targetNativeLanguageCode: memory.target_language,
  origin: unit.origin,
  version: unit.version,
  ...(unit.changed_by !== null && { changedBy: unit.changed_by }),
  changedTime: formatTime(unit.changed_at),
})
