/**
 * Pseudo-translation: accents every ASCII letter, lengthens text by about a third and preserves
 * everything a program reads. Deterministic: the same file always gives the same bytes.
 */
import type { FormatOptions } from '@dragoman/contract/wire'
import type { Format, Translate } from '../formats/format.ts'
import { hasLetter, isBlank } from '../placeholders/letters.ts'
import { cutRuns } from '../placeholders/markers.ts'
import type { Part, TextPart } from '../placeholders/part.ts'
import { buildParts } from '../placeholders/parts.ts'

const plain = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ'
const accented = 'áḃçďéḟĝĥíĵķļḿñóṕɋŕšţúṽŵẋýžÁḂÇĎÉḞĜĤÍĴĶĻḾÑÓṔɊŔŠŢÚṼŴẊÝŽ'
const accents = new Map([...plain].map((letter, at) => [letter, accented.charAt(at)]))
/** The code unit that each ASCII character becomes. */
const ascii = Uint16Array.from({ length: 128 }, (_, code) => {
  const character = String.fromCharCode(code)
  return (accents.get(character) ?? character).charCodeAt(0)
})
/**
 * Texts are built here, in UTF-16: appending characters to a string would make an object for each.
 */
const scratch = Buffer.alloc(8_192)

const accent = (text: string): string => accentPadded(text, text.length, '')

/** Adds more text after the first `until` characters. */
function accentPadded(text: string, until: number, pad: string): string {
  if (text.length + pad.length > scratch.length / 2)
    return accentLong(text.slice(0, until) + pad + text.slice(until))
  let to = 0
  const put = (source: string, from: number, end: number): void => {
    for (let at = from; at < end; at += 1) {
      const code = source.charCodeAt(at)
      const unit = ascii[code] ?? code
      scratch[to] = unit & 0xff
      scratch[to + 1] = unit >> 8
      to += 2
    }
  }
  put(text, 0, until)
  put(pad, 0, pad.length)
  put(text, until, text.length)
  return scratch.toString('utf16le', 0, to)
}

function accentLong(text: string): string {
  let said = ''
  const step = scratch.length / 2
  for (let from = 0; from < text.length; from += step) said += accent(text.slice(from, from + step))
  return said
}

/** Words of common lengths, so that the padding wraps like real text. */
const padding = accent(' one two three four five six seven eight nine ten')

const growth = { usual: 0.3, least: 0.2, most: 0.5, shortText: 10 } as const

/** Pseudo-translates the parts of a segment. Each branch of an ICU message grows on its own. */
export function pseudoText(parts: readonly Part[]): readonly Part[] {
  const only = parts[0]
  if (parts.length === 1 && only?.type === 'text')
    return hasLetter(only.text) ? [pseudoLast(only.text, sizeOf(only.text) * growth.usual)] : parts
  if (!parts.some((part) => part.type === 'code' && part.kind === 'icu')) return pseudoRun(parts)
  return cutRuns(parts, 'icu').flatMap((run) => (run.isSent ? pseudoRun(run.parts) : run.parts))
}

/** Numbers and punctuation have no letters to accent and do not grow. */
const hasLetters = (parts: readonly Part[]): boolean =>
  parts.some((part) => part.type === 'text' && hasLetter(part.text))

/** The padding goes before the blanks at the end. */
function pseudoLast(text: string, growth: number): TextPart {
  return {
    type: 'text',
    text: accentPadded(text, text.trimEnd().length, padOf(Math.round(growth))),
  }
}

function pseudoRun(parts: readonly Part[]): readonly Part[] {
  if (!hasLetters(parts)) return parts
  const last = parts.findLastIndex((part) => part.type === 'text' && !isBlank(part.text))
  return parts.map((part, at) => {
    if (part.type === 'code') return part
    return at === last
      ? pseudoLast(part.text, growBy(parts))
      : { type: 'text', text: accent(part.text) }
  })
}

/**
 * Grows by a third of the text. If codes make up much of it, by a little more, so that the whole
 * grows too: contract.md 11 promises a factor of 1.15 to 1.6 for more than ten characters.
 */
function growBy(parts: readonly Part[]): number {
  let [textSize, shown, whole] = [0, 0, 0]
  for (const part of parts) {
    const size = sizeOf(part.type === 'text' ? part.text : part.raw)
    whole += size
    if (part.type === 'text') textSize += size
    if (part.type === 'text' || !part.kind.startsWith('tag')) shown += size
  }
  const enough =
    textSize > growth.shortText
      ? Math.min(growth.least * whole, growth.most * textSize)
      : growth.least * shown
  return Math.max(growth.usual * textSize, enough)
}

/**
 * Halfway between characters and code units, so that either way of counting sees the promised
 * growth.
 */
const sizeOf = (text: string): number => {
  let size = text.length
  for (let at = 0; at < text.length; at += 1)
    if ((text.charCodeAt(at) & 0xfc00) === 0xd800) size -= 0.5
  return size
}

function padOf(length: number): string {
  if (length < 3) return accent('on').slice(0, length)
  const words =
    length > padding.length ? padding.repeat(Math.ceil(length / padding.length)) : padding
  return words[length - 1] === ' '
    ? words.slice(0, length - 1) + accents.get('o')
    : words.slice(0, length)
}

/** Pseudo-translates every segment of a file. */
export const pseudoFile = (
  format: Format,
  bytes: Uint8Array,
  targetLanguage: string,
  options?: FormatOptions,
): Uint8Array => format.rewrite(bytes, pseudoSegment, { targetLanguage }, options).bytes

export const pseudoSegment: Translate = ({ parts, held }) => (held ? undefined : pseudoText(parts))

/** Pseudo-translates a single text, such as the value of a field. */
export function pseudoString(text: string): string {
  const parts = buildParts([{ text }], (same) => same, { newlines: true })
  return pseudoText(parts)
    .map((part) => (part.type === 'text' ? part.text : part.raw))
    .join('')
}
