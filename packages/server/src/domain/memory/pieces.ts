/**
 * The pigeonhole filter (decision 0023). A unit of m tokens is cut into one piece more than the edits that a match may need;
 * an edit spoils at most one piece, so a match keeps the others whole. The posting table knows units by their pieces, the
 * length of the unit and the place of the piece included; a query asks for every place where a piece could stand in it. Most of
 * what only shares a frequent piece is told by its signature, before its text is read.
 */
import { mix } from './tokens.ts'

/** Below it nothing is a match. */
export const leastPercent = 75
/** A longer text is held against texts of the same tokens only. */
export const mostTokens = 100
const longestUnit = Math.floor((mostTokens * 4) / 3)
/** The edits that a pair of texts may be apart: three quarters of the longer one must be kept. */
export const editsAllowed = (longer: number): number => Math.floor(longer / 4)

/** Of units that are cut at all, that is of three tokens and more. */
const longestPiece = 3
const piecesOf = (length: number): number => Math.floor(length / 3) + 1

/** Where piece number `at` begins; the longer ones stand last, where the point that ends most texts says little. */
function startOf(length: number, count: number, at: number): number {
  const size = Math.floor(length / count)
  const longer = length - size * count
  return at * size + Math.max(0, at - (count - longer))
}

/** Two hashes of the tokens of a piece, from which its keys in units of every length are made. */
function hashTokens(tokens: readonly number[], from: number, to: number): [one: number, other: number] {
  let one = to - from
  let other = ~one
  for (let at = from; at < to; at++) {
    const token = tokens[at] ?? 0
    one = mix(Math.imul(one, 31) ^ token)
    other = mix(Math.imul(other, 33) + token)
  }
  return [one, other]
}

/** 52 bits: of the length of the unit, the number of the piece, and its tokens. */
function keyOf(length: number, at: number, [one, other]: readonly [number, number]): number {
  const place = mix(length * 4096 + at + 1)
  return (mix(one ^ place) >>> 0) * 0x100000 + (mix(other + place) & 0xfffff)
}

const whole = -1
const wholeKey = (tokens: readonly number[]): number =>
  keyOf(tokens.length, whole, hashTokens(tokens, 0, tokens.length))

/** Under what keys a unit stands in the posting table; the first is that of all its tokens. */
export function unitKeys(tokens: readonly number[]): number[] {
  const { length } = tokens
  const count = piecesOf(length)
  const keys = [wholeKey(tokens)]
  if (count > 1 && length <= longestUnit)
    for (let at = 0; at < count; at++)
      keys.push(keyOf(length, at, hashTokens(tokens, startOf(length, count, at), startOf(length, count, at + 1))))
  return keys
}

/**
 * Calls `ask` with every key to look for, some perhaps twice, and with the edits that units under it may be apart. `common` says
 * of each token how often it is met, roughly: of the pieces of a length the rarest are asked for. No answer follows from it.
 */
export function eachProbe(
  tokens: readonly number[],
  common: readonly number[],
  ask: (key: number, edits: number) => void,
): void {
  const { length } = tokens
  ask(wholeKey(tokens), 0)
  if (length > mostTokens) return
  const parts = partsOf(tokens, common)
  for (let other = Math.ceil((length * 3) / 4); other <= Math.floor((length * 4) / 3); other++) {
    const edits = editsAllowed(Math.max(length, other))
    if (edits === 0) continue
    const count = piecesOf(other)
    const apart = length - other
    const pieces = Array.from({ length: count }, (_, at) => {
      const from = startOf(other, count, at)
      const size = startOf(other, count, at + 1) - from
      // What stands before the piece and what stands behind it cost at least as many edits as their lengths differ.
      const first = Math.max(0, from - Math.floor((edits - apart) / 2))
      const last = Math.min(length - size, from + Math.floor((edits + apart) / 2))
      const places = parts[size]?.slice(first, last + 1) ?? []
      return { at, places, common: places.reduce((sum, part) => sum + part.common, 0) }
    })
    // One more than can be spoiled.
    if (count > edits + 1) pieces.sort((one, two) => one.common - two.common)
    for (let rank = 0; rank <= edits; rank++) {
      const piece = pieces[rank]
      if (piece) for (const { hash } of piece.places) ask(keyOf(other, piece.at, hash), edits)
    }
  }
}

type QueryPart = { readonly hash: readonly [number, number]; readonly common: number }

/** Every stretch of the query that may be a piece, by its size and its place. */
function partsOf(tokens: readonly number[], common: readonly number[]): QueryPart[][] {
  return Array.from({ length: longestPiece + 1 }, (_, size) =>
    Array.from({ length: Math.max(0, tokens.length - size + 1) }, (_, from) => ({
      hash: hashTokens(tokens, from, from + size),
      common: common.slice(from, from + size).reduce((product, one) => product * one, 1),
    })),
  )
}

/** Bits of a signature in each of its two halves: numbers are exact to 53 bits, and bits are counted in 32. */
const halfBits = 26
const half = 2 ** halfBits

/** A bit for each token, several perhaps sharing one. */
export function signatureOf(tokens: readonly number[]): number {
  let low = 0
  let high = 0
  for (const token of tokens) {
    const bit = (token >>> 0) % (2 * halfBits)
    if (bit < halfBits) low |= 1 << bit
    else high |= 1 << (bit - halfBits)
  }
  return high * half + low
}

/** The least edits between two texts of these signatures: each token that only one of them has costs one. */
export function leastEdits(one: number, other: number): number {
  const [high, otherHigh] = [Math.floor(one / half), Math.floor(other / half)]
  const [low, otherLow] = [one % half, other % half]
  return Math.max(
    countBits(low & ~otherLow) + countBits(high & ~otherHigh),
    countBits(otherLow & ~low) + countBits(otherHigh & ~high),
  )
}

function countBits(bits: number): number {
  let left = bits - ((bits >>> 1) & 0x55555555)
  left = (left & 0x33333333) + ((left >>> 2) & 0x33333333)
  return Math.imul((left + (left >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24
}
