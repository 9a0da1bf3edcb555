/**
 * Scans the bytes of a JSON text without building anything: it counts, refuses text that is too
 * deep, too long or has too many values before a parser sees it, and records where a long text can
 * be split. It can stop anywhere and resume. The parser decides whether the text is valid JSON.
 */
import { HubError, limits } from '@dragoman/contract'

/** An object or list longer than a slice. */
export type Large = {
  readonly start: number
  readonly end: number
  /**
   * Commas between its members. A member that is itself large stands alone between two of them, or
   * at an end.
   */
  readonly cuts: readonly number[]
  /** The large members, in order. */
  readonly inner: readonly Large[]
}
/** An object or list that is still open. */
type Level = {
  start: number
  commas: number
  lastComma: number
  /** Start of the current slice. */
  sliceFrom: number
  /** Undefined until there is one: most have none. */
  cuts: number[] | undefined
  inner: Large[] | undefined
}
export type Scan = {
  at: number
  /** Start of the string in which the scan stopped; -1 outside a string. */
  textFrom: number
  depth: number
  values: number
  /** Counted by colons. */
  names: number
  readonly levels: Level[]
  /** Number of bytes to parse at once. */
  readonly slice: number
}

const newLevel = (): Level => ({
  start: 0,
  commas: 0,
  lastComma: 0,
  sliceFrom: 0,
  cuts: undefined,
  inner: undefined,
})

export const openScan = (slice: number): Scan => ({
  at: 0,
  textFrom: -1,
  depth: 0,
  values: 1,
  names: 0,
  levels: [newLevel()],
  slice,
})

const quote = 0x22
const backslash = 0x5c
/** The bytes that matter outside strings; all others are 0. */
const marks = { text: 1, comma: 2, colon: 3, open: 4, close: 5 } as const
const kinds = new Uint8Array(256)
for (const [letters, kind] of [
  ['"', marks.text],
  [',', marks.comma],
  [':', marks.colon],
  ['[{', marks.open],
  [']}', marks.close],
] as const)
  for (const letter of letters) kinds[letter.charCodeAt(0)] = kind

/** Scans up to the byte `until`. Counts in local variables, because every byte pays for it. */
export function scanTo(bytes: Buffer, scan: Scan, until: number, maxValues: number): void {
  let { at, textFrom, names } = scan
  let level = scan.levels[scan.depth] as Level
  while (at < until) {
    if (textFrom >= 0) {
      at = nextQuote(bytes, at)
      if (isEscaped(bytes, at)) {
        at += 1
        continue
      }
      if (at === bytes.length) break
      if (at - textFrom > limits.jsonTextBytes)
        refuse(`one of its strings has more than ${limits.jsonTextBytes} bytes.`)
      textFrom = -1
      at += 1
    }
    let kind = 0
    while (at < until && kind === 0) {
      kind = kinds[bytes[at] as number] as number
      at += 1
    }
    if (kind === marks.text) textFrom = at
    else if (kind === marks.colon) names += 1
    else if (kind === marks.comma) separate(scan, level, at - 1, maxValues)
    else if (kind === marks.open) level = open(scan, at - 1, maxValues)
    else if (kind === marks.close) level = close(scan, at - 1)
  }
  scan.at = at
  scan.textFrom = textFrom
  scan.names = names
}

function nextQuote(bytes: Buffer, from: number): number {
  const at = bytes.indexOf(quote, from)
  return at < 0 ? bytes.length : at
}

function isEscaped(bytes: Buffer, at: number): boolean {
  let slashes = 0
  while (bytes[at - 1 - slashes] === backslash) slashes += 1
  return slashes % 2 === 1
}

function separate(scan: Scan, level: Level, at: number, maxValues: number): void {
  level.commas += 1
  if (level.commas >= limits.jsonItems)
    refuse(`an array or an object in it has more than ${limits.jsonItems} members.`)
  countValue(scan, maxValues)
  if (at - level.sliceFrom >= scan.slice) cut(level, at)
  level.lastComma = at
}

function cut(level: Level, at: number): void {
  level.cuts ??= []
  level.cuts.push(at)
  level.sliceFrom = at
}

function open(scan: Scan, at: number, maxValues: number): Level {
  scan.depth += 1
  if (scan.depth > limits.jsonDepth)
    refuse(`it is nested more than ${limits.jsonDepth} levels deep.`)
  countValue(scan, maxValues)
  const level = scan.levels[scan.depth] ?? newLevel()
  scan.levels[scan.depth] = level
  level.start = at
  level.commas = 0
  level.lastComma = at
  level.sliceFrom = at
  return level
}

/** A comma adds one value, and so does an opening bracket: its first member. */
function countValue(scan: Scan, maxValues: number): void {
  scan.values += 1
  if (scan.values > maxValues)
    refuse(`it contains more than ${maxValues} values; send them in several calls.`)
}

function close(scan: Scan, at: number): Level {
  if (scan.depth === 0) refuse('it is not JSON: it closes a bracket that was not opened.')
  const level = scan.levels[scan.depth] as Level
  scan.depth -= 1
  const outer = scan.levels[scan.depth] as Level
  if (at - level.start > scan.slice) {
    const { start, cuts = [], inner = [] } = level
    outer.inner ??= []
    outer.inner.push({ start, end: at, cuts, inner })
    if (outer.sliceFrom >= 0 && outer.lastComma > outer.sliceFrom) cut(outer, outer.lastComma)
    // The next comma ends the slice that holds only this member.
    outer.sliceFrom = Number.NEGATIVE_INFINITY
    level.cuts = undefined
    level.inner = undefined
  }
  return outer
}

export function refuse(because: string): never {
  throw new HubError('INVALID_REQUEST', { because })
}
