/** How like two texts are: 100 for the same text, 96 to 99 for the same tokens, else the tokens that are kept, in percent. */
import { editsAllowed, mostTokens } from './pieces.ts'
import { facetsOf, tokensOf } from './tokens.ts'

/** A text with its tokens. */
export type Known = { readonly source: string; readonly tokens: readonly number[] }

/** In percent, or 0 where it is no match. */
export function likenessOf(one: Known, other: Known): number {
  if (one.source === other.source) return 100
  const longer = Math.max(one.tokens.length, other.tokens.length)
  const isLong = one.tokens.length > mostTokens
  const edits = distance(one.tokens, other.tokens, isLong ? 0 : editsAllowed(longer))
  if (edits === undefined || longer === 0) return 0
  if (edits > 0) return Math.floor((100 * (longer - edits)) / longer)
  return 100 - differences(one.source, other.source)
}

export const likenessOfTexts = (one: string, other: string): number =>
  likenessOf({ source: one, tokens: tokensOf(one) }, { source: other, tokens: tokensOf(other) })

/** Letters (their case), numbers, codes, blanks: one for each kind in which texts of the same tokens differ. */
function differences(one: string, other: string): number {
  const [left, right] = [facetsOf(one), facetsOf(other)]
  const kinds = (['letters', 'numbers', 'codes', 'blanks'] as const).filter((kind) => left[kind] !== right[kind])
  return Math.max(1, kinds.length)
}

/** Levenshtein's distance over tokens, or undefined where it is more than `most`; only the band of that width is walked. */
export function distance(one: readonly number[], other: readonly number[], most: number): number | undefined {
  if (Math.abs(one.length - other.length) > most) return undefined
  // Texts of any length come here: no table is made for them.
  if (most === 0) return one.every((token, at) => token === other[at]) ? 0 : undefined
  const far = most + 1
  let row = Array.from({ length: other.length + 1 }, (_, column) => (column <= most ? column : far))
  for (let i = 1; i <= one.length; i++) {
    const next = new Array<number>(other.length + 1).fill(far)
    if (i <= most) next[0] = i
    let least = next[0] ?? far
    for (let j = Math.max(1, i - most); j <= Math.min(other.length, i + most); j++) {
      const kept = (row[j - 1] ?? far) + (one[i - 1] === other[j - 1] ? 0 : 1)
      const edits = Math.min(kept, (row[j] ?? far) + 1, (next[j - 1] ?? far) + 1)
      next[j] = Math.min(edits, far)
      least = Math.min(least, edits)
    }
    if (least > most) return undefined
    row = next
  }
  const edits = row[other.length] ?? far
  return edits > most ? undefined : edits
}
