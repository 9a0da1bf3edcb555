/**
 * Counts words by the rule count/v1: fixed tables, no Intl and no \p{…}, so that a
 * text has the same count in every version of Node. A word is a run between separators that
 * contains a letter or a digit.
 */
import { compose } from '../characters/compose.ts'
import type { Part } from '../placeholders/part.ts'
import { blankEntity, lineBreak } from '../sentences/cut-parts.ts'
import { classes, classOf } from './character-classes.ts'

export const countRule = 'count/v1'

export type Counts = {
  /** Words in scripts that separate them. */
  readonly words: number
  /** Han, Kana and Bopomofo characters. */
  readonly ideographs: number
  /** Base characters of Thai, Lao, Khmer and Burmese. */
  readonly unspaced: number
  /** Blanks are not counted. */
  readonly characters: number
  /** Words with digits and no letter. */
  readonly numbers: number
  /** Codes that stand for text. They are not words, and separate those beside them. */
  readonly placeholders: number
  readonly tags: number
}

export const noCounts: Counts = {
  words: 0,
  ideographs: 0,
  unspaced: 0,
  characters: 0,
  numbers: 0,
  placeholders: 0,
  tags: 0,
}

export function addCounts(one: Counts, other: Counts): Counts {
  return {
    words: one.words + other.words,
    ideographs: one.ideographs + other.ideographs,
    unspaced: one.unspaced + other.unspaced,
    characters: one.characters + other.characters,
    numbers: one.numbers + other.numbers,
    placeholders: one.placeholders + other.placeholders,
    tags: one.tags + other.tags,
  }
}

/** What is paid per word. An ideograph and a base character each count as one word. */
export const weightedWords = ({ words, ideographs, unspaced }: Counts): number =>
  words + ideographs + unspaced

const blank = ' '
const parting = new Set(['placeholder', 'icu', 'newline'])

/**
 * The counts of a segment. Addresses count as text; placeholders and tags are counted separately.
 */
export function countParts(parts: readonly Part[]): Counts {
  const [only] = parts
  if (parts.length === 1 && only?.type === 'text') return countText(only.text)
  let text = ''
  let placeholders = 0
  let tags = 0
  for (const part of parts) {
    if (part.type === 'text' || part.kind === 'url' || part.kind === 'email') {
      text += part.type === 'text' ? part.text : part.raw
      continue
    }
    if (part.kind === 'placeholder' || part.kind === 'icu') placeholders += 1
    if (part.kind.startsWith('tag-')) tags += 1
    const parts = parting.has(part.kind) || blankEntity.test(part.raw) || lineBreak.test(part.raw)
    if (parts) text += blank
  }
  return { ...countText(text), placeholders, tags }
}

/** Counts a text without codes. */
export function countText(given: string): Counts {
  const text = compose(given)
  let words = 0
  let ideographs = 0
  let unspaced = 0
  let characters = 0
  let numbers = 0
  let hasLetter = false
  let hasDigit = false
  const endWord = () => {
    if (hasLetter || hasDigit) words += 1
    if (hasDigit && !hasLetter) numbers += 1
    hasLetter = false
    hasDigit = false
  }
  for (let at = 0; at < text.length; at++) {
    const character = text.codePointAt(at) ?? 0
    if (character > 0xffff) at += 1
    const kind = classOf(character)
    if (kind === classes.blank) {
      endWord()
      continue
    }
    characters += 1
    if (kind === classes.letter) hasLetter = true
    else if (kind === classes.digit) hasDigit = true
    else if (kind === classes.dash) endWord()
    else if (kind === classes.ideograph) {
      endWord()
      ideographs += 1
    } else if (kind === classes.unspaced) {
      endWord()
      unspaced += 1
    }
  }
  endWord()
  return { words, ideographs, unspaced, characters, numbers, placeholders: 0, tags: 0 }
}
