/**
 * The best match of each of many texts with its translation. Texts that differ from a match in
 * numbers, placeholders or tags alone get it adapted.
 */
import { adaptTarget } from '@dragoman/text/likeness'
import type { Hub } from '../../../hub.ts'
import { openPauses } from '../../../turns/pauses.ts'
import { findMatches, type SourceText } from './find-matches.ts'
import { type LanguagePair, selectMemory } from './memory-rows.ts'
import { selectUnits } from './unit-rows.ts'

export type BestMatch = {
  readonly percent: number
  readonly target: string
  readonly adapted?: true
}

/** Units read at once. */
const batchSize = 500

/** In the order asked; undefined where nothing is like the text. */
export async function findBest(
  hub: Hub,
  at: { readonly siteId: string; readonly pair: LanguagePair },
  sources: readonly SourceText[],
  atLeast: number,
): Promise<(BestMatch | undefined)[]> {
  const memory = await selectMemory(hub.db.read, at.siteId, at.pair)
  if (!memory || sources.length === 0) return sources.map(() => undefined)
  const matches = await findMatches(hub, at, sources, atLeast)
  const ids = [...new Set(matches.flatMap(({ unitId }) => unitId ?? []))]
  const units = new Map<number, { readonly source: string; readonly target: string }>()
  for (let from = 0; from < ids.length; from += batchSize) {
    const some = ids.slice(from, from + batchSize).map((id): [number] => [id])
    for (const unit of await selectUnits(hub.db.read, memory.memory_id, some))
      units.set(unit.unit_id, unit)
  }
  const pause = openPauses()
  const found: (BestMatch | undefined)[] = []
  for (const [index, { percent, unitId }] of matches.entries()) {
    const unit = units.get(unitId ?? 0)
    const { source = '' } = sources[index] ?? {}
    const adapted = unit && percent < 100 ? adaptTarget(source, unit) : undefined
    found.push(
      unit &&
        (adapted === undefined
          ? { percent, target: unit.target }
          : { percent, target: adapted, adapted: true }),
    )
    await pause()
  }
  return found
}
