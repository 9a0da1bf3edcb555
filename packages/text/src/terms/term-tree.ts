/**
 * The words of terms as a tree: terms that begin alike share their first words, so that a place in a
 * text is compared with each word once, however many terms begin there. A word is found by its stem,
 * and by its first letters for other forms.
 */
import type { Word, Words } from './word-forms.ts'

export type Literal = {
  readonly text: string
  /** Signs before the first word. */
  readonly lead: number
  readonly isExact: boolean
}
/** A text to look for, as words. */
export type Pattern<T> = {
  readonly of: T
  readonly words: readonly Word[]
  /** It is looked for exactly as it is written. */
  readonly isForm: boolean
  /** With signs that are no letters, such as C++: compared as a whole. */
  readonly literal?: Literal
}

export type Node<T> = {
  /** How many words lead here. */
  readonly depth: number
  /** The terms that end here. */
  readonly ends: T[]
  /** By how they are cut out of a text, then by what is cut out. */
  readonly literals: Map<string, { readonly how: Literal; readonly texts: Map<string, T[]> }>
  /** Longer terms: a list while they are few, then by their next word. */
  few: Pattern<T>[]
  next?: Heads<T>
}

/** Equal terms of which a text is told: more meanings of one word help nobody. */
const mostEqual = 32
/** More than these are told apart by their next word. */
const mostFew = 4

export const newNode = <T>(depth: number): Node<T> => ({
  depth,
  ends: [],
  literals: new Map(),
  few: [],
})

export function addPattern<T>(node: Node<T>, pattern: Pattern<T>, words: Words): void {
  let at = node
  for (;;) {
    if (pattern.literal && at.depth === 1) {
      addLiteral(at, pattern.literal, pattern.of)
      return
    }
    if (at.depth === pattern.words.length) {
      if (at.ends.length < mostEqual) at.ends.push(pattern.of)
      return
    }
    if (!at.next && at.depth > 0 && at.few.length < mostFew) {
      at.few.push(pattern)
      return
    }
    if (!at.next) {
      at.next = openHeads(words)
      const { few } = at
      at.few = []
      for (const one of few) addPattern(at.next.nodeOf(one, at.depth), one, words)
    }
    at = at.next.nodeOf(pattern, at.depth)
  }
}

function addLiteral<T>({ literals }: Node<T>, how: Literal, of: T): void {
  const key = `${how.lead} ${how.text.length} ${how.isExact}`
  const alike = literals.get(key) ?? { how, texts: new Map<string, T[]>() }
  literals.set(key, alike)
  const known = alike.texts.get(how.text)
  if (!known) alike.texts.set(how.text, [of])
  else if (known.length < mostEqual) known.push(of)
}

type Head<T> = { readonly word: Word; readonly matches: (other: Word) => boolean; node: Node<T> }
export type Heads<T> = {
  readonly nodeOf: (pattern: Pattern<T>, depth: number) => Node<T>
  /** The nodes behind the words of which this one is a form, and how many words were compared. */
  readonly find: (word: Word) => { readonly nodes: readonly Node<T>[]; readonly compared: number }
}

/** Two forms of a word differ by at most so many letters at their ends. */
const longestEnding = 3
/** Words that are compared with one word of a text. */
const mostAlike = 200

function openHeads<T>(words: Words): Heads<T> {
  const { commonLetters } = words
  const heads = new Map<string, Head<T>>()
  const byFolded = new Map<string, Head<T>[]>()
  const byStem = new Map<string, Head<T>[]>()
  const byBeginning = new Map<string, Head<T>[]>()
  const exact = new Map<string, Head<T>[]>()
  return {
    nodeOf: ({ words: own, isForm }, depth) => {
      const word = own[depth] as Word
      const needsCapital = depth > 0 && /^\p{Lu}/u.test(word.raw)
      const key = `${isForm} ${word.raw}`
      const known = heads.get(key)
      if (known) return known.node
      const matches = matcherOf(word, { needsCapital, isForm, words })
      const head: Head<T> = { word, matches, node: newNode(depth + 1) }
      heads.set(key, head)
      if (isExact(word.raw)) for (const one of [word.raw, `${word.raw}s`]) push(exact, one, head)
      else {
        push(byFolded, word.folded, head)
        push(byStem, word.stem, head)
        for (const one of beginningsOf(word.folded, commonLetters)) push(byBeginning, one, head)
      }
      return head.node
    },
    find: (word) => {
      const alike = new Set(exact.get(word.raw))
      for (const head of byFolded.get(word.folded) ?? []) alike.add(head)
      for (const head of byStem.get(word.stem) ?? []) alike.add(head)
      for (const one of beginningsOf(word.folded, commonLetters))
        for (const head of byBeginning.get(one) ?? []) alike.add(head)
      const nodes: Node<T>[] = []
      for (const { matches, node } of alike) if (matches(word)) nodes.push(node)
      return { nodes, compared: alike.size }
    },
  }
}

/** The word without its ending, whatever that is: two forms have one of these in common. */
function* beginningsOf(folded: string, commonLetters: number): Generator<string> {
  yield folded
  for (let cut = 1; cut <= longestEnding && folded.length - cut >= commonLetters; cut += 1)
    yield folded.slice(0, -cut)
}

function push<K, V>(map: Map<K, V[]>, key: K, value: V): void {
  const list = map.get(key)
  if (!list) map.set(key, [value])
  else if (list.length < mostAlike) list.push(value)
}

/** Has capitals beyond its first letter, or is one. */
const isExact = (word: string): boolean => /^.+\p{Lu}/su.test(word) || /^\p{Lu}$/u.test(word)

type Matching = {
  readonly needsCapital: boolean
  readonly isForm: boolean
  readonly words: Words
}

/**
 * Capitals beyond the first letter of a term are meant: IT is not "it", and iPhone not "iphone".
 */
export function matcherOf(
  word: Word,
  { needsCapital, isForm, words: { isFormOf } }: Matching,
): (other: Word) => boolean {
  const { raw } = word
  if (isExact(raw)) return (other) => other.raw === raw || other.raw === `${raw}s`
  return (other) =>
    (isForm ? word.folded === other.folded : isFormOf(word, other)) &&
    (!needsCapital || /^\p{Lu}/u.test(other.raw))
}
