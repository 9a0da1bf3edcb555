/**
 * Java `.properties`: every value is a segment, with its key as id. A file in ASCII or Latin-1 gets
 * \uXXXX for other characters; a file in UTF-8 stays UTF-8. In messages with arguments apostrophes
 * are doubled, unless the file itself has single ones.
 */

import type { Piece } from '../../placeholders/protect.ts'
import { aboutOf } from '../about.ts'
import { defineFormat, edgesOf, escapeId } from '../define-format.ts'
import { FormatError } from '../format-error.ts'
import { lineNumber } from '../lines.ts'

export const properties = defineFormat({
  id: 'properties',
  charset: { fallsBack: true },
  protects: { newlines: true, names: true },
  refer: (character) => refer(character),
  find: function* (text) {
    const isAscii = isAsciiOnly(text)
    const doubles = doublesApostrophes(text)
    const spell = (words: string) => spellValue(words, isAscii)
    const inMessage = (words: string) => spell(words.replaceAll("'", "''"))
    for (const { key, value, comments, start, end } of scanProperties(text)) {
      const isMessage = doubles && hasArgument(value)
      const inner = value.trim()
      const [before, after] = edgesOf(value, spell)
      yield {
        id: escapeId(key),
        pieces: isMessage ? messagePieces(inner, spell) : [{ type: 'text', text: inner }],
        start,
        end,
        spell: isMessage ? inMessage : spell,
        compose: escapeSign,
        about: () => aboutOf(commentsIn(text, comments)),
        // Leading blanks would be read as layout.
        around: [before.replaceAll(' ', '\\ '), after],
      }
    }
  },
})

/** After a blank, a leading = or : would be read as the separator. */
const escapeSign = (written: string): string =>
  written.startsWith('=') || written.startsWith(':') ? `\\${written}` : written

type Entry = {
  readonly key: string
  readonly value: string
  readonly start: number
  readonly end: number
  /** The lines before it. */
  readonly comments: { readonly from: number; readonly to: number }
}

