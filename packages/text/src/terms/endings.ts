/**
 * Endings that decide whether two words are forms of one word, where a stemmer joins too much or
 * too little.
 */
type Folded = { readonly raw: string; readonly folded: string }

/** Fewer letters in common say nothing. */
export const leastLetters = 5

/**
 * Endings that stemmers do not join: Konto and Konten, criterion and criteria, matrix and matrices,
 * hospital and hospitais.
 */
const irregular = [
  ...[
    'o en',
    'a en',
    'um en',
    'us en',
    'is en',
    'um a',
    'us i',
    'on a',
    'is es',
    'x ces',
    'z ces',
    'a ae',
  ],
  ...['l ux', 'l is'],
]
const pairs = new Set(irregular.flatMap((pair) => [pair, pair.split(' ').reverse().join(' ')]))

function restsOf(one: string, other: string): { common: number; rests: [string, string] } {
  let common = 0
  while (common < one.length && one[common] === other[common]) common += 1
  return { common, rests: [one.slice(common), other.slice(common)] }
}

export function isIrregular(one: string, other: string): boolean {
  const { common, rests } = restsOf(one, other)
  return common >= leastLetters && pairs.has(rests.join(' '))
}

/**
 * For languages without a stemmer: most of both words is the same, and what differs is as short as
 * an ending.
 */
export function isNear(one: string, other: string): boolean {
  const { common, rests } = restsOf(one, other)
  return common >= leastLetters && rests.every(({ length }) => length <= 3 && length * 2 <= common)
}

/**
 * Whether two words with the same stem are forms of one word: stemmers join account and accountant
 * as well.
 */
export function inflects(language: string, word: Folded, other: Folded): boolean {
  const { rests } = restsOf(word.folded, other.folded)
  if (language === 'en') return rests.every((rest) => english.test(rest))
  if (language === 'de') return mayGainUmlaut(word, other)
  if (language === 'fr') return /^ion/.test(rests[0]) === /^ion/.test(rests[1])
  // Puerta and puerto, cuenta and cuento: the gender of a noun does not change.
  if (gendered.has(language)) return !/^(?:as? os?|os? as?)$/.test(rests.join(' '))
  return true
}

/** `running` doubles the last letter of `run`. */
const english = /^(?:s|es|e|d|y|ies|ied|[a-z]?ing|[a-z]?ed|)$/
const gendered = new Set(['ca', 'es', 'it', 'pt'])
const umlauts = /[äöü]/
const umlautsOf = (text: string): number => text.split(umlauts).length

/**
 * The plural of Haus is Häuser, but Kuchen is no form of Küche; and Zahl, a noun, is not in zählen,
 * a verb.
 */
function mayGainUmlaut(word: Folded, other: Folded): boolean {
  const gained = umlautsOf(other.folded) - umlautsOf(word.folded)
  if (gained === 0) return true
  return gained > 0 && (isCapital(other.raw) || !isCapital(word.raw))
}

const isCapital = (word: string): boolean => /^\p{Lu}/u.test(word)
