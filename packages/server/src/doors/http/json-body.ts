/**
 * Reads a JSON body strictly: UTF-8, bounded depth and number of values, no duplicate names in an
 * object, no `__proto__`, no number or text that cannot be stored (unstorable-values.ts). One pass over
 * the bytes and one over the value, both linear. large-json.ts reads bodies that may be large.
 */
import { isUtf8 } from 'node:buffer'
import { limits } from '@dragoman/contract'
import { openScan, refuse, scanTo } from './body-scan.ts'
import {
  isStorable,
  isStorableText,
  mustKeepIntegers,
  refuseUnstorable,
} from './unstorable-values.ts'

export function readJson(bytes: Buffer, maxValues: number = limits.jsonValues): unknown {
  mustBeUtf8(bytes)
  const scan = openScan(bytes.length)
  scanTo(bytes, scan, bytes.length, maxValues)
  const value = parseJson(bytes.toString('utf8'))
  const seen = { escapes: hasEscapes(bytes), names: 0, isUnstorable: false }
  inspect(value, seen)
  mustBeWhole(value, seen, scan.names)
  return value
}

export function mustBeUtf8(bytes: Buffer): void {
  if (!isUtf8(bytes)) refuse('it is not UTF-8.')
}

/** `from` is the offset of the text in the body. */
export function parseJson(text: string, from = 0): unknown {
  const value = parse(text, from)
  if (/\d{16}/.test(text)) mustKeepIntegers(text)
  return value
}

function parse(text: string, from: number): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    const where = from > 0 ? `, counted from its byte ${from}` : ''
    return refuse(`it is not JSON: ${(error as Error).message}${where}.`)
  }
}

/** What the pass over a body found. */
export type Seen = { readonly escapes: boolean; names: number; isUnstorable: boolean }

/**
 * Each name is followed by a colon: fewer names in the value than colons in the text means a
 * duplicate.
 */
export function mustBeWhole(value: unknown, { names, isUnstorable }: Seen, written: number): void {
  if (names < written) refuse('an object has the same key twice.')
  if (isUnstorable) refuseUnstorable(value)
}

/** Only a `\u` escape can produce a NUL or a lone surrogate. */
export const hasEscapes = (bytes: Buffer): boolean => bytes.includes(byNumber)
const byNumber = Buffer.from('\\u')

export function inspect(value: unknown, seen: Seen): void {
  if (typeof value !== 'object' || value === null) {
    if (!isStorable(value, seen.escapes)) seen.isUnstorable = true
  } else if (Array.isArray(value)) for (const item of value) inspect(item, seen)
  // Parsed objects have only own names.
  else
    for (const name in value) {
      if (name === '__proto__') refuse('the key __proto__ is not allowed.')
      if (seen.escapes && !isStorableText(name)) seen.isUnstorable = true
      seen.names += 1
      inspect((value as Record<string, unknown>)[name], seen)
    }
}
