/**
 * Looks up a text in parts whose tags nobody has described. A unit with the same parts is the same
 * text, whatever its codes are; all others are similar at best.
 */
import { limits, type TextParts } from '@dragoman/contract'
import { writtenText } from '@dragoman/text/likeness'
import { joined, placeholdersIn, type WireText, wireOf } from '@dragoman/text/placeholders'
import type { Hub } from '../../../hub.ts'
import { type FoundUnit, kindOf, type LookedUp, lookUp } from './look-up.ts'

/** `as`: the parts of the unit, where they are those of the text. */
export type FoundParts = FoundUnit & { readonly as?: WireText }

export async function lookUpOpen(
  hub: Hub,
  at: Parameters<typeof lookUp>[1],
  { text, context, limit }: Omit<LookedUp, 'source'> & { readonly text: TextParts },
): Promise<FoundParts[]> {
  const sought = JSON.stringify(joined(text))
  const found = new Map<number, FoundParts>()
  // A tag may stand for markup, which counts for nothing, or for a placeholder, which counts as a
  // word.
  for (const source of [writtenText(text, undefined), writtenText(text, placeholdersIn(text))])
    for (const one of await lookUp(hub, at, { source, context, limit: limits.matches })) {
      const { unit } = one
      const as = wireOf(unit.source)
      const isSame = JSON.stringify(joined(as.text)) === sought
      const percent = isSame ? 100 : Math.min(one.percent, 99)
      const known = found.get(unit.unit_id)
      if (!known || known.percent < percent)
        found.set(unit.unit_id, {
          ...{ unit, percent, kind: kindOf(percent, context, unit) },
          ...(isSame && { as }),
        })
    }
  return [...found.values()]
    .sort((one, other) => other.percent - one.percent || one.unit.unit_id - other.unit.unit_id)
    .slice(0, limit)
}
