/**
 * The concordance: units of a pair that contain a text, in their source or in their translation.
 * Reads a bounded number of units, those that were added last.
 */
import { limits } from '@dragoman/contract'
import type { Hub } from '../../../hub.ts'
import { everyUnit } from './every-unit.ts'
import type { FoundUnit } from './look-up.ts'
import { type LanguagePair, selectMemory } from './memory-rows.ts'
import { holds } from './units.ts'

export async function findParts(
  hub: Hub,
  { siteId, pair }: { readonly siteId: string; readonly pair: LanguagePair },
  { text, limit }: { readonly text: string; readonly limit: number },
): Promise<FoundUnit[]> {
  const memory = await selectMemory(hub.db.read, siteId, pair)
  if (!memory || text.trim() === '') return []
  const has = holds(text.trim(), undefined)
  const found: FoundUnit[] = []
  const start = {
    memoryId: memory.memory_id,
    unitId: Math.max(0, memory.last_unit - limits.searchedUnits),
  }
  for await (const { units } of everyUnit(hub, [memory], start))
    for (const unit of units) {
      if (!has(unit)) continue
      // Only the last ones count: the texts of ten thousand would not fit into memory.
      if (found.length === limit) found.shift()
      found.push({ percent: 100, kind: 'PART', unit })
    }
  return found.reverse()
}
