/**
 * The pigeonhole filter. A unit of m tokens is split into one piece more than the
 * edits a match allows; an edit changes at most one piece, so a match has at least one piece
 * unchanged. The postings index units by piece, with the unit's length and the piece's position; a
 * query looks up every position where a piece could occur. Signatures rule out most units that only
 * share a frequent piece, before their text is read.
 */
import { mix } from './tokens.ts'

/** The minimum percentage of a match. */
export const minPercent = 75
/** A longer text is only compared with texts of the same tokens. */
export const maxTokens = 100
const maxUnitTokens = Math.floor((maxTokens * 4) / 3)
/** The maximum edit distance of a match: three quarters of the longer text must be the same. */
export const editsAllowed = (longer: number): number => Math.floor(longer / 4)

/** For units that are split at all, which have three tokens or more. */
const maxPieceTokens = 3
const piecesOf = (length: number): number => Math.floor(length / 3) + 1

/**
 * Where piece `at` starts. Longer pieces come last, because the full stop that ends most texts
 * carries little information.
 */
function startOf(length: number, count: number, at: number): number {
  const size = Math.floor(length / count)
  const longer = length - size * count
  return at * size + Math.max(0, at - (count - longer))
}

/** Two hashes of a piece's tokens, from which its keys for units of every length are made. */
function hashTokens(
  tokens: readonly number[],
  from: number,
  to: number,
): [one: number, other: number] {
  let one = to - from
  let other = ~one
  for (let at = from; at < to; at++) {
    const token = tokens[at] ?? 0
    one = mix(Math.imul(one, 31) ^ token)
    other = mix(Math.imul(other, 33) + token)
  }
  return [one, other]
}

/**
 * What a text is cut into pieces of: its tokens or, besides, the characters of a short one. Added
 * to its length in keys.
 */
export const pieceKinds = { tokens: 0, characters: 2 ** 19 } as const
export type PieceKind = keyof typeof pieceKinds

/** 52 bits from the unit's length, the piece's number and its tokens. */
function keyOf(length: number, at: number, [one, other]: readonly [number, number]): number {
  const place = mix(length * 4096 + at + 1)
  return (mix(one ^ place) >>> 0) * 0x100000 + (mix(other + place) & 0xfffff)
}

const [whole, twin] = [-1, -2]
const keyOfAll = (tokens: readonly number[], at: number): number =>
  keyOf(tokens.length, at, hashTokens(tokens, 0, tokens.length))
/** The key of all tokens. */
const wholeKey = (tokens: readonly number[]): number => keyOfAll(tokens, whole)
/**
 * Lists the units that are not found themselves, because another one has the same tokens. No
 * look-up asks for it.
 */
export const twinKey = (tokens: readonly number[]): number => keyOfAll(tokens, twin)

/** The keys of a unit's pieces; a short text has none. */
export function pieceKeys(tokens: readonly number[], kind: PieceKind = 'tokens'): number[] {
  const { length } = tokens
  const count = piecesOf(length)
  if (count === 1 || length > maxUnitTokens) return []
  return Array.from({ length: count }, (_, at) => {
    const hash = hashTokens(tokens, startOf(length, count, at), startOf(length, count, at + 1))
    return keyOf(length + pieceKinds[kind], at, hash)
  })
}

/** The keys of a unit in the postings. The first is that of all its tokens. */
export const unitKeys = (tokens: readonly number[]): number[] => [
  wholeKey(tokens),
  ...pieceKeys(tokens),
]

/**
 * Calls `ask` with every key to look up (some perhaps twice) and the edits allowed for units under
 * it. `common` estimates how frequent each token is, so that the rarest pieces are looked up. It
 * affects only speed, not the result.
 */
export function eachProbe(
  tokens: readonly number[],
  common: readonly number[],
  ask: (key: number, edits: number) => void,
  kind: PieceKind = 'tokens',
): void {
  const { length } = tokens
  if (kind === 'tokens') ask(wholeKey(tokens), 0)
  if (length > maxTokens) return
  const parts = partsOf(tokens, common)
  for (let other = Math.ceil((length * 3) / 4); other <= Math.floor((length * 4) / 3); other++) {
    const edits = editsAllowed(Math.max(length, other))
    if (edits === 0) continue
    const count = piecesOf(other)
    const lengthDifference = length - other
    const pieces = Array.from({ length: count }, (_, at) => {
      const from = startOf(other, count, at)
      const size = startOf(other, count, at + 1) - from
      // The tokens before and after the piece cost at least as many edits as their lengths differ.
      const first = Math.max(0, from - Math.floor((edits - lengthDifference) / 2))
      const last = Math.min(length - size, from + Math.floor((edits + lengthDifference) / 2))
      const places = parts[size]?.slice(first, last + 1) ?? []
      return { at, places, common: places.reduce((sum, part) => sum + part.common, 0) }
    })
    // One piece more than the edits can change.
    if (count > edits + 1) pieces.sort((one, two) => one.common - two.common)
    for (let rank = 0; rank <= edits; rank++) {
      const piece = pieces[rank]
      if (piece)
        for (const { hash } of piece.places)
          ask(keyOf(other + pieceKinds[kind], piece.at, hash), edits)
    }
  }
}

type QueryPart = { readonly hash: readonly [number, number]; readonly common: number }

/** Every token range of the query that may be a piece, by size and position. */
function partsOf(tokens: readonly number[], common: readonly number[]): QueryPart[][] {
  return Array.from({ length: maxPieceTokens + 1 }, (_, size) =>
    Array.from({ length: Math.max(0, tokens.length - size + 1) }, (_, from) => ({
      hash: hashTokens(tokens, from, from + size),
      common: common.slice(from, from + size).reduce((product, one) => product * one, 1),
    })),
  )
}

/** Bits per half of a signature: numbers are exact to 53 bits, and bit operations work on 32. */
const halfBits = 26
const half = 2 ** halfBits

/** One bit per token; tokens may share a bit. */
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

/**
 * The minimum edit distance of two texts with these signatures: each token that only one of them
 * has costs one edit.
 */
export function minEdits(one: number, other: number): number {
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
