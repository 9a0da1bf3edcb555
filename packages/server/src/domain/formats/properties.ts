/**
 * Java `.properties`: every value is a segment, with its key as id. A file in ASCII or Latin-1 gets \uXXXX for other characters; a file
 * in UTF-8 stays UTF-8. In messages with arguments apostrophes are doubled, unless the file itself has single ones.
 */
import { defineFormat, escapeId, type Place } from './define-format.ts'
import type { Piece } from './protect.ts'

export const properties = defineFormat({
  id: 'properties',
  charset: { fallsBack: true },
  protects: { newlines: true, names: true },
  refer: (character) => refer(character),
  find: (text) => {
    const entries = scanProperties(text)
    const isAscii = isAsciiOnly(text)
    const doubles = doublesApostrophes(entries.map(({ value }) => value))
    const spell = (words: string) => spellValue(words, isAscii)
    const inMessage = (words: string) => spell(words.replaceAll("'", "''"))
    return entries.map(({ key, value, start, end }): Place => {
      const isMessage = doubles && hasArgument(value)
      const inner = value.trim()
      const lead = value.length - value.trimStart().length
      const tail = value.slice(lead + inner.length)
      return {
        id: escapeId(key),
        pieces: isMessage ? messagePieces(inner, spell) : [{ text: inner }],
        start,
        end,
        spell: isMessage ? inMessage : spell,
        // After a blank, a leading = or : would be read as the separator.
        compose: (written) => (/^[=:]/.test(written) ? `\\${written}` : written),
        // Leading blanks would be read as layout.
        around: inner === value ? noEdges : [spell(value.slice(0, lead)).replaceAll(' ', '\\ '), spell(tail)],
      }
    })
  },
})

const noEdges: [string, string] = ['', '']

type Entry = { readonly key: string; readonly value: string; readonly start: number; readonly end: number }

const isBlank = (code: number): boolean => code === 32 || code === 9 || code === 12
const isLineEnd = (code: number): boolean => code === 10 || code === 13

export function scanProperties(text: string): Entry[] {
  const entries: Entry[] = []
  let at = 0
  const skipBlanks = () => {
    while (isBlank(text.charCodeAt(at))) at += 1
  }
  /** Up to an end character or the end of the line; a backslash escapes what follows, also a line end. */
  const readUntil = (ends: (code: number) => boolean): string => {
    let said = ''
    let from = at
    for (;;) {
      const code = text.charCodeAt(at)
      // After the last character the code is NaN.
      if (Number.isNaN(code) || isLineEnd(code) || ends(code)) break
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
    else if (text[at] === '#' || text[at] === '!') while (at < text.length && !isLineEnd(text.charCodeAt(at))) at += 1
    else if (at < text.length) {
      const key = readUntil((code) => code === 0x3d || code === 0x3a || isBlank(code))
      skipBlanks()
      if (text[at] === '=' || text[at] === ':') at += 1
      skipBlanks()
      const start = at
      const value = readUntil(() => false)
      entries.push({ key, value, start, end: at })
    }
  }
  return entries
}

const letters: Record<string, string> = { n: '\n', t: '\t', r: '\r', f: '\f' }

/** What an escape means; an escaped line end means nothing. */
function readEscape(text: string, at: number): { character: string; end: number } {
  const letter = text.charAt(at)
  if (letter === '\r' && text[at + 1] === '\n') return { character: '', end: at + 2 }
  if (letter === '\r' || letter === '\n' || letter === '') return { character: '', end: at + letter.length }
  const hex = letter === 'u' ? text.slice(at + 1, at + 5) : ''
  if (/^[\da-fA-F]{4}$/.test(hex)) return { character: String.fromCharCode(Number.parseInt(hex, 16)), end: at + 5 }
  return { character: letters[letter] ?? letter, end: at + 1 }
}

const hexOf = (unit: number): string => `\\u${unit.toString(16).toUpperCase().padStart(4, '0')}`
/** The escapes of most letters of most alphabets, computed once. */
const escapes = Array.from({ length: 0x3000 }, (_, unit) => hexOf(unit))
const refer = (character: string): string =>
  Array.from({ length: character.length }, (_, at) => hexOf(character.charCodeAt(at))).join('')

const byUnit = new Map([
  [0x5c, '\\\\'],
  ...Object.entries(letters).map(([letter, one]): [number, string] => [one.charCodeAt(0), `\\${letter}`]),
])
const isAsciiOnly = (text: string): boolean => !/[^\0-\x7f]/.test(text)

function spellValue(text: string, isAscii: boolean): string {
  let said = ''
  let from = 0
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at)
    const isPlain = unit < 0x7f ? unit >= 0x20 && unit !== 0x5c : !isAscii && unit > 0x9f
    if (isPlain) continue
    said += text.slice(from, at) + (byUnit.get(unit) ?? escapes[unit] ?? hexOf(unit))
    from = at + 1
  }
  return from === 0 ? text : said + text.slice(from)
}

/** `{0}`, `{1,number}`: an argument of MessageFormat. */
const hasArgument = (value: string): boolean => /\{\d{1,3}[},]/.test(value)

/** A single apostrophe between letters shows that the file is not read by MessageFormat. */
function doublesApostrophes(values: readonly string[]): boolean {
  const messages = values.filter((value) => hasArgument(value) && value.includes("'"))
  return messages.some((value) => value.includes("''")) || !messages.some((value) => /\p{L}'\p{L}/u.test(value))
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
