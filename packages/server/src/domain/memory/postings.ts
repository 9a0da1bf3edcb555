/**
 * Keeps the postings of a memory right while its units come, change and go. Of units with the same tokens one has the
 * postings; the others have a single one, by which the next takes its place when it goes. Runs under the lock of the memory.
 */
import type { Db } from '../../store/engine.ts'
import { deletePostings, firstUnder, insertPostings, selectPostings } from './memory-rows.ts'
import type { PreparedUnit } from './prepare-units.ts'

export type Indexed = Pick<PreparedUnit, 'signature' | 'keys' | 'short' | 'twin'> & { readonly unitId: number }

export async function addPostings(tx: Db, memoryId: number, units: readonly Indexed[]): Promise<void> {
  /** By the key of all tokens. */
  const firsts = new Map<number, Indexed>()
  for (const unit of units) if (!firsts.has(unit.keys[0] ?? 0)) firsts.set(unit.keys[0] ?? 0, unit)
  const sought = [...firsts.keys()].map((piece) => ({ sought: piece }))
  for (const { piece } of await selectPostings(tx, sought, memoryId)) firsts.delete(piece)
  const rows = units.flatMap((unit) =>
    firsts.get(unit.keys[0] ?? 0) === unit ? postingsOf(memoryId, unit) : [twinOf(memoryId, unit)],
  )
  // In table order, so that neighbouring rows are written together.
  await insertPostings(
    tx,
    rows.sort((one, other) => one.piece - other.piece),
  )
}

export async function removePostings(tx: Db, memoryId: number, unit: Indexed): Promise<void> {
  const { unitId, keys, short, twin } = unit
  await deletePostings(tx, memoryId, unitId, [...keys, ...(short?.keys ?? []), twin])
  if ((await firstUnder(tx, memoryId, keys[0] ?? 0)) !== undefined) return
  const heirId = await firstUnder(tx, memoryId, twin)
  if (heirId === undefined) return
  // The same tokens have the same keys.
  await deletePostings(tx, memoryId, heirId, [twin])
  await insertPostings(tx, postingsOf(memoryId, { ...unit, unitId: heirId }))
}

function postingsOf(memory_id: number, { unitId: unit_id, signature, keys, short }: Indexed) {
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
