/**
 * Which words are forms of the same word, by language: equal stems (Snowball), with guards where
 * the stemmer joins different words; irregular endings after five common letters; in a language
 * without a stemmer, five common letters and a short rest.
 */
import { inflects, isIrregular, isNear, leastLetters } from './endings.ts'

export type Word = { readonly raw: string; readonly folded: string; readonly stem: string }

/** What a language says about its words. */
export type Words = {
  /** Words have no borders: a term may stand anywhere. */
  readonly isUnspaced: boolean
  /** How many letters two forms of a word have in common at least, if not their stem. */
  readonly commonLetters: number
  readonly wordOf: (raw: string) => Word
  /** Whether `other` is a form of `word`; both without regard to case. */
  readonly isFormOf: (word: Word, other: Word) => boolean
}

const algorithms: Readonly<Record<string, string>> = {
  ar: 'arabic',
  ca: 'catalan',
  cs: 'czech',
  da: 'danish',
  de: 'german',
  en: 'english',
  es: 'spanish',
  eu: 'basque',
  fi: 'finnish',
  fr: 'french',
  ga: 'irish',
  hu: 'hungarian',
  hy: 'armenian',
  it: 'italian',
  nb: 'norwegian',
  nl: 'dutch',
  nn: 'norwegian',
  no: 'norwegian',
  pt: 'portuguese',
  ro: 'romanian',
  ru: 'russian',
  sl: 'slovene',
  sv: 'swedish',
  ta: 'tamil',
  tr: 'turkish',
}
const unspaced = new Set(['ja', 'km', 'lo', 'my', 'th', 'wuu', 'yue', 'zh'])

/** A stem takes 70 µs, and a text repeats its words. */
const mostCached = 20_000
/** Longer words are compared as they are: the time of a stemmer grows with the word. */
const longestStemmed = 60

export const languageOf = (code: string): string => code.split(/[-_(]/, 1)[0]?.toLowerCase() ?? ''

export async function openWords(code: string): Promise<Words> {
  const language = languageOf(code)
  const stem = await openStemmer(language)
  const cached = new Map<string, Word>()
  const wordOf = (raw: string): Word => {
    const known = cached.get(raw)
    if (known) return known
    const folded = fold(raw, language)
    const word = {
      raw,
      folded,
      stem: stem && folded.length <= longestStemmed ? stem(folded) : folded,
    }
    if (cached.size >= mostCached) cached.clear()
    cached.set(raw, word)
    return word
  }
  const isFormOf = (word: Word, other: Word): boolean => {
    if (word.folded === other.folded) return true
    if (language === 'ko') return isWithParticle(word, other)
    if (!stem) return isNear(word.folded, other.folded)
    return word.stem === other.stem
      ? inflects(language, word, other)
      : isIrregular(word.folded, other.folded)
  }
  const commonLetters = language === 'ko' ? leastHangul : leastLetters
  return { isUnspaced: unspaced.has(language), commonLetters, wordOf, isFormOf }
}

/** Loaded with the first text: the stemmers are 870 KB. */
async function openStemmer(language: string): Promise<((word: string) => string) | undefined> {
  const algorithm = algorithms[language]
  if (algorithm === undefined) return undefined
  const { default: stemmers } = await import('snowball-stemmers')
  const stemmer = stemmers.newStemmer(algorithm)
  return (word) => stemmer.stem(word)
}

/** Lower case, composed, with `е` for the Russian `ё`, which most texts write without its dots. */
function fold(raw: string, language: string): string {
  const lower = raw
    .normalize('NFC')
    .toLocaleLowerCase(language === 'tr' || language === 'az' ? language : 'en')
  return lower.replaceAll('ё', 'е')
}

/** Korean particles follow a noun without a blank. */
const leastHangul = 2
const isWithParticle = (word: Word, other: Word): boolean =>
  word.folded.length >= leastHangul &&
  other.folded.startsWith(word.folded) &&
  other.folded.length - word.folded.length <= 3
