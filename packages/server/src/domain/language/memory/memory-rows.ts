/**
 * SQL of memories, their units, and the pieces that index them. `cross join` makes SQLite look up
 * the given values one by one; otherwise it may scan the whole memory.
 */
import type { Db } from '../../../store/database.ts'
import { lock } from '../../../store/lock.ts'
import { insertMany, onRows } from '../../../store/many-rows.ts'
import type { MemoryRow, MemoryUnitRow } from '../../../store/tables.ts'

export type LanguagePair = { readonly sourceLanguage: string; readonly targetLanguage: string }

const oneMemory = (db: Db, siteId: string, pair: LanguagePair) =>
  db
    .selectFrom('memories')
    .selectAll()
    .where('site_id', '=', siteId)
    .where('source_language', '=', pair.sourceLanguage)
    .where('target_language', '=', pair.targetLanguage)

export const selectMemory = (
  db: Db,
  siteId: string,
  pair: LanguagePair,
): Promise<MemoryRow | undefined> => oneMemory(db, siteId, pair).executeTakeFirst()

/** Locks the memory until the transaction ends. */
export const selectMemoryLocked = (
  tx: Db,
  siteId: string,
  pair: LanguagePair,
): Promise<MemoryRow | undefined> => lock(tx, oneMemory(tx, siteId, pair)).executeTakeFirst()

/** Does nothing if it exists. */
export async function insertMemory(db: Db, siteId: string, pair: LanguagePair): Promise<void> {
  const row = {
    site_id: siteId,
    source_language: pair.sourceLanguage,
    target_language: pair.targetLanguage,
    last_unit: 0,
  }
  await db
    .insertInto('memories')
    .values(row)
    .onConflict((conflict) =>
      conflict.columns(['site_id', 'source_language', 'target_language']).doNothing(),
    )
    .execute()
}

export async function updateLastUnit(
  db: Db,
  siteId: string,
  memoryId: number,
  lastUnit: number,
): Promise<void> {
  const change = db.updateTable('memories').set({ last_unit: lastUnit })
  await change.where('site_id', '=', siteId).where('memory_id', '=', memoryId).execute()
}

export async function updateIndexedUnit(
  db: Db,
  { site_id, memory_id }: Pick<MemoryRow, 'site_id' | 'memory_id'>,
  indexedUnit: number | null,
): Promise<void> {
  const change = db.updateTable('memories').set({ indexed_unit: indexedUnit })
  await change.where('site_id', '=', site_id).where('memory_id', '=', memory_id).execute()
}

export const insertUnits = insertMany(
  'memory_units',
  {
    memory_id: 'bigint',
    unit_id: 'bigint',
    source_hash: 'text',
    source: 'text',
    target: 'text',
    context: 'text',
    origin: 'text',
    changed_at: 'bigint',
    version: 'bigint',
    changed_by: 'text',
  },
  { alike: ['memory_id', 'origin', 'changed_at', 'version', 'changed_by'] },
)
/** A posting that is there stays. */
export const insertPostings = insertMany(
  'memory_postings',
  {
    memory_id: 'bigint',
    piece: 'bigint',
    unit_id: 'bigint',
    signature: 'bigint',
  },
  { alike: ['memory_id'], known: 'stay' },
)

export type UnitChange = Pick<
  MemoryUnitRow,
  'target' | 'context' | 'origin' | 'changed_at' | 'changed_by'
> &
  Partial<Pick<MemoryUnitRow, 'source' | 'source_hash'>>

export async function updateUnit(
  db: Db,
  memoryId: number,
  unitId: number,
  change: UnitChange,
): Promise<void> {
  await db
    .updateTable('memory_units')
    .set((eb) => ({ ...change, version: eb('version', '+', 1) }))
    .where('memory_id', '=', memoryId)
    .where('unit_id', '=', unitId)
    .execute()
}

/** The units of these texts. */
export const selectByHash = onRows<
  { hash: 'text' },
  Pick<MemoryUnitRow, 'unit_id' | 'source_hash' | 'target' | 'context'>
>(
  { hash: 'text' },
  ({
    value,
  }) => `select unit_id, source_hash, target, context from (select distinct hash from given) as given
    cross join memory_units where memory_id = ${value('bigint', 0)} and source_hash = hash`,
)

/**
 * Which of these translations the memory has. Whole texts are too long for an index: it has their
 * first characters and length.
 */
export const selectTargets = onRows<{ sought: 'text' }, { target: string }>(
  { sought: 'text' },
  ({ value }) => `select distinct sought as target from (select distinct sought from given) as given
    cross join memory_units where memory_id = ${value('bigint', 0)}
    and substr(target, 1, 32) = substr(sought, 1, 32) and length(target) = length(sought) and target = sought`,
)

/** For each of these pieces, its units as `id:signature` pairs, such as `7:513,12:40`. */
export const selectPostings = onRows<{ sought: 'bigint' }, { piece: number; units: string }>(
  { sought: 'bigint' },
  ({ value }) => `select sought as piece, string_agg(unit_id || ':' || signature, ',') as units
    from (select distinct sought from given) as given
    cross join memory_postings where memory_id = ${value('bigint', 0)} and piece = sought group by sought`,
)

/** The unit with the lowest number that has this piece. */
export async function firstUnder(
  db: Db,
  memoryId: number,
  piece: number,
): Promise<number | undefined> {
  const postings = db
    .selectFrom('memory_postings')
    .select('unit_id')
    .where('memory_id', '=', memoryId)
  return (await postings.where('piece', '=', piece).orderBy('unit_id').limit(1).executeTakeFirst())
    ?.unit_id
}

export async function deletePostings(
  db: Db,
  memoryId: number,
  unitId: number,
  pieces: readonly number[],
): Promise<void> {
  await db
    .deleteFrom('memory_postings')
    .where('memory_id', '=', memoryId)
    .where('piece', 'in', pieces)
    .where('unit_id', '=', unitId)
    .execute()
}

export const selectSources = onRows<{ sought: 'bigint' }, { unit_id: number; source: string }>(
  { sought: 'bigint' },
  ({ value }) => `select unit_id, source from (select distinct sought from given) as given
    cross join memory_units where memory_id = ${value('bigint', 0)} and unit_id = sought`,
)
