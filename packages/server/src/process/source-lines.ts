/**
 * Stacks that name lines of the sources: a hub runs from a bundle (scripts/build-server.mjs). The
 * source maps are read when a stack is logged: a hub that reads them at its start takes longer and
 * needs more memory.
 */
import { readFileSync } from 'node:fs'
import { LRUCache } from 'lru-cache'

type SourceMap = { readonly sources: readonly string[]; readonly mappings: string }
/** Counted from 0. */
type SourcePlace = { readonly line: number; readonly column: number }
type Original = SourcePlace & { readonly source: number }

const folder = import.meta.url.replace(/[^/]*$/, '')
/** Where the bundle is in the repository: its sources are named from the root of that. */
const bundle = 'file:///packages/server/dist/bundle/'
const frame = /(file:[^\s()]{1,1000}\/)([\w-]{1,100}\.js):(\d{1,9}):(\d{1,9})/g

/** What is said for a place in the bundle: the same errors come again and again. */
const known = new LRUCache<string, string>({ max: 2_000 })

export function sourceLines(stack: string): string {
  const places = new Map<string, Map<string, SourcePlace>>()
  for (const [text, at, file = '', line, column] of stack.matchAll(frame)) {
    if (at !== folder || known.has(text)) continue
    const ofFile = places.get(file) ?? new Map<string, SourcePlace>()
    places.set(file, ofFile.set(text, { line: Number(line) - 1, column: Number(column) - 1 }))
  }
  for (const [file, ofFile] of places) learn(file, ofFile)
  return stack.replace(frame, (text) => known.get(text) ?? text)
}

function learn(file: string, places: ReadonlyMap<string, SourcePlace>): void {
  const map = readMap(file)
  const found = map ? originalsOf(map.mappings, [...places.values()]) : []
  for (const [at, text] of [...places.keys()].entries()) {
    const original = found[at]
    const source = original && map?.sources[original.source]
    const said =
      source &&
      `${new URL(source, bundle).pathname.slice(1)}:${original.line + 1}:${original.column + 1}`
    known.set(text, said ?? text)
  }
}

function readMap(file: string): SourceMap | undefined {
  try {
    return JSON.parse(readFileSync(new URL(`${file}.map`, folder), 'utf8')) as SourceMap
  } catch {
    return undefined
  }
}

const digits = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'
const digitOf = new Uint8Array(128)
for (let at = 0; at < digits.length; at += 1) digitOf[digits.charCodeAt(at)] = at
const comma = 0x2c
const semicolon = 0x3b

/**
 * For each place the last mapping of its line at or before its column. A large file has 200,000
 * mappings, each the difference to the one before: one pass reads them for all places, without an
 * object for each.
 */
export function originalsOf(
  mappings: string,
  places: readonly SourcePlace[],
): (Original | undefined)[] {
  const found = places.map((): Original | undefined => undefined)
  const atLine = new Map<number, number[]>()
  for (const [index, place] of places.entries()) {
    const others = atLine.get(place.line)
    if (others) others.push(index)
    else atLine.set(place.line, [index])
  }
  // Column in the file; then source, line, column and name.
  const sums = new Int32Array(5)
  let line = 0
  let field = 0
  let value = 0
  let shift = 0
  for (let at = 0; at <= mappings.length; at += 1) {
    const code = at < mappings.length ? mappings.charCodeAt(at) : semicolon
    if (code !== comma && code !== semicolon) {
      const digit = digitOf[code] as number
      value |= (digit & 31) << shift
      shift += 5
      if (digit & 32) continue
      sums[field] = (sums[field] as number) + (value & 1 ? -(value >> 1) : value >> 1)
      field += 1
      value = 0
      shift = 0
      continue
    }
    const here = field > 0 && atLine.get(line)
    if (here) {
      const [from = 0, source = 0, sourceLine = 0, column = 0] = sums
      for (const index of here)
        if (from <= (places[index] as SourcePlace).column)
          found[index] = field > 1 ? { source, line: sourceLine, column } : undefined
    }
    field = 0
    if (code === comma) continue
    line += 1
    sums[0] = 0
  }
  return found
}
