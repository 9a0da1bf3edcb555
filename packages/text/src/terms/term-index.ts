/**
 * Finds the given texts in a text, with offsets. Whole words only, in any of their forms; in a
 * language without blanks between words, anywhere. The time depends on the text: what is looked at
 * for one place is bounded, and so is what is found there.
 */
import {
  addPattern,
  type Literal,
  matcherOf,
  type Node,
  newNode,
  type Pattern,
} from './term-tree.ts'
import type { Word, Words } from './word-forms.ts'

/** A text to look for; `forms` are looked for exactly as they are written. */
export type Sought<T> = { readonly of: T; readonly text: string; readonly forms: readonly string[] }
export type Found<T> = { readonly of: T; readonly start: number; readonly end: number }
/** Yields now and then, so that a caller can let others in. */
export type FindAll<T> = (text: string) => Generator<undefined, Found<T>[]>

type PlacedWord = Word & { readonly start: number; readonly end: number }

const wordPattern = /[\p{L}\p{M}\p{N}_]+/gu
/** What may stand between the words of a term. */
const gap = /^[\s\p{Pd}\u00ad\u200b'’]{1,4}$/u
const isWordAt = (text: string, at: number): boolean => /[\p{L}\p{M}\p{N}_]/u.test(text.charAt(at))

/** Terms that are found at one place; the longest ones stay. */
const mostAtPlace = 64
/** Terms that are found in one text. */
const mostInText = 50_000
/** Comparisons for one place of a text. */
const mostSteps = 2_000
/** Words of all terms together; a term beyond them is not looked for. */
const mostWords = 2_000_000
/** Places between two yields. */
const placesAtOnce = 32
/** Terms between two yields while an index is made. */
const termsAtOnce = 16

export function* openIndex<T>(
  sought: Iterable<Sought<T>>,
  words: Words,
): Generator<undefined, FindAll<T>> {
  return yield* words.isUnspaced ? openUnspaced(sought) : openSpaced(sought, words)
}

/** Where terms begin with a form of a word is looked up once for each word: texts repeat them. */
const mostCached = 20_000

function* openSpaced<T>(
  sought: Iterable<Sought<T>>,
  words: Words,
): Generator<undefined, FindAll<T>> {
  const root = newNode<T>(0)
  let [count, used] = [0, 0]
  const add = (pattern: Pattern<T> | undefined) => {
    used += pattern?.words.length ?? 0
    if (pattern && used <= mostWords) addPattern(root, pattern, words)
  }
  for (const { of, text, forms } of sought) {
    add(patternOf(of, text, words, false))
    for (const form of forms) add(patternOf(of, form, words, true))
    count += 1 + forms.length
    if (count < termsAtOnce) continue
    yield
    count = 0
  }
  const cached = new Map<string, readonly Node<T>[]>()
  const nodesFor = (word: Word): readonly Node<T>[] => {
    const known = cached.get(word.raw)
    if (known) return known
    if (cached.size >= mostCached) cached.clear()
    const { nodes = [] } = root.next?.find(word) ?? {}
    cached.set(word.raw, nodes)
    return nodes
  }
  return function* (text) {
    const found: Found<T>[] = []
    const reader = openReader(text, words)
    for (let at = 0; reader.has(at) && found.length < mostInText; at += 1) {
      const place = reader.at(at) as PlacedWord
      const nodes = nodesFor(place)
      if (nodes.length > 0)
        for (const one of foundAt({ text, reader, words }, at, nodes)) found.push(one)
      if (at % placesAtOnce === 0) yield
    }
    return found
  }
}

/** The words of a text, one after the other; the last ones stay. */
type Reader = { has(at: number): boolean; at(at: number): PlacedWord | undefined }

function openReader(text: string, { wordOf }: Words): Reader {
  const all = text.matchAll(wordPattern)
  const read: PlacedWord[] = []
  const has = (at: number): boolean => {
    while (read.length <= at) {
      const next = all.next()
      if (next.done) return false
      const [raw] = next.value
      read.push({ ...wordOf(raw), start: next.value.index, end: next.value.index + raw.length })
    }
    return true
  }
  return { has, at: (at) => (has(at) ? read[at] : undefined) }
}

type Looking = { readonly text: string; readonly reader: Reader; readonly words: Words }

/** All terms that begin at one place, the longest first. */
function foundAt<T>(
  { text, reader, words }: Looking,
  at: number,
  first: readonly Node<T>[],
): Found<T>[] {
  const start = reader.at(at)?.start ?? 0
  const ends: { readonly node: Node<T>; readonly end: number }[] = []
  const found: Found<T>[] = []
  let steps = 0
  /** The next word, if nothing but a gap is before it. */
  const after = (depth: number): PlacedWord | undefined => {
    const [before, place] = [reader.at(at + depth - 1), reader.at(at + depth)]
    return before && place && gap.test(text.slice(before.end, place.start)) ? place : undefined
  }
  const open = [...first]
  for (let node = open.pop(); node && steps < mostSteps; node = open.pop()) {
    const { depth } = node
    steps += 1
    const end = reader.at(at + depth - 1)?.end ?? start
    if (node.ends.length > 0) ends.push({ node, end })
    for (const { how, texts } of node.literals.values()) {
      steps += 1
      const span = literalAt(text, start, how)
      const known = span && texts.get(how.isExact ? span.here : lower(span.here))
      if (span && known)
        for (const of of known) found.push({ of, start: span.start, end: span.end })
    }
    for (const pattern of node.few) {
      steps += pattern.words.length - depth
      const last = wordsFrom(pattern, depth, after, words)
      if (last) found.push({ of: pattern.of, start, end: last.end })
    }
    const next = node.next && after(depth)
    if (!node.next || !next) continue
    const { nodes, compared } = node.next.find(next)
    steps += compared
    for (const one of nodes) open.push(one)
  }
  for (const { node, end } of ends) for (const of of node.ends) found.push({ of, start, end })
  if (found.length <= mostAtPlace) return found
  return found.sort((one, other) => other.end - one.end).slice(0, mostAtPlace)
}

/** The last word of a pattern, if all of it from `depth` on stands there. */
function wordsFrom<T>(
  { words: own, isForm }: Pattern<T>,
  depth: number,
  after: (depth: number) => PlacedWord | undefined,
  words: Words,
): PlacedWord | undefined {
  let last: PlacedWord | undefined
  for (let at = depth; at < own.length; at += 1) {
    const word = own[at] as Word
    const needsCapital = /^\p{Lu}/u.test(word.raw)
    last = after(at)
    if (!last || !matcherOf(word, { needsCapital, isForm, words })(last)) return undefined
  }
  return last
}

function patternOf<T>(of: T, given: string, words: Words, isForm: boolean): Pattern<T> | undefined {
  const text = given.normalize('NFC').trim()
  const places: PlacedWord[] = []
  const reader = openReader(text, words)
  for (let at = 0; reader.has(at); at += 1) places.push(reader.at(at) as PlacedWord)
  const [first] = places
  if (!first) return undefined
  if (isOnlyWords(text, places))
    return { of, words: places.map(({ raw }) => words.wordOf(raw)), isForm }
  const isExact = /^.+\p{Lu}/su.test(text) || /^\P{Ll}*$/u.test(text)
  return {
    ...{ of, isForm, words: [words.wordOf(first.raw)] },
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

/** What is cut out of a text for literals of one kind, where whole words are. */
function literalAt(
  text: string,
  word: number,
  { lead, text: { length } }: Literal,
): { readonly start: number; readonly end: number; readonly here: string } | undefined {
  const start = word - lead
  const end = start + length
  if (start < 0 || end > text.length) return undefined
  const here = text.slice(start, end)
  return isWordAt(here, here.length - 1) && isWordAt(text, end) ? undefined : { start, end, here }
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

/** Terms that begin with the same letter and have the same length. */
type Alike<T> = Map<number, Map<string, T[]>>

/** Lengths that are tried at one place, the longest first. */
const mostLengths = 100

function* openUnspaced<T>(sought: Iterable<Sought<T>>): Generator<undefined, FindAll<T>> {
  const [exact, folded] = [new Map<string, Alike<T>>(), new Map<string, Alike<T>>()]
  let count = 0
  for (const { of, text, forms } of sought) {
    for (const one of [text, ...forms].map((given) => given.normalize('NFC').trim())) {
      const isExact = /^.+\p{Lu}/su.test(one)
      if (one !== '') addAlike(isExact ? exact : folded, isExact ? one : lower(one), of)
    }
    count += 1 + forms.length
    if (count < termsAtOnce) continue
    yield
    count = 0
  }
  return function* (text) {
    const small = lower(text)
    const found: Found<T>[] = []
    for (let start = 0; start < text.length && found.length < mostInText; start += 1) {
      const before = text.charAt(start - 1)
      const isInside = joins(before, text.charAt(start))
      if (!isInside)
        for (const [given, index] of [
          [text, exact],
          [small, folded],
        ] as const)
          for (const one of alikeAt(given, start, index)) found.push(one)
      if (start % (placesAtOnce * 4) === 0) yield
    }
    return found
  }
}

function addAlike<T>(index: Map<string, Alike<T>>, text: string, of: T): void {
  const first = text.charAt(0)
  const alike: Alike<T> = index.get(first) ?? new Map()
  index.set(first, alike)
  const texts = alike.get(text.length) ?? new Map<string, T[]>()
  alike.set(text.length, texts)
  const known = texts.get(text)
  if (!known) texts.set(text, [of])
  else if (known.length < mostAtPlace) known.push(of)
}

function* alikeAt<T>(
  text: string,
  start: number,
  index: ReadonlyMap<string, Alike<T>>,
): Generator<Found<T>> {
  const alike = index.get(text.charAt(start))
  if (!alike) return
  const lengths = [...alike.keys()]
  if (lengths.length > mostLengths) lengths.sort((one, other) => other - one).splice(mostLengths)
  let left = mostAtPlace
  for (const length of lengths) {
    const end = start + length
    if (end > text.length) continue
    const known = alike.get(length)?.get(text.slice(start, end))
    if (!known || joins(text.charAt(end - 1), text.charAt(end))) continue
    for (const of of known.slice(0, left)) yield { of, start, end }
    left -= known.length
    if (left <= 0) return
  }
}
