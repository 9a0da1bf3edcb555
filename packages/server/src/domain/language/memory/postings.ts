/**
 * Keeps the postings of a memory right while its units come, change and go. Of units with the same
 * tokens one has the postings; the others have a single one, by which the next takes its place when
 * it goes. Runs under the lock of the memory.
 */
import type { Db } from '../../../store/database.ts'
import type { MemoryRow } from '../../../store/tables.ts'
import {
  deletePostings,
  firstUnder,
  insertPostings,
  selectPostings,
  updateIndexedUnit,
} from './memory-rows.ts'
import type { PreparedUnit } from './prepare-units.ts'

export type Indexed = Pick<PreparedUnit, 'signature' | 'keys' | 'short' | 'twin'> & {
  readonly unitId: number
}

export type Posting = Parameters<typeof insertPostings>[1][number]

export async function addPostings(
  tx: Db,
  memoryId: number,
  units: readonly Indexed[],
): Promise<void> {
  await insertPostings(tx, inTableOrder(await postingsOf(tx, memoryId, units)))
}

/** So that neighbouring rows are written together. */
export const inTableOrder = (rows: Posting[]): Posting[] =>
  rows.sort((one, other) => one.piece - other.piece)

/**
 * `firsts` has the first unit of each key of all tokens that was asked about before; 0 for one that
 * is not in these units.
 */
export async function postingsOf(
  db: Db,
  memoryId: number,
  units: readonly Indexed[],
  firsts = new Map<number, number>(),
): Promise<Posting[]> {
  const sought = new Set(
    units.map(({ keys: [whole = 0] }) => whole).filter((whole) => !firsts.has(whole)),
  )
  const found = await selectPostings(
    db,
    Array.from(sought, (piece) => ({ sought: piece })),
    memoryId,
  )
  for (const { piece, units: ids } of found) {
    // Its own postings may be there from a try that was interrupted.
    const own = units.find(
      ({ keys, unitId }) => keys[0] === piece && `,${ids}`.includes(`,${unitId}:`),
    )
    firsts.set(piece, own?.unitId ?? 0)
  }
  return units.flatMap((unit) => {
    const [whole = 0] = unit.keys
    const first = firsts.get(whole) ?? unit.unitId
    firsts.set(whole, first)
    return first === unit.unitId ? allOf(memoryId, unit) : [twinOf(memoryId, unit)]
  })
}

export async function removePostings(tx: Db, memory: MemoryRow, unit: Indexed): Promise<void> {
  const { memory_id: memoryId, indexed_unit: indexed } = memory
  const { unitId, keys, short, twin } = unit
  // What index-units.ts has gathered may rest on these.
  if (indexed !== null) await updateIndexedUnit(tx, memory, indexed - 1)
  await deletePostings(tx, memoryId, unitId, [...keys, ...(short?.keys ?? []), twin])
  if ((await firstUnder(tx, memoryId, keys[0] ?? 0)) !== undefined) return
  const heirId = await firstUnder(tx, memoryId, twin)
  if (heirId === undefined) return
  // The same tokens have the same keys.
  await deletePostings(tx, memoryId, heirId, [twin])
  await insertPostings(tx, allOf(memoryId, { ...unit, unitId: heirId }))
}

function allOf(memory_id: number, { unitId: unit_id, signature, keys, short }: Indexed) {
  const ofTokens = [...new Set(keys)].map((piece) => ({ memory_id, piece, unit_id, signature }))
  const ofCharacters = [...new Set(short?.keys)].map((piece) => ({
    memory_id,
    piece,
    unit_id,
    signature: short?.signature ?? 0,
  }))
  return [...ofTokens, ...ofCharacters]
}

const twinOf = (memory_id: number, { unitId: unit_id, signature, twin }: Indexed) => ({
  memory_id,
  piece: twin,
  unit_id,
  signature,
})
