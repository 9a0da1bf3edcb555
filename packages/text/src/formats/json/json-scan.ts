/**
 * Reads the strings of a JSON document with their offsets, and escapes texts. No depth overflows
 * the stack.
 */
import { createScanner, type JSONScanner } from 'jsonc-parser'
import { respell } from '../../placeholders/respell.ts'
import { mustFitNesting } from '../bounds.ts'
import { escapeId, type SegmentPlace } from '../define-format.ts'
import { FormatError } from '../format-error.ts'

/** The token numbers of jsonc-parser, whose own names are compile-time only. */
const token = {
  openBrace: 1,
  closeBrace: 2,
  openBracket: 3,
  closeBracket: 4,
  comma: 5,
  colon: 6,
  string: 10,
  end: 17,
} as const
/** null, true, false, a number. */
const literals: ReadonlySet<number> = new Set([7, 8, 9, 11])
/** Comments, line ends and blanks. */
const trivia: ReadonlySet<number> = new Set([12, 13, 14, 15])

type Level = { readonly path: string; readonly isArray: boolean; index: number }
export type Report = (id: string, from: number, to: number) => void
/** Optional callbacks for keys, objects and other values. */
export type Shape = {
  readonly key?: (path: string, at: number) => void
  readonly open?: (path: string, at: number) => void
  readonly close?: (path: string, end: number) => void
  readonly literal?: (path: string, from: number, to: number) => void
}

/** Not recursive, so that no depth overflows the stack. */
export function readDocument(text: string, report: Report, shape: Shape = {}): void {
  const scanner = createScanner(text, false)
  const levels: Level[] = []
  let kind = nextToken(scanner)
  const pass = (wanted: number): boolean => {
    if (kind !== wanted) return false
    kind = nextToken(scanner)
    return true
  }
  const must = (wanted: number, name: string): void => {
    if (!pass(wanted)) throw malformed(scanner, `${name} is missing`)
  }
  /** Reads the key, if there is one, and returns the id of the value that follows. */
  const step = (): string => {
    const level = levels.at(-1)
    if (!level) return '#'
    if (level.isArray) return `${level.path}/${level.index++}`
    const key = kind === token.string ? scanner.getTokenValue() : ''
    const at = scanner.getTokenOffset()
    must(token.string, 'a key')
    must(token.colon, 'a colon')
    const path = `${level.path}/${escapeId(key)}`
    shape.key?.(path, at)
    return path
  }
  const closes = (level: Level): boolean => {
    const end = scanner.getTokenOffset() + 1
    if (!pass(level.isArray ? token.closeBracket : token.closeBrace)) return false
    shape.close?.(level.path, end)
    return true
  }

  do {
    const path = step()
    const opens = kind === token.openBrace || kind === token.openBracket
    if (opens) {
      levels.push({ path, isArray: kind === token.openBracket, index: 0 })
      shape.open?.(path, scanner.getTokenOffset())
      mustFitNesting(levels.length)
    } else if (kind === token.string)
      report(
        path,
        scanner.getTokenOffset() + 1,
        scanner.getTokenOffset() + scanner.getTokenLength() - 1,
      )
    else if (!literals.has(kind)) throw malformed(scanner, 'a value is missing')
    else
      shape.literal?.(
        path,
        scanner.getTokenOffset(),
        scanner.getTokenOffset() + scanner.getTokenLength(),
      )
    kind = nextToken(scanner)
    let top = levels.at(-1)
    let open = opens
    for (; top; top = levels.at(-1)) {
      if (!closes(top)) {
        if (open) break
        must(token.comma, 'a comma')
        if (!closes(top)) break
      }
      levels.pop()
      open = false
    }
  } while (levels.length > 0)
  if (kind !== token.end) throw malformed(scanner, 'something follows after the end')
}

function nextToken(scanner: JSONScanner): number {
  let kind: number = scanner.scan()
  while (trivia.has(kind)) kind = scanner.scan()
  if (scanner.getTokenError() !== 0) throw malformed(scanner, 'a token is broken')
  return kind
}

function malformed(scanner: JSONScanner, why: string): FormatError {
  const [line, column] = [scanner.getTokenStartLine() + 1, scanner.getTokenStartCharacter() + 1]
  return new FormatError(
    'MALFORMED',
    `The JSON is not well-formed: ${why} at line ${line}, column ${column}.`,
  )
}

const escapes = /\\(?:u([\da-fA-F]{4})|(.))/g
const short: Record<string, string> = { b: '\b', f: '\f', n: '\n', r: '\r', t: '\t' }

export function placeString(
  text: string,
  id: string,
  from: number,
  to: number,
): SegmentPlace | undefined {
  const value = text.slice(from, to)
  const lead = blankUntil(value)
  if (lead === value.length) return undefined
  const raw = trimEnd(value.slice(lead))
  const spelled = new Map<string, string>()
  const inner = raw.replace(escapes, (whole, hex?: string, letter?: string) => {
    const character = hex
      ? String.fromCharCode(Number.parseInt(hex, 16))
      : (short[letter ?? ''] ?? letter ?? '')
    spelled.set(character, whole)
    return character
  })
  const start = from + lead
  return {
    id,
    pieces: [{ text: inner }],
    start,
    end: start + raw.length,
    spell: (words) => spellJson(words, spelled),
  }
}

/** The end of leading blanks, including escaped ones. */
function blankUntil(raw: string): number {
  for (let at = 0; ; at++) {
    if (raw[at] === '\\' && /[nrt]/.test(raw.charAt(at + 1))) at++
    else if (!/\s/.test(raw.charAt(at))) return at
  }
}

/** Trailing blanks, including escaped ones, but not the `n` after an escaped backslash. */
function trimEnd(raw: string): string {
  let end = raw.length
  for (;;) {
    if (/\s/.test(raw.charAt(end - 1))) end--
    else if (/[nrt]/.test(raw.charAt(end - 1)) && backslashes(raw, end - 2) % 2 === 1) end -= 2
    else return raw.slice(0, end)
  }
}

function backslashes(raw: string, last: number): number {
  let at = last
  while (raw[at] === '\\') at--
  return last - at
}

/** Escapes what JSON requires and what the source escapes; nothing else. */
export function spellJson(text: string, spelled: ReadonlyMap<string, string>): string {
  const quote = (unit: string) => JSON.stringify(unit).slice(1, -1)
  return respell(text, spelled, { special: /["\\\p{Cc}\p{Cs}]/gu, spell: quote })
}

/** The quote that closes the key whose opening quote is given. */
export function endOfKey(text: string, quote: number): number {
  let end = quote + 1
  while (text[end] !== '"') end += text[end] === '\\' ? 2 : 1
  return end
}
