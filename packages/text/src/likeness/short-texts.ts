/**
 * Texts of one to three tokens, for people who look something up. One changed word
 * is half of such a text, so they are compared by character: "Save file" and "Save files" are 90
 * percent alike. Quotes do not use this.
 */
import { distance } from './likeness.ts'
import { editsAllowed } from './pieces.ts'
import { mix, wordsOf } from './tokens.ts'

const maxTokens = 3
const maxCharacters = 60
/** Fewer than for the same tokens. */
const maxPercent = 95

/** The characters of its tokens, with a blank between two; undefined if the text is not short. */
export function charactersOf(source: string): number[] | undefined {
  // A short text may have long tags, but it is not worth the time to find out.
  if (source.length > 20 * maxCharacters) return undefined
  const words = wordsOf(source)
  if (words.length === 0 || words.length > maxTokens) return undefined
  const characters = Array.from(words.join(' '), (character) => mix(character.codePointAt(0) ?? 0))
  return characters.length > maxCharacters ? undefined : characters
}

/** In percent, or 0 if it is not a match. */
export function likenessOfShort(one: readonly number[], other: readonly number[]): number {
  const longer = Math.max(one.length, other.length)
  const edits = distance(one, other, editsAllowed(longer))
  return edits === undefined || longer === 0
    ? 0
    : Math.min(maxPercent, Math.floor((100 * (longer - edits)) / longer))
}
