/**
 * Finds the given texts in a text, with offsets. Whole words only, in any of their forms, found by
 * the stem of the first word, so that the time depends on the text and not on the number of terms.
 * In a language without blanks between words, anywhere.
 */
import type { Word, Words } from './word-forms.ts'

/** A text to look for; `forms` are looked for exactly as they are written. */
export type Sought<T> = { readonly of: T; readonly text: string; readonly forms: readonly string[] }
export type Found<T> = { readonly of: T; readonly start: number; readonly end: number }
export type FindAll<T> = (text: string) => Found<T>[]

type PlacedWord = Word & { readonly start: number; readonly end: number }
type WordPattern = { readonly word: Word; readonly matches: (other: Word) => boolean }
type Pattern<T> = {
  readonly of: T
  readonly words: readonly WordPattern[]
  /**
   * With signs that are no letters, such as C++: compared as a whole, `lead` signs before its first
   * word.
   */
  readonly literal?: { readonly text: string; readonly lead: number; readonly isExact: boolean }
}

const wordPattern = /[\p{L}\p{M}\p{N}_]+/gu
/** What may stand between the words of a term. */
const gap = /^[\s\p{Pd}\u00ad\u200b'’]{1,4}$/u
const isWordAt = (text: string, at: number): boolean => /[\p{L}\p{M}\p{N}_]/u.test(text.charAt(at))

export function openIndex<T>(sought: Iterable<Sought<T>>, words: Words): FindAll<T> {
  return words.isUnspaced ? openUnspaced(sought) : openSpaced(sought, words)
}

/** Patterns that begin with the same word. */
type Head<T> = { readonly first: WordPattern; readonly patterns: Pattern<T>[] }

/** What begins with a form of a word is looked up once for each word: texts repeat their words. */
const mostCached = 20_000

function openSpaced<T>(sought: Iterable<Sought<T>>, words: Words): FindAll<T> {
  const startingWith = openHeads(sought, words)
  const cached = new Map<string, readonly Pattern<T>[]>()
  const patternsAt = (place: PlacedWord): readonly Pattern<T>[] => {
    const known = cached.get(place.raw)
    if (known) return known
    if (cached.size >= mostCached) cached.clear()
    const found = startingWith(place)
    cached.set(place.raw, found)
    return found
  }
  return (text) => {
    const places = placesIn(text, words)
    const found: Found<T>[] = []
    for (const [at, place] of places.entries())
      for (const pattern of patternsAt(place)) {
        const span = pattern.literal
          ? literalAt(text, place, pattern)
          : wordsAt(text, places, at, pattern)
        if (span) found.push({ of: pattern.of, ...span })
      }
    return found
  }
}

/**
 * The patterns whose first word the given word is a form of: by its stem, and by its first letters
 * for other forms.
 */
function openHeads<T>(
  sought: Iterable<Sought<T>>,
  words: Words,
): (word: Word) => readonly Pattern<T>[] {
  const { commonLetters } = words
  const byStem = new Map<string, Head<T>[]>()
  const byStart = new Map<string, Head<T>[]>()
  const heads = new Map<string, Head<T>>()
  const add = (pattern: Pattern<T> | undefined, isForm: boolean) => {
    const first = pattern?.words[0]
    if (!pattern || !first) return
    const { raw, stem, folded } = first.word
    const known = heads.get(`${isForm} ${raw}`)
    if (known) {
      known.patterns.push(pattern)
      return
    }
    const head = { first, patterns: [pattern] }
    heads.set(`${isForm} ${raw}`, head)
    push(byStem, stem, head)
    if (isExact(raw)) push(byStem, words.wordOf(`${raw}s`).stem, head)
    if (folded.length >= commonLetters) push(byStart, folded.slice(0, commonLetters), head)
  }
  for (const { of, text, forms } of sought) {
    add(patternOf(of, text, words, false), false)
    for (const form of forms) add(patternOf(of, form, words, true), true)
  }
  return (word) => {
    const near = byStart.get(word.folded.slice(0, commonLetters)) ?? []
    const candidates = new Set([...(byStem.get(word.stem) ?? []), ...near])
    return [...candidates].flatMap(({ first, patterns }) => (first.matches(word) ? patterns : []))
  }
}

function push<K, V>(map: Map<K, V[]>, key: K, value: V): void {
  const list = map.get(key)
  if (list) list.push(value)
  else map.set(key, [value])
}

function placesIn(text: string, { wordOf }: Words): PlacedWord[] {
  return [...text.matchAll(wordPattern)].map(({ index, 0: raw }) => ({
    ...wordOf(raw),
    start: index,
    end: index + raw.length,
  }))
}

function patternOf<T>(of: T, given: string, words: Words, isForm: boolean): Pattern<T> | undefined {
  const text = given.normalize('NFC').trim()
  const places = placesIn(text, words)
  const [first] = places
  if (!first) return undefined
  const patterns = places.map((word, at) => ({ word, matches: matcherOf(word, at, words, isForm) }))
  if (isOnlyWords(text, places)) return { of, words: patterns }
  const isExact = /^.+\p{Lu}/su.test(text) || /^\P{Ll}*$/u.test(text)
  return {
    of,
    words: patterns,
    literal: { text: isExact ? text : lower(text), lead: first.start, isExact },
  }
}

/**
 * Whether nothing stands before, behind and between the words but blanks, dashes and apostrophes.
 */
function isOnlyWords(text: string, places: readonly PlacedWord[]): boolean {
  if (places[0]?.start !== 0 || places.at(-1)?.end !== text.length) return false
  return places.every(
    ({ start }, at) => at === 0 || gap.test(text.slice(places[at - 1]?.end, start)),
  )
}

/** Has capitals beyond its first letter, or is one. */
const isExact = (word: string): boolean => /^.+\p{Lu}/su.test(word) || /^\p{Lu}$/u.test(word)

/**
 * Capitals beyond the first letter of a term are meant: IT is not "it", and iPhone not "iphone".
 */
function matcherOf(
  word: Word,
  at: number,
  { isFormOf }: Words,
  isForm: boolean,
): WordPattern['matches'] {
  const { raw } = word
  if (isExact(raw)) return (other) => other.raw === raw || other.raw === `${raw}s`
  const needsCapital = at > 0 && /^\p{Lu}/u.test(raw)
  return (other) =>
    (isForm ? word.folded === other.folded : isFormOf(word, other)) &&
    (!needsCapital || /^\p{Lu}/u.test(other.raw))
}

type Span = { readonly start: number; readonly end: number }

function wordsAt<T>(
  text: string,
  places: readonly PlacedWord[],
  at: number,
  { words }: Pattern<T>,
): Span | undefined {
  // The first one is known to match.
  for (let step = 1; step < words.length; step += 1) {
    const [before, place] = [places[at + step - 1], places[at + step]]
    if (!before || !place || !words[step]?.matches(place)) return undefined
    if (!gap.test(text.slice(before.end, place.start))) return undefined
  }
  const [first, last] = [places[at], places[at + words.length - 1]]
  return first && last && { start: first.start, end: last.end }
}

function literalAt<T>(text: string, place: PlacedWord, { literal }: Pattern<T>): Span | undefined {
  if (!literal) return undefined
  const start = place.start - literal.lead
  const end = start + literal.text.length
  if (start < 0) return undefined
  const here = text.slice(start, end)
  if ((literal.isExact ? here : lower(here)) !== literal.text) return undefined
  return isWordAt(here, here.length - 1) && isWordAt(text, end) ? undefined : { start, end }
}

/** Lowers the case, as long as that changes no offset. */
function lower(text: string): string {
  const made = text.toLowerCase()
  return made.length === text.length ? made : text
}

/** Scripts that put blanks between words: there a term must still be a whole word. */
const spacedLetter = /[\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Hangul}\p{N}]/u
const joins = (one: string, other: string): boolean =>
  spacedLetter.test(one) && spacedLetter.test(other)

function openUnspaced<T>(sought: Iterable<Sought<T>>): FindAll<T> {
  const byFirst = new Map<string, { of: T; text: string; isExact: boolean }[]>()
  for (const { of, text, forms } of sought)
    for (const one of [text, ...forms].map((given) => given.normalize('NFC').trim())) {
      const isExact = /^.+\p{Lu}/su.test(one)
      const wanted = isExact ? one : lower(one)
      if (wanted !== '') push(byFirst, lower(wanted).charAt(0), { of, text: wanted, isExact })
    }
  return (text) => {
    const folded = lower(text)
    const found: Found<T>[] = []
    for (let start = 0; start < text.length; start++)
      for (const { of, text: wanted, isExact } of byFirst.get(folded.charAt(start)) ?? []) {
        const end = start + wanted.length
        if (!(isExact ? text : folded).startsWith(wanted, start)) continue
        if (
          joins(text.charAt(start - 1), text.charAt(start)) ||
          joins(text.charAt(end - 1), text.charAt(end))
        )
          continue
        found.push({ of, start, end })
      }
    return found
  }
}
