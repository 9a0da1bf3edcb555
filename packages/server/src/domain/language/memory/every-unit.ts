/**
 * Reads the units of memories in order, a slice at a time. A slice holds few units if their texts
 * are long.
 */
import { setImmediate as turn } from 'node:timers/promises'
import type { Hub } from '../../../hub.ts'
import type { MemoryRow, MemoryUnitRow } from '../../../store/tables.ts'
import { selectUnitsAfter } from './unit-rows.ts'

const sliceCharacters = 512 * 1024
const maxUnits = 1_000
const firstUnits = 50

/** Where to start: after this unit of this memory. */
export type UnitPlace = { readonly memoryId: number; readonly unitId: number }
export type UnitsOfMemory = { readonly memory: MemoryRow; readonly units: readonly MemoryUnitRow[] }

export async function* everyUnit(
  hub: Hub,
  memories: readonly MemoryRow[],
  start?: UnitPlace,
): AsyncGenerator<UnitsOfMemory> {
  let limit = firstUnits
  for (const memory of memories) {
    const { memory_id: memoryId } = memory
    if (start && memoryId < start.memoryId) continue
    let after = start?.memoryId === memoryId ? start.unitId : 0
    for (;;) {
      const units = await selectUnitsAfter(hub.db.read, memoryId, after, limit)
      const last = units.at(-1)
      if (last) yield { memory, units }
      if (!last || units.length < limit) break
      after = last.unit_id
      const characters = units.reduce(
        (sum, { source, target }) => sum + source.length + target.length,
        0,
      )
      limit = Math.max(
        1,
        Math.min(maxUnits, Math.floor((sliceCharacters * units.length) / characters)),
      )
      // SQLite answers on this thread.
      await turn()
    }
  }
}
