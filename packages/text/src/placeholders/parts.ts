/**
 * Builds the numbered parts of a segment from the pieces that a reader found, and compares parts.
 */

import { isBlank } from './letters.ts'
import type { Part, TextPart } from './part.ts'
import {
  type CodePiece,
  isPlain,
  type Piece,
  type ProtectOptions,
  protect,
  slot,
} from './protect.ts'

/**
 * A single text in which nothing is protected, given as the part it will be: the pieces of most
 * segments are their parts.
 */
function isPlainPart(pieces: readonly Piece[]): pieces is readonly [TextPart] {
  const only = pieces[0]
  return only !== undefined && 'type' in only && pieces.length === 1 && isPlain(only.text)
}

/**
 * `write` escapes a text for its place in the file. Tags found by the reader never pair with tags
 * that are escaped inside a text.
 */
export function buildParts(
  pieces: readonly Piece[],
  write: (text: string) => string,
  options?: ProtectOptions,
): readonly Part[] {
  if (isPlainPart(pieces)) return pieces
  const only = pieces[0]
  if (only && 'text' in only && pieces.length === 1 && isPlain(only.text))
    return [{ type: 'text', text: only.text }]
  if (only && 'text' in only && pieces.length === 1 && !only.text.includes(slot))
    return number(protect(only.text, options), write)
  const joined = joinTexts(pieces)
  if (joined.every((piece) => 'kind' in piece || isPlain(piece.text))) return number(joined)
  const codes = pieces.filter((piece) => 'kind' in piece)
  const spell = (piece: Piece): Piece =>
    'text' in piece
      ? piece
      : { ...piece, raw: write(piece.raw), ...(piece.name && { name: `escaped ${piece.name}` }) }
  const texts = pieces.map((piece) => ('text' in piece ? piece.text : slot)).join('')
  if (codes.length === 0 && !texts.includes(slot)) return number(protect(texts, options).map(spell))
  // If the text contains the placeholder character itself, what is between two codes is split on
  // its own.
  if (texts.split(slot).length - 1 !== codes.length)
    return number(
      joined.flatMap((piece) =>
        'text' in piece ? protect(piece.text, options).map(spell) : [piece],
      ),
    )
  let next = 0
  const all = protect(texts, options).flatMap((piece): Piece[] => {
    if ('kind' in piece) return [spell(piece)]
    return piece.text.split(slot).flatMap((text, at): Piece[] => {
      const code = at === 0 ? undefined : codes[next++]
      return [...(code ? [code] : []), ...(text === '' ? [] : [{ text }])]
    })
  })
  return number(all)
}

/** Neighbouring texts are one text, as they will be after writing, and empty ones are none. */
function joinTexts(pieces: readonly Piece[]): Piece[] {
  const joined: Piece[] = []
  let text = ''
  for (const piece of pieces) {
    if ('text' in piece) {
      text += piece.text
      continue
    }
    if (text !== '') joined.push({ type: 'text', text })
    text = ''
    joined.push(piece)
  }
  if (text !== '') joined.push({ type: 'text', text })
  return joined
}

/** `write` is for codes that are not escaped yet. */
function number(pieces: readonly Piece[], write?: (text: string) => string): Part[] {
  const partners = pairUp(pieces)
  const ids = new Map<number, number>()
  let last = 0
  return pieces.map((piece, at): Part => {
    if ('text' in piece) return 'type' in piece ? piece : { type: 'text', text: piece.text }
    const raw = write ? write(piece.raw) : piece.raw
    const partner = partners.get(at)
    if (partner === undefined) return { type: 'code', kind: piece.kind, raw, id: ++last }
    const id = ids.get(partner) ?? ++last
    ids.set(at, id)
    return { type: 'code', kind: piece.kind, raw, id, pair: partner > at ? 'open' : 'close' }
  })
}

const noPairs: ReadonlyMap<number, number> = new Map()

/**
 * Maps the index of a tag to its partner, for pairs that nest. Counting open tags keeps it linear.
 */
function pairUp(pieces: readonly Piece[]): ReadonlyMap<number, number> {
  if (!pieces.some((piece) => 'kind' in piece && piece.kind === 'tag-close')) return noPairs
  const partners = new Map<number, number>()
  const open: { name: string; at: number }[] = []
  const waiting = new Map<string, number>()
  const count = (name: string, by: number) => waiting.set(name, (waiting.get(name) ?? 0) + by)
  pieces.forEach((piece, at) => {
    if ('text' in piece) return
    const { kind, name = '' }: CodePiece = piece
    if (kind === 'icu') {
      // A pair never crosses the edge of a branch.
      open.length = 0
      waiting.clear()
    }
    if (kind === 'tag-open') {
      open.push({ name, at })
      count(name, 1)
    }
    if (kind !== 'tag-close' || !waiting.get(name)) return
    for (let top = open.pop(); top; top = open.pop()) {
      count(top.name, -1)
      if (top.name !== name) continue
      partners.set(at, top.at).set(top.at, at)
      return
    }
  })
  return partners
}

/** As it is written in the file, apart from escapes. */
export const rawOf = (parts: readonly Part[]): string =>
  parts.map((part) => (part.type === 'text' ? part.text : part.raw)).join('')

/** Whether there is anything to translate. */
export const hasText = (parts: readonly Part[]): boolean =>
  parts.some((part) => part.type === 'text' && !isBlank(part.text))

/** The same texts and codes in the same order; how codes are numbered does not count. */
export function sameParts(one: readonly Part[], other: readonly Part[]): boolean {
  if (one === other) return true
  const [left, right] = [one[0], other[0]]
  if (one.length === 1 && other.length === 1 && left?.type === 'text' && right?.type === 'text')
    return left.text === right.text
  if (left?.type === 'text' && right?.type === 'text' && !beginAlike(left.text, right.text))
    return false
  if (isAlike(one, other)) return one.every((part, at) => contentOf(part) === contentOf(other[at]))
  const [merged, others] = [merge(one), merge(other)]
  return merged.length === others.length && merged.every((part, at) => part === others[at])
}

/** Texts that are cut differently begin alike: one of them is the start of the other. */
const beginAlike = (one: string, other: string): boolean =>
  one.startsWith(other) || other.startsWith(one)

const contentOf = (part: Part | undefined): string | undefined =>
  part?.type === 'text' ? part.text : part?.raw

/** Texts and codes at the same places, and no text beside another: nothing needs merging. */
function isAlike(one: readonly Part[], other: readonly Part[]): boolean {
  if (one.length !== other.length) return false
  for (let at = 0; at < one.length; at += 1) {
    const type = one[at]?.type
    if (type !== other[at]?.type || (type === 'text' && one[at - 1]?.type === 'text')) return false
  }
  return true
}

const merge = (parts: readonly Part[]): string[] => {
  const merged: string[] = []
  let text = ''
  for (const part of parts) {
    if (part.type === 'text') text += part.text
    else {
      merged.push(text, part.raw)
      text = ''
    }
  }
  return [...merged, text]
}