const commentsIn = (text: string, { from, to }: Entry['comments']): string[] =>
  text
    .slice(from, to)
    .split(/\r\n|\r|\n/)
    .map((line) => line.trim().replace(/^[#!]/, ''))

const isBlank = (code: number): boolean => code === 32 || code === 9 || code === 12
const endsKey = (code: number): boolean => code === 0x3d || code === 0x3a || isBlank(code)
const isLineEnd = (code: number): boolean => code === 10 || code === 13

export function* scanProperties(text: string): Generator<Entry> {
  let at = 0
  let from = 0
  const skipBlanks = () => {
    while (isBlank(text.charCodeAt(at))) at += 1
  }
  /**
   * Up to the end of the line, or of the key; a backslash escapes what follows, also a line end.
   */
  const read = (isKey: boolean): string => {
    let said = ''
    let from = at
    for (;;) {
      const code = text.charCodeAt(at)
      // After the last character the code is NaN.
      if (Number.isNaN(code) || isLineEnd(code) || (isKey && endsKey(code))) break
      if (code !== 0x5c) {
        at += 1
        continue
      }
      said += text.slice(from, at)
      const escaped = readEscape(text, at + 1)
      said += escaped.character
      at = escaped.end
      if (escaped.character === '') skipBlanks()
      from = at
    }
    return said + text.slice(from, at)
  }
  while (at < text.length) {
    skipBlanks()
    if (isLineEnd(text.charCodeAt(at))) at += 1
    else if (text[at] === '#' || text[at] === '!')
      while (at < text.length && !isLineEnd(text.charCodeAt(at))) at += 1
    else if (at < text.length) {
      const comments = { from, to: at }
      const key = read(true)
      skipBlanks()
      if (text[at] === '=' || text[at] === ':') at += 1
      skipBlanks()
      const start = at
      const value = read(false)
      from = at
      yield { key, value, start, end: at, comments }
    }
  }
}

const letters: Record<string, string> = { n: '\n', t: '\t', r: '\r', f: '\f' }

/** What an escape means; an escaped line end means nothing. */
function readEscape(text: string, at: number): { character: string; end: number } {
  const letter = text.charAt(at)
  if (letter === '\r' && text[at + 1] === '\n') return { character: '', end: at + 2 }
  if (letter === '\r' || letter === '\n' || letter === '')
    return { character: '', end: at + letter.length }
  const hex = letter === 'u' ? text.slice(at + 1, at + 5) : ''
  if (/^[\da-fA-F]{4}$/.test(hex))
    return { character: String.fromCharCode(Number.parseInt(hex, 16)), end: at + 5 }
  if (letter === 'u')
    throw new FormatError(
      'MALFORMED',
      `The file is not a properties file: on line ${lineNumber(text, at)}, \\u is not followed by four hexadecimal digits.`,
    )
  return { character: letters[letter] ?? letter, end: at + 1 }
}

const hexOf = (unit: number): string => `\\u${unit.toString(16).toUpperCase().padStart(4, '0')}`
const refer = (character: string): string =>
  Array.from({ length: character.length }, (_, at) => hexOf(character.charCodeAt(at))).join('')

const byUnit = new Map([
  [0x5c, '\\\\'],
  ...Object.entries(letters).map(([letter, one]): [number, string] => [
    one.charCodeAt(0),
    `\\${letter}`,
  ]),
])
const isAsciiOnly = (text: string): boolean => !/[^\0-\x7f]/.test(text)

function spellValue(text: string, isAscii: boolean): string {
  let said = ''
  let from = 0
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at)
    const isPlain = unit < 0x7f ? unit >= 0x20 && unit !== 0x5c : !isAscii && unit > 0x9f
    if (isPlain) continue
    // A translation into another alphabet is nothing but escapes.
    if (isAscii && unit > 0x7f) return said + spellAscii(text, from)
    said += text.slice(from, at) + (byUnit.get(unit) ?? hexOf(unit))
    from = at + 1
  }
  return from === 0 ? text : said + text.slice(from)
}

const digits = Buffer.from('0123456789ABCDEF')
/** Escapes are written here: appending them to a string would make an object for each. */
const scratch = Buffer.alloc(6 * 1_024)

function spellAscii(text: string, start: number): string {
  let said = ''
  let to = 0
  const put = (code: number | undefined): void => {
    scratch[to++] = code ?? 0
  }
  for (let at = start; at < text.length; at++) {
    const unit = text.charCodeAt(at)
    const known = byUnit.get(unit)
    if (known) for (const one of known) put(one.charCodeAt(0))
    else if (unit >= 0x20 && unit < 0x7f) put(unit)
    else {
      put(0x5c)
      put(0x75)
      for (let shift = 12; shift >= 0; shift -= 4) put(digits[(unit >> shift) & 15])
    }
    if (to + 6 <= scratch.length) continue
    said += scratch.toString('latin1', 0, to)
    to = 0
  }
  return said + scratch.toString('latin1', 0, to)
}

/** `{0}`, `{1,number}`: an argument of MessageFormat. */
const hasArgument = (value: string): boolean => value.includes('{') && /\{\d{1,3}[},]/.test(value)

/**
 * A single apostrophe between letters shows that the file is not read by MessageFormat, unless
 * another is doubled.
 */
function doublesApostrophes(text: string): boolean {
  if (!text.includes("'") && !text.includes('\\u0027')) return true
  let isSingle = false
  for (const { value } of scanProperties(text)) {
    if (!value.includes("'") || !hasArgument(value)) continue
    if (value.includes("''")) return true
    isSingle ||= /\p{L}'\p{L}/u.test(value)
  }
  return !isSingle
}

/** `''` is an apostrophe. Text between two single apostrophes is literal and stays unchanged. */
function messagePieces(value: string, spell: (text: string) => string): Piece[] {
  if (!value.includes("'")) return [{ text: value }]
  const pieces: Piece[] = []
  let text = ''
  for (let at = 0; at < value.length; at++) {
    const closing = value[at] === "'" && value[at + 1] !== "'" ? value.indexOf("'", at + 1) : -1
    if (closing > 0) {
      pieces.push({ text }, { kind: 'placeholder', raw: spell(value.slice(at, closing + 1)) })
      text = ''
      at = closing
    } else {
      text += value[at]
      if (value[at] === "'" && value[at + 1] === "'") at += 1
    }
  }
  return [...pieces, { text }].filter((piece) => 'kind' in piece || piece.text !== '')
}
