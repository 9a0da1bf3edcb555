/**
 * Apple `.strings`: `"key" = "text";`. The key is the id; comments, order and the charset (often
 * UTF-16) stay.
 */

import { isOrdinary } from '../../placeholders/letters.ts'
import { aboutOf } from '../about.ts'
import { defineFormat, edgesOf, escapeId, type SegmentPlace } from '../define-format.ts'
import { FormatError } from '../format-error.ts'
import { lineNumber } from '../lines.ts'

export const appleStrings = defineFormat({
  id: 'apple-strings',
  charset: { fallsBack: true },
  protects: { newlines: true },
  refer: (character) =>
    Array.from({ length: character.length }, (_, at) => hexOf(character.charCodeAt(at))).join(''),
  find: function* (text) {
    if (text.startsWith('bplist0')) throw new FormatError('MALFORMED', binary)
    let before = 0
    let at = skipTrivia(text, 0)
    while (at < text.length) {
      const [from, to] = [before, at]
      const key = readWord(text, at)
      at = skipTrivia(text, key.end)
      let value = key
      if (text[at] === '=') {
        value = readWord(text, skipTrivia(text, at + 1))
        at = skipTrivia(text, value.end)
        if (value.isQuoted)
          yield placeText(unquote(key.raw), value, () => aboutOf(commentsIn(text.slice(from, to))))
      }
      if (text[at] !== ';')
        throw malformed(text, Math.min(at, text.length), 'a semicolon is missing')
      before = at + 1
      at = skipTrivia(text, before)
    }
  },
})

/** Finds the comments in the lines between two entries. */
const commentsIn = (trivia: string): string[] =>
  trivia.split('*/').flatMap((chunk) => {
    const at = chunk.indexOf('/*')
    const lines = (at < 0 ? chunk : chunk.slice(0, at))
      .split(/\r\n|\r|\n/)
      .map((line) => line.trim())
    const said = lines.filter((line) => line.startsWith('//')).map((line) => line.slice(2))
    return at < 0 ? said : [...said, chunk.slice(at + 2)]
  })

const binary =
  'The strings file is a binary property list, which only programs read. Send it as text: plutil -convert xml1 writes it so.'

type Word = {
  readonly raw: string
  readonly start: number
  readonly end: number
  readonly isQuoted: boolean
}

/** A quoted string or a bare word; keys are often bare words. */
function readWord(text: string, from: number): Word {
  if (text[from] !== '"') {
    let end = from
    while (
      /[\w.$:/-]/.test(text.charAt(end)) &&
      !(text[end] === '/' && /[/*]/.test(text.charAt(end + 1)))
    )
      end += 1
    if (end === from) throw malformed(text, from, 'a text in quotes is expected')
    return { raw: text.slice(from, end), start: from, end, isQuoted: false }
  }
  for (let at = from + 1; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === 0x5c) at += 1
    else if (code === 0x22)
      return { raw: text.slice(from + 1, at), start: from + 1, end: at + 1, isQuoted: true }
  }
  throw malformed(text, from, 'a text in quotes never ends')
}

/** Blanks and comments. */
function skipTrivia(text: string, from: number): number {
  let at = from
  for (;;) {
    while (isSpace(text, at)) at += 1
    if (text.startsWith('//', at)) {
      while (at < text.length && text[at] !== '\n' && text[at] !== '\r') at += 1
    } else if (text.startsWith('/*', at)) {
      const end = text.indexOf('*/', at + 2)
      if (end < 0) throw malformed(text, at, 'a comment never ends')
      at = end + 2
    } else return at
  }
}

function isSpace(text: string, at: number): boolean {
  const code = text.charCodeAt(at)
  return code === 32 || (code >= 9 && code <= 13) || (code > 127 && /\s/.test(text.charAt(at)))
}

function placeText(key: string, { raw, start }: Word, about: SegmentPlace['about']): SegmentPlace {
  const value = unquote(raw)
  const spell = /[\r\n]/.test(raw) ? spellLines : spellText
  return {
    id: escapeId(key),
    pieces: [{ type: 'text', text: value.trim() }],
    start,
    end: start + raw.length,
    spell,
    around: edgesOf(value, spell),
    about,
  }
}

const letters: Record<string, string> = {
  n: '\n',
  t: '\t',
  r: '\r',
  b: '\b',
  f: '\f',
  v: '\v',
  a: '\x07',
}

const unquote = (raw: string): string =>
  raw.includes('\\')
    ? raw.replace(
        /\\(?:[Uu]([\da-fA-F]{4})|([0-7]{3})|(.))/gs,
        (_, hex?: string, octal?: string, letter = '') => {
          if (hex) return String.fromCharCode(Number.parseInt(hex, 16))
          return octal
            ? String.fromCharCode(Number.parseInt(octal, 8))
            : (letters[letter] ?? letter)
        },
      )
    : raw

const hexOf = (unit: number): string => `\\U${unit.toString(16).toUpperCase().padStart(4, '0')}`
const byCharacter = new Map(
  Object.entries(letters).map(([letter, character]) => [character, `\\${letter}`]),
)

const spellText = (text: string): string => (isOrdinary(text) ? text : escapeAll(text))

const escapeAll = (text: string): string =>
  text.replace(/["\\\p{Cc}]/gu, (one) =>
    one === '"' || one === '\\' ? `\\${one}` : (byCharacter.get(one) ?? hexOf(one.charCodeAt(0))),
  )

/** A translation may have several lines if its source does. */
const spellLines = (text: string): string =>
  text
    .split(/([\r\n])/)
    .map((part) => (part === '\n' || part === '\r' ? part : spellText(part)))
    .join('')

function malformed(text: string, at: number, why: string): FormatError {
  return new FormatError(
    'MALFORMED',
    `The strings file is not well-formed: ${why} (line ${lineNumber(text, at)}).`,
  )
}
