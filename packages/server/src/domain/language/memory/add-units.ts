/**
 * Adds units to a memory. A known text gets the new translation, others are inserted. Units are
 * numbered in order under the lock of their memory, so that both databases number them the same.
 */
import { findLanguage } from '@dragoman/contract'
import type { Hub } from '../../../hub.ts'
import type { Db } from '../../../store/database.ts'
import type { MemoryRow, MemoryUnitRow } from '../../../store/tables.ts'
import {
  insertMemory,
  insertUnits,
  type LanguagePair,
  selectByHash,
  selectMemoryLocked,
  updateIndexedUnit,
  updateLastUnit,
  updateUnit,
} from './memory-rows.ts'
import { addPostings } from './postings.ts'
import type { HashedUnit, PreparedUnit } from './prepare-units.ts'

export type Taught = { readonly added: number; readonly changed: number }

/** Normalizes the spelling of both languages. */
export const pairOf = (sourceLanguage: string, targetLanguage: string): LanguagePair => ({
  sourceLanguage: findLanguage(sourceLanguage) ?? sourceLanguage,
  targetLanguage: findLanguage(targetLanguage) ?? targetLanguage,
})

type Of = { readonly siteId: string; readonly pair: LanguagePair }

/** Runs in the transaction of the units' origin. */
export const addUnits = (
  hub: Hub,
  tx: Db,
  of: Of,
  given: readonly PreparedUnit[],
): Promise<Taught> =>
  addWith(hub, tx, of, given, ({ memory_id }, added) => addPostings(tx, memory_id, added))

/** The same, but fuzzy matches do not find the units before `indexUnits` (index-units.ts). */
export const addUnindexed = (
  hub: Hub,
  tx: Db,
  of: Of,
  given: readonly HashedUnit[],
): Promise<Taught> =>
  addWith(hub, tx, of, given, async (memory) => {
    if (memory.indexed_unit === null) await updateIndexedUnit(tx, memory, memory.last_unit)
  })

type Index<U> = (
  memory: MemoryRow,
  added: readonly (U & { readonly unitId: number })[],
) => Promise<void>

async function addWith<U extends HashedUnit>(
  hub: Hub,
  tx: Db,
  { siteId, pair }: Of,
  given: readonly U[],
  index: Index<U>,
): Promise<Taught> {
  const units = new Map(given.map((unit) => [unit.hash, unit]))
  if (units.size === 0) return { added: 0, changed: 0 }
  const memory = await lockMemory(tx, siteId, pair)
  const found = await selectByHash(
    tx,
    [...units.keys()].map((hash) => ({ hash })),
    memory.memory_id,
  )
  const now = hub.clock.now()
  let changed = 0
  for (const known of found) {
    const unit = units.get(known.source_hash)
    units.delete(known.source_hash)
    if (
      !unit ||
      (unit.target === known.target && (unit.context ?? known.context) === known.context)
    )
      continue
    changed += 1
    const context = unit.context ?? known.context
    await updateUnit(tx, memory.memory_id, known.unit_id, {
      target: unit.target,
      context,
      origin: unit.origin,
      changed_at: now,
      changed_by: unit.changedBy ?? null,
    })
  }
  if (units.size > 0) await index(memory, await insertNew(tx, memory, units, now))
  return { added: units.size, changed }
}

/** The memory of a pair, created if there is none, locked until the transaction ends. */
export async function lockMemory(tx: Db, siteId: string, pair: LanguagePair): Promise<MemoryRow> {
  const known = await selectMemoryLocked(tx, siteId, pair)
  if (known) return known
  await insertMemory(tx, siteId, pair)
  const made = await selectMemoryLocked(tx, siteId, pair)
  if (!made) throw new Error('a memory that was just made is not there')
  return made
}

async function insertNew<U extends HashedUnit>(
  tx: Db,
  memory: MemoryRow,
  units: ReadonlyMap<string, U>,
  now: number,
): Promise<(U & { readonly unitId: number })[]> {
  const { memory_id, site_id } = memory
  let last = memory.last_unit
  const rows: MemoryUnitRow[] = []
  const added: (U & { readonly unitId: number })[] = []
  for (const [source_hash, unit] of units) {
    last += 1
    const { source, target, context = null, origin, changedBy: changed_by = null } = unit
    rows.push({
      memory_id,
      unit_id: last,
      source_hash,
      source,
      target,
      context,
      origin,
      changed_at: now,
      version: 1,
      changed_by,
    })
    added.push({ ...unit, unitId: last })
  }
  await insertUnits(tx, rows)
  await updateLastUnit(tx, site_id, memory_id, last)
  return added
}
