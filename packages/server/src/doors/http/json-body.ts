/**
 * Reads a JSON body strictly: UTF-8, bounded depth and number of values, no name twice in one object, no `__proto__`, no
 * number or text that cannot be kept (unkept-values.ts). One pass over the bytes and one over the value, both linear. Bodies
 * that may be large are read by large-json.ts.
 */
import { isUtf8 } from 'node:buffer'
import { limits } from '@dragoman/contract'
import { openScan, refuse, scanTo } from './json-scan.ts'
import { isKept, isKeptText, refuseUnkept } from './unkept-values.ts'

export function readJson(bytes: Buffer, mostValues: number = limits.jsonValues): unknown {
  mustBeUtf8(bytes)
  const scan = openScan(bytes.length)
  scanTo(bytes, scan, bytes.length, mostValues)
  const value = parseJson(bytes.toString('utf8'))
  const seen = { escapes: hasEscapes(bytes), names: 0, unkept: false }
  inspect(value, seen)
  mustBeWhole(value, seen, scan.names)
  return value
}

export function mustBeUtf8(bytes: Buffer): void {
  if (!isUtf8(bytes)) refuse('it is not UTF-8.')
}

/** `from` is where in the body the text begins. */
export function parseJson(text: string, from = 0): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    const where = from > 0 ? `, counted from its byte ${from}` : ''
    return refuse(`it is not JSON: ${(error as Error).message}${where}.`)
  }
}

/** What was seen on the way through a body. */
export type Seen = { readonly escapes: boolean; names: number; unkept: boolean }

/** Every name stands before a colon: fewer names in the value than colons in the text means one stood twice. */
export function mustBeWhole(value: unknown, { names, unkept }: Seen, written: number): void {
  if (names < written) refuse('an object has the same name twice.')
  if (unkept) refuseUnkept(value)
}

/** Only a character that is written by its number can be a NUL or half of a surrogate pair. */
export const hasEscapes = (bytes: Buffer): boolean => bytes.includes(byNumber)
const byNumber = Buffer.from('\\u')

export function inspect(value: unknown, seen: Seen): void {
  if (typeof value !== 'object' || value === null) {
    if (!isKept(value, seen.escapes)) seen.unkept = true
  } else if (Array.isArray(value)) for (const item of value) inspect(item, seen)
  // What was parsed has no names but its own.
  else
    for (const name in value) {
      if (name === '__proto__') refuse('the name __proto__ is not allowed.')
      if (seen.escapes && !isKeptText(name)) seen.unkept = true
      seen.names += 1
      inspect((value as Record<string, unknown>)[name], seen)
    }
}
