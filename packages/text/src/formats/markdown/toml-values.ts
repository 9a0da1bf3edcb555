/**
 * The strings of TOML front matter whose key, or the table around it, is asked for: basic and
 * literal strings of one or many lines, also in arrays. Everything else is skipped; what is not
 * TOML is refused.
 */

import { matchAt } from '../../placeholders/icu.ts'
import type { SegmentPlace } from '../define-format.ts'
import { FormatError } from '../format-error.ts'

export function findTomlValues(
  text: string,
  offset: number,
  keys: ReadonlySet<string>,
): SegmentPlace[] {
  const places: SegmentPlace[] = []
  let isTable = false
  for (let at = skip(text, 0); at < text.length; at = skip(text, at)) {
    const table = matchAt(tableLine, text, at)
    if (table) {
      isTable = namesIn(table[1] ?? '').some((name) => keys.has(name))
      at += table[0].length
      continue
    }
    const key = matchAt(keyBefore, text, at)
    if (!key) throw malformed()
    const isAsked = isTable || namesIn(key[1] ?? '').some((name) => keys.has(name))
    at = readValue(text, at + key[0].length, (start, end) => {
      const place = isAsked ? placeOf(text.slice(start, end), start + offset) : undefined
      if (place) places.push(place)
    })
  }
  return places
}

const part = String.raw`(?:[\w-]{1,128}|"[^"\\\r\n]{0,128}"|'[^'\r\n]{0,128}')`
const dotted = String.raw`${part}(?:[ \t]{0,8}\.[ \t]{0,8}${part}){0,16}`
const tableLine = new RegExp(String.raw`\[{1,2}[ \t]{0,8}(${dotted})[ \t]{0,8}\]{1,2}`, 'y')
const keyBefore = new RegExp(String.raw`(${dotted})[ \t]{0,8}=[ \t]{0,64}`, 'y')

const namesIn = (path: string): string[] =>
  path.split('.').map((name) => name.trim().replace(/^["']|["']$/g, ''))
const malformed = (): FormatError => new FormatError('MALFORMED', 'The front matter is not TOML.')

/** Behind blanks, line ends and comments. */
function skip(text: string, from: number): number {
  let at = from
  for (; at < text.length; at += 1) {
    if (text[at] === '#') at = endOfLine(text, at)
    if (!' \t\r\n'.includes(text.charAt(at))) break
  }
  return at
}

function endOfLine(text: string, from: number): number {
  let at = from
  while (at < text.length && text[at] !== '\n' && text[at] !== '\r') at += 1
  return at
}

/**
 * Reports the strings of a value, with their quotes, and returns its end. Inline tables are not
 * looked into.
 */
function readValue(
  text: string,
  from: number,
  report: (start: number, end: number) => void,
): number {
  let depth = 0
  let isInline = false
  for (let at = from; at < text.length; ) {
    const one = text.charAt(at)
    if (one === '"' || one === "'") {
      const end = endOfString(text, at)
      if (!isInline) report(at, end)
      at = end
    } else if (one === '#') at = endOfLine(text, at)
    else if (depth === 0 && (one === '\n' || one === '\r')) return at
    else {
      if (one === '[' || one === '{') depth += 1
      if (one === ']' || one === '}') depth -= 1
      isInline ||= one === '{'
      at += 1
    }
    if (depth < 0) throw malformed()
  }
  if (depth > 0) throw malformed()
  return text.length
}

function endOfString(text: string, start: number): number {
  const quote = text.charAt(start)
  const isLong = text.startsWith(quote.repeat(3), start)
  const closing = isLong ? quote.repeat(3) : quote
  for (let at = start + closing.length; at < text.length; at += 1) {
    if (text.startsWith(closing, at)) return at + closing.length
    if (quote === '"' && text[at] === '\\') at += 1
    else if (!isLong && (text[at] === '\n' || text[at] === '\r')) break
  }
  throw malformed()
}

const letters: Readonly<Record<string, string>> = { b: '\b', t: '\t', n: '\n', f: '\f', r: '\r' }
const same = (text: string): string => text

/**
 * The quotes are part of the place: a literal string that cannot hold its translation becomes a
 * basic one.
 */
function placeOf(raw: string, start: number): SegmentPlace | undefined {
  const isBasic = raw.startsWith('"')
  const isLong = raw.length > 5 && raw.startsWith(raw.charAt(0).repeat(3))
  const inner = isLong ? raw.slice(3, -3).replace(/^\r?\n/, '') : raw.slice(1, -1)
  const value = isBasic ? resolved(inner) : inner
  if (value.trim() === '') return undefined
  const compose = (written: string): string =>
    !isBasic && !isLong && !/['\p{Cc}]/u.test(written) ? `'${written}'` : basic(written, isLong)
  return { pieces: [{ text: value }], start, end: start + raw.length, spell: same, compose }
}

const resolved = (inner: string): string =>
  inner.replace(
    /\\(?:u([\da-fA-F]{4})|U([\da-fA-F]{8})|([btnfr"\\])|\r?\n\s{0,256})/g,
    (_, short, long, letter) => {
      if (short ?? long)
        return String.fromCodePoint(Math.min(0x10ffff, Number.parseInt(short ?? long, 16)))
      return letter === undefined ? '' : (letters[letter] ?? letter)
    },
  )

function basic(text: string, isLong: boolean): string {
  const escaped = text.replace(/["\\\p{Cc}]/gu, (one) =>
    one === '"' || one === '\\'
      ? `\\${one}`
      : isLong && /[\t\r\n]/.test(one)
        ? one
        : `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
  return isLong ? `"""\n${escaped}"""` : `"${escaped}"`
}
