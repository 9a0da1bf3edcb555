/**
 * SQL of units that are shown and changed one by one. A unit belongs to a site through its memory.
 */
import type { Db } from '../../../store/database.ts'
import { lock } from '../../../store/lock.ts'
import type { MemoryRow, MemoryUnitRow } from '../../../store/tables.ts'
import type { LanguagePair } from './memory-rows.ts'

/** By the numbers that come first in each pair. */
export function selectUnits(
  db: Db,
  memoryId: number,
  units: readonly (readonly [unitId: number, ...rest: readonly unknown[]])[],
): Promise<MemoryUnitRow[]> {
  if (units.length === 0) return Promise.resolve([])
  const ids = units.map(([unitId]) => unitId)
  const all = db.selectFrom('memory_units').selectAll().where('memory_id', '=', memoryId)
  return all.where('unit_id', 'in', ids).execute()
}

/** The memories of a site in order, or that of a pair. */
export function selectMemories(
  db: Db,
  siteId: string,
  pair: Partial<LanguagePair>,
): Promise<MemoryRow[]> {
  const { sourceLanguage, targetLanguage } = pair
  let all = db.selectFrom('memories').selectAll().where('site_id', '=', siteId)
  if (sourceLanguage !== undefined) all = all.where('source_language', '=', sourceLanguage)
  if (targetLanguage !== undefined) all = all.where('target_language', '=', targetLanguage)
  return all.orderBy('memory_id').execute()
}

/** No site: the sweep serves all sites. */
export async function selectSitesToIndex(db: Db): Promise<string[]> {
  const sites = db
    .selectFrom('memories')
    .select('site_id')
    .distinct()
    .where('indexed_unit', 'is not', null)
  return (await sites.execute()).map(({ site_id }) => site_id)
}

const memoryOf = (db: Db, siteId: string, memoryId: number) =>
  db
    .selectFrom('memories')
    .selectAll()
    .where('site_id', '=', siteId)
    .where('memory_id', '=', memoryId)

export const selectMemoryById = (
  db: Db,
  siteId: string,
  memoryId: number,
): Promise<MemoryRow | undefined> => memoryOf(db, siteId, memoryId).executeTakeFirst()

/** Locks the memory until the transaction ends. */
export const lockMemoryById = (
  tx: Db,
  siteId: string,
  memoryId: number,
): Promise<MemoryRow | undefined> => lock(tx, memoryOf(tx, siteId, memoryId)).executeTakeFirst()

export const selectUnit = (
  db: Db,
  memoryId: number,
  unitId: number,
): Promise<MemoryUnitRow | undefined> =>
  db
    .selectFrom('memory_units')
    .selectAll()
    .where('memory_id', '=', memoryId)
    .where('unit_id', '=', unitId)
    .executeTakeFirst()

export async function deleteUnit(db: Db, memoryId: number, unitId: number): Promise<void> {
  await db
    .deleteFrom('memory_units')
    .where('memory_id', '=', memoryId)
    .where('unit_id', '=', unitId)
    .execute()
}

export const selectUnitsAfter = (
  db: Db,
  memoryId: number,
  after: number,
  limit: number,
): Promise<MemoryUnitRow[]> =>
  db
    .selectFrom('memory_units')
    .selectAll()
    .where('memory_id', '=', memoryId)
    .where('unit_id', '>', after)
    .orderBy('unit_id')
    .limit(limit)
    .execute()
