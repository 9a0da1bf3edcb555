/**
 * Tokens by which texts are compared (rule match/v1): lower-case words, all numbers
 * as the same token, each punctuation mark and each ideograph; a placeholder is a token, a tag is
 * not. A token is a 32-bit hash.
 */
import { compose } from '../characters/compose.ts'
import { classes, classOf } from '../counting/character-classes.ts'
import { protect } from '../placeholders/protect.ts'

export const matchRule = 'match/v1'

/** The text that identifies a unit: trimmed and composed (NFC). Codes appear as written. */
export const plainSource = (raw: string): string =>
  compose(raw.trim()).toWellFormed().replaceAll('\0', '\ufffd')

const placeholderToken = '{}'
const numberToken = '#'

type Take = (token: string, from: number, to: number) => void

/** The tokens of a text, as hashes. */
export function tokensOf(source: string): number[] {
  const tokens: number[] = []
  eachToken(source, (token) => tokens.push(hashText(token)))
  return tokens
}

/** The tokens themselves. */
export function wordsOf(source: string): string[] {
  const words: string[] = []
  eachToken(source, (token) => words.push(token))
  return words
}

export const tokensOfAll = (sources: readonly string[]): number[][] => sources.map(tokensOf)

function eachToken(source: string, take: Take): void {
  let at = 0
  for (const part of protect(source)) {
    if ('text' in part) {
      eachWord(part.text, at, take)
      at += part.text.length
      continue
    }
    if (part.kind === 'placeholder' || part.kind === 'icu')
      take(placeholderToken, at, at + part.raw.length)
    if (part.kind === 'url' || part.kind === 'email')
      take(part.raw.toLowerCase(), at, at + part.raw.length)
    at += part.raw.length
  }
}

const isApostrophe = (unit: number): boolean => unit === 0x27 || unit === 0x2019
const isPoint = (unit: number): boolean => unit === 0x2e || unit === 0x2c

function eachWord(text: string, offset: number, take: Take): void {
  for (let at = 0; at < text.length; ) {
    const first = text.codePointAt(at) ?? 0
    const kind = classOf(first)
    if (kind !== classes.letter && kind !== classes.digit && kind !== classes.mark) {
      const width = first > 0xffff ? 2 : 1
      if (kind !== classes.blank) take(text.slice(at, at + width), offset + at, offset + at + width)
      at += width
      continue
    }
    const { end, hasLetter } = wordFrom(text, at)
    take(hasLetter ? text.slice(at, end).toLowerCase() : numberToken, offset + at, offset + end)
    at = end
  }
}

/** An apostrophe inside a word and a point inside a number belong to it. */
function wordFrom(text: string, from: number): { end: number; hasLetter: boolean } {
  let end = from
  let hasLetter = false
  let before: number = classes.other
  while (end < text.length) {
    const character = text.codePointAt(end) ?? 0
    const kind = classOf(character)
    if (kind === classes.letter || kind === classes.digit || kind === classes.mark) {
      hasLetter ||= kind !== classes.digit
      before = kind
      end += character > 0xffff ? 2 : 1
      continue
    }
    const next = classOf(text.codePointAt(end + 1) ?? 0)
    const joins =
      (isApostrophe(character) && before === classes.letter && next === classes.letter) ||
      (isPoint(character) && before === classes.digit && next === classes.digit)
    if (!joins) break
    end += 1
  }
  return { end, hasLetter }
}

/** What texts with the same tokens can still differ in. */
export function facetsOf(
  source: string,
): Record<'letters' | 'numbers' | 'codes' | 'blanks', string> {
  const letters: string[] = []
  const numbers: string[] = []
  const codes: string[] = []
  const blanks: string[] = []
  let last = 0
  for (const part of protect(source)) if ('kind' in part) codes.push(part.raw)
  eachToken(source, (token, from, to) => {
    const written = source.slice(from, to)
    if (token === numberToken) numbers.push(written)
    else if (token !== placeholderToken) letters.push(written)
    blanks.push(source.slice(last, from).replace(/\S+/g, ''))
    last = to
  })
  return {
    letters: letters.join('\n'),
    numbers: numbers.join('\n'),
    codes: codes.join('\n'),
    blanks: blanks.join('|'),
  }
}

/** The words and the numbers of a text as they are written, in their order. */
export function writtenIn(source: string): { words: string[]; numbers: string[] } {
  const words: string[] = []
  const numbers: string[] = []
  eachToken(source, (token, from, to) => {
    if (token === numberToken) numbers.push(source.slice(from, to))
    else if (token !== placeholderToken) words.push(source.slice(from, to))
  })
  return { words, numbers }
}

/** FNV-1a over the UTF-16 code units, with a final mix. */
export function hashText(text: string): number {
  let hash = 0x811c9dc5
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193)
  return mix(hash)
}

export function mix(given: number): number {
  let hash = given
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35)
  return hash ^ (hash >>> 16)
}
