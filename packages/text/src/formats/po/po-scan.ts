/**
 * The entries of a gettext catalogue, with the offsets of their strings. Obsolete entries (`#~`)
 * are skipped like comments.
 */

import { isOrdinary } from '../../placeholders/letters.ts'
import { FormatError } from '../format-error.ts'
import { lineNumber } from '../lines.ts'

/** Adjacent strings, which are one value. */
export type PoText = {
  readonly value: string
  /** The range reaches from the first quote to after the last. */
  readonly start: number
  readonly end: number
  /** Whether it is written in several strings. */
  readonly wraps: boolean
}
export type PoEntry = {
  context?: PoText
  id?: PoText
  plural?: PoText
  /** By the number of the plural form; 0 without a plural. */
  readonly forms: PoText[]
  /** Where the keyword of the first form begins. */
  formsStart: number
  /** Flags (`#,`) and previous texts (`#|`), with their line ends. */
  readonly flags: { readonly start: number; readonly end: number }[]
  readonly previous: { readonly start: number; readonly end: number }[]
  /** Comments of translators (`# `) and of programmers (`#.`). */
  readonly comments: { readonly start: number; readonly end: number }[]
}

const blank = (code: number): boolean => code === 32 || (code >= 9 && code <= 13)
const keyword = /(msgctxt|msgid_plural|msgid|msgstr|domain)(?:\[(\d{1,2})\])?/y

export function* scanPo(text: string): Generator<PoEntry> {
  let entry = newEntry()
  let at = 0
  while (at < text.length) {
    if (blank(text.charCodeAt(at))) {
      at += 1
      continue
    }
    if (text[at] === '#') {
      const end = endOfLine(text, at)
      if (entry.forms.length > 0) {
        yield entry
        entry = newEntry()
      }
      if (text[at + 1] === ',') entry.flags.push({ start: at, end })
      else if (text[at + 1] === '|') entry.previous.push({ start: at, end })
      else if (text[at + 1] === '.' || text[at + 1] === ' ') entry.comments.push({ start: at, end })
      at = end
      continue
    }
    keyword.lastIndex = at
    const found = keyword.exec(text)
    if (!found) throw malformed(text, at, 'a keyword such as msgid is expected')
    const [whole, word = '', number] = found
    const value = readStrings(text, at + whole.length)
    if (word !== 'msgstr' && entry.forms.length > 0) {
      yield entry
      entry = newEntry()
    }
    addValue(text, entry, { word, number, at }, value)
    at = value.end
  }
  if (entry.id && entry.forms.length === 0)
    throw malformed(text, entry.id.start, 'a msgid has no msgstr')
  if (entry.id) yield entry
}

const newEntry = (): PoEntry => ({
  forms: [],
  formsStart: 0,
  flags: [],
  previous: [],
  comments: [],
})

type Keyword = { readonly word: string; readonly number: string | undefined; readonly at: number }

function addValue(
  text: string,
  entry: PoEntry,
  { word, number, at }: Keyword,
  value: PoText,
): void {
  const key =
    word === 'msgctxt'
      ? 'context'
      : word === 'msgid'
        ? 'id'
        : word === 'msgid_plural'
          ? 'plural'
          : undefined
  if (key) {
    if (entry[key] || (key !== 'context') !== (entry.id !== undefined || key === 'id'))
      throw malformed(text, at, `${word} does not belong here`)
    entry[key] = value
  } else if (word === 'msgstr') {
    const isNext =
      Number(number ?? 0) === entry.forms.length &&
      (number !== undefined) === (entry.plural !== undefined)
    if (!entry.id || !isNext)
      throw malformed(text, at, 'msgstr does not belong here or has the wrong number')
    if (entry.forms.length === 0) entry.formsStart = at
    entry.forms.push(value)
  }
}

function readStrings(text: string, from: number): PoText {
  const values: string[] = []
  let [start, end] = [-1, from]
  for (let at = from; ; at = end) {
    while (blank(text.charCodeAt(at))) at += 1
    if (text[at] !== '"') break
    if (start < 0) start = at
    end = endOfString(text, at) + 1
    values.push(unquote(text.slice(at + 1, end - 1)))
  }
  if (start < 0) throw malformed(text, from, 'a text in quotes is missing')
  return {
    value: values.length === 1 ? (values[0] ?? '') : values.join(''),
    start,
    end,
    wraps: values.length > 1,
  }
}

/** The quote that closes the string; a string ends on its line. */
function endOfString(text: string, from: number): number {
  for (let at = from + 1; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === 0x22) return at
    if (code === 0x5c) at += 1
    else if (code === 10 || code === 13) break
  }
  throw malformed(text, from, 'a text in quotes does not end on its line')
}

export function endOfLine(text: string, from: number): number {
  let at = from
  for (; at < text.length; at += 1) {
    const code = text.charCodeAt(at)
    if (code === 10 || code === 13) break
  }
  if (text[at] === '\r' && text[at + 1] === '\n') return at + 2
  return Math.min(at + 1, text.length)
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
        /\\(?:x([\da-fA-F]{1,2})|([0-7]{1,3})|(.))/gs,
        (_, hex?: string, octal?: string, letter = '') => {
          if (hex) return String.fromCharCode(Number.parseInt(hex, 16))
          return octal
            ? String.fromCharCode(Number.parseInt(octal, 8) & 0xff)
            : (letters[letter] ?? letter)
        },
      )
    : raw

const byCharacter = new Map(
  Object.entries(letters).map(([letter, character]) => [character, `\\${letter}`]),
)

/** Escapes a text for a catalogue. */
export const spellPo = (text: string): string => (isOrdinary(text) ? text : escapeAll(text))

const escapeAll = (text: string): string =>
  text.replace(/["\\\p{Cc}]/gu, (character) => byCharacter.get(character) ?? escapeOther(character))

const escapeOther = (character: string): string =>
  character === '"' || character === '\\'
    ? `\\${character}`
    : character > '\x7f'
      ? character
      : `\\${character.charCodeAt(0).toString(8).padStart(3, '0')}`

export function malformed(text: string, at: number, why: string): FormatError {
  return new FormatError(
    'MALFORMED',
    `The PO file is not well-formed: ${why} (line ${lineNumber(text, at)}).`,
  )
}
