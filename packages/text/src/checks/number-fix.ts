/**
 * Numbers that differ, with the fix of one wrong number: that of the source, as the target language
 * writes it, in its place.
 */
import type { TextParts } from '@dragoman/contract/wire'
import { writtenIn } from './digits.ts'
import type { Language } from './language.ts'
import { linksIn } from './links.ts'
import { compareNumbers, type NumberFound, numbersIn } from './numbers.ts'
import type { Context, Found } from './rule.ts'

export function changedNumbers({ source, target, from, to }: Context): Found | undefined {
  const changed = compareNumbers(linksIn(source.flat).rest, linksIn(target.flat).rest, from, to)
  if (!changed) return undefined
  const { found, lost, added } = changed
  return { ...found, fix: withNumber(target.parts, lost, added, to) }
}

/**
 * The text with the right number; undefined unless one whole number differs, and stands there once.
 */
function withNumber(
  parts: TextParts,
  lost: readonly NumberFound[],
  added: readonly NumberFound[],
  to: Language,
): TextParts | undefined {
  const [right, wrong] = [lost[0], added[0]]
  if (!right || !wrong || lost.length + added.length > 2) return undefined
  if ([right, wrong].some(({ at, digits }) => at === undefined || digits !== undefined))
    return undefined
  const places = parts.flatMap((part, index) =>
    typeof part === 'string'
      ? numbersIn(part, to).flatMap(({ raw, at }) =>
          raw === wrong.raw && at !== undefined ? [{ index, at }] : [],
        )
      : [],
  )
  const [place] = places
  if (!place || places.length > 1) return undefined
  return parts.map((part, index) =>
    index === place.index && typeof part === 'string'
      ? part.slice(0, place.at) +
        writtenIn(to, right, wrong) +
        part.slice(place.at + wrong.raw.length)
      : part,
  )
}
