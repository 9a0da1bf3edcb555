/**
 * The similarity of two texts: 100 for identical texts, 96 to 99 for the same tokens, otherwise the
 * percentage of tokens preserved.
 */
import { editsAllowed, maxTokens } from './pieces.ts'
import { facetsOf, tokensOf } from './tokens.ts'

/** A text with its tokens. */
export type Known = { readonly source: string; readonly tokens: readonly number[] }

/** In percent, or 0 if it is not a match. */
export function likenessOf(one: Known, other: Known): number {
  if (one.source === other.source) return 100
  const longer = Math.max(one.tokens.length, other.tokens.length)
  const isLong = one.tokens.length > maxTokens
  const edits = distance(one.tokens, other.tokens, isLong ? 0 : editsAllowed(longer))
  if (edits === undefined || longer === 0) return 0
  if (edits > 0) return Math.floor((100 * (longer - edits)) / longer)
  return 100 - differences(one.source, other.source)
}

export const likenessOfTexts = (one: string, other: string): number =>
  likenessOf({ source: one, tokens: tokensOf(one) }, { source: other, tokens: tokensOf(other) })

/**
 * For texts with the same tokens: one point for each kind in which they differ (case of letters,
 * numbers, codes, blanks).
 */
function differences(one: string, other: string): number {
  const [left, right] = [facetsOf(one), facetsOf(other)]
  const kinds = (['letters', 'numbers', 'codes', 'blanks'] as const).filter(
    (kind) => left[kind] !== right[kind],
  )
  return Math.max(1, kinds.length)
}

/**
 * The Levenshtein distance over tokens, or undefined if it exceeds `max`. Only the band of that
 * width is computed.
 */
export function distance(
  one: readonly number[],
  other: readonly number[],
  max: number,
): number | undefined {
  if (Math.abs(one.length - other.length) > max) return undefined
  // Texts of any length come here, so this needs no table.
  if (max === 0) return one.every((token, at) => token === other[at]) ? 0 : undefined
  const far = max + 1
  let row = Array.from({ length: other.length + 1 }, (_, column) => (column <= max ? column : far))
  for (let i = 1; i <= one.length; i++) {
    const next = new Array<number>(other.length + 1).fill(far)
    if (i <= max) next[0] = i
    let least = next[0] ?? far
    for (let j = Math.max(1, i - max); j <= Math.min(other.length, i + max); j++) {
      const replaced = (row[j - 1] ?? far) + (one[i - 1] === other[j - 1] ? 0 : 1)
      const edits = Math.min(replaced, (row[j] ?? far) + 1, (next[j - 1] ?? far) + 1)
      next[j] = Math.min(edits, far)
      least = Math.min(least, edits)
    }
    if (least > max) return undefined
    row = next
  }
  const edits = row[other.length] ?? far
  return edits > max ? undefined : edits
}
