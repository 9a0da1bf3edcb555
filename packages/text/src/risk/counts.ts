/**
 * How often words, pairs of words and letters stand in right texts of a language. Levels of four
 * bits (0: never, 1: once, then each twice as often) in a table that is indexed by hash alone: a few
 * keys share a place, which costs little.
 */
import { hashOf, mix, type Token } from './tokens.ts'

export type Counts = {
  /** Two levels a byte; a power of two. */
  readonly levels: Uint8Array
}

export const countsOf = (levels: Uint8Array): Counts => ({ levels })

export function levelAt({ levels }: Counts, hash: number): number {
  const at = hash & (levels.length * 2 - 1)
  const both = levels[at >>> 1] ?? 0
  return (at & 1 ? both >>> 4 : both) & 15
}

/** Keys of pairs and of letters cannot be those of words. */
const pairSeed = 0x51ed270b
const gramSeed = 0x2545f491
const gramLength = 5

export const pairKey = (before: number, hash: number): number => mix(before ^ pairSeed, hash)

/** The stretches of letters of a word, its borders included. */
export function* gramKeys({ text }: Token): Generator<number> {
  const word = `_${text}_`
  for (let at = 0; at + gramLength <= word.length || at === 0; at++)
    yield hashOf(word.slice(at, at + gramLength), gramSeed)
}

export type Familiarity = {
  readonly words: number
  /** Means over words of letters. */
  readonly level: number
  readonly unknown: number
  readonly unknownPairs: number
  readonly gramLevel: number
  readonly unknownGrams: number
}

const mean = (sum: number, count: number): number => (count === 0 ? 0 : sum / count)

/** How usual the words of a text are, one by one, in pairs and by their letters. */
export function familiarityOf(tokens: readonly Token[], counts: Counts): Familiarity {
  let [words, level, unknown, pairs, unknownPairs] = [0, 0, 0, 0, 0]
  let [grams, gramLevel, unknownGrams] = [0, 0, 0]
  let before = 0
  for (const token of tokens) {
    pairs++
    if (levelAt(counts, pairKey(before, token.hash)) === 0) unknownPairs++
    before = token.hash
    if (token.kind !== 'WORD') continue
    words++
    const own = levelAt(counts, token.hash)
    level += own
    if (own === 0) unknown++
    for (const key of gramKeys(token)) {
      const usual = levelAt(counts, key)
      grams++
      gramLevel += usual
      if (usual === 0) unknownGrams++
    }
  }
  return {
    words,
    level: mean(level, words),
    unknown: mean(unknown, words),
    unknownPairs: mean(unknownPairs, pairs),
    gramLevel: mean(gramLevel, grams),
    unknownGrams: mean(unknownGrams, grams),
  }
}
