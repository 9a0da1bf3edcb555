/**
 * Reads a JSON body strictly: UTF-8, bounded depth and number of values, no name twice in one object, no `__proto__`, no
 * text that the stores cannot keep (NUL, half of a surrogate pair). One pass over the bytes and one over the value, both
 * linear. Bodies that may be large are read by large-json.ts.
 */
import { isUtf8 } from 'node:buffer'
import { limits } from '@dragoman/contract'
import { openScan, refuse, scanTo } from './json-scan.ts'

export function readJson(bytes: Buffer, mostValues: number = limits.jsonValues): unknown {
  mustBeUtf8(bytes)
  const scan = openScan(bytes.length)
  scanTo(bytes, scan, bytes.length, mostValues)
  const value = parseJson(bytes.toString('utf8'))
  mustHaveNames(inspect(value, hasEscapes(bytes)), scan.names)
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

/** Every name stands before a colon: fewer names in the value than colons in the text means one stood twice. */
export function mustHaveNames(found: number, written: number): void {
  if (found < written) refuse('an object has the same name twice.')
}

/** Only a character that is written by its number can be a NUL or half of a surrogate pair. */
export const hasEscapes = (bytes: Buffer): boolean => bytes.includes(byNumber)
const byNumber = Buffer.from('\\u')

/** Gives back how many names are in the value. */
export function inspect(value: unknown, escapes: boolean): number {
  if (typeof value === 'string') {
    if (escapes) mustBeText(value)
    return 0
  }
  let names = 0
  if (Array.isArray(value)) for (const item of value) names += inspect(item, escapes)
  else if (typeof value === 'object' && value !== null)
    // What was parsed has no names but its own.
    for (const name in value) {
      if (name === '__proto__') refuse('the name __proto__ is not allowed.')
      if (escapes) mustBeText(name)
      names += 1 + inspect((value as Record<string, unknown>)[name], escapes)
    }
  return names
}

function mustBeText(text: string): void {
  if (text.includes('\0')) refuse('a text holds the character NUL, which is not allowed.')
  if (!text.isWellFormed()) refuse('a text holds half of a surrogate pair, which is not a character.')
}
