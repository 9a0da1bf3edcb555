/**
 * The content of an XML element as places: one for all of it or, around CDATA, one for each run of
 * text.
 */

import { buildParts, hasText } from '../../placeholders/parts.ts'
import { type CodePiece, type Piece, tagPiece } from '../../placeholders/protect.ts'
import type { SegmentPlace } from '../define-format.ts'
import { type Hollow, hollowOut, placeTogether } from '../tag-holes.ts'
import type { Xml, XmlToken } from './xml-scan.ts'
import { readCdata, readCharacters, type Spellings, spellCdata, spellText } from './xml-text.ts'

/**
 * By the index of a tag: whether its element is not translated, and which of its attributes are
 * text.
 */
export type Marks = {
  readonly locked: Uint8Array
  readonly attributes: ReadonlyMap<number, readonly SegmentPlace[]>
}

/** Tokens from `from` up to `to`, the latter not included. */
export type TokenRange = { readonly from: number; readonly to: number }
export const insideOf = ({
  open,
  close,
}: {
  readonly open: number
  readonly close: number
}): TokenRange => ({
  from: open + 1,
  to: close,
})

/** All places of an element share these. */
type Named = Pick<SegmentPlace, 'id' | 'about'>

/** Tags are codes of the segment. A locked element is one code, with everything in it. */
export function placesOf(
  xml: Xml,
  named: Named,
  { from, to }: TokenRange,
  marks?: Marks,
): SegmentPlace[] {
  const places: SegmentPlace[] = []
  let begun = from
  for (let at = from; at <= to; at++) {
    const token = xml.tokens[at]
    if (at < to && token?.kind === 'open' && marks?.locked[at]) at = xml.closing[at] ?? at
    if (at < to && token?.kind !== 'cdata') continue
    for (const one of placeStretch(xml, named, { from: begun, to: at }, marks)) places.push(one)
    const cdata = at < to && token ? placeCdata(xml, named, token) : undefined
    if (cdata) places.push(cdata)
    begun = at + 1
  }
  return places
}

function placeStretch(
  xml: Xml,
  named: Named,
  { from, to }: TokenRange,
  marks?: Marks,
): SegmentPlace[] {
  const { text, tokens, closing } = xml
  const [first, last] = [tokens[from], tokens[to - 1]]
  if (!first || !last || from >= to) return []
  const plain = to - from === 1 ? placePlain(text, named, first) : undefined
  if (plain) return [plain]
  const lead = first.kind === 'text' ? (/^\s*/.exec(raw(text, first))?.[0].length ?? 0) : 0
  const start = first.start + lead
  const end =
    last.kind === 'text' ? Math.max(start, last.start + raw(text, last).trimEnd().length) : last.end
  const spellings: Spellings = new Map()
  const attributes: SegmentPlace[] = []
  const hollow: Hollow[] = []
  const pieces: Piece[] = []
  for (let at = from; at < to; at++) {
    const token = tokens[at]
    const [begin, stop] = [Math.max(token?.start ?? 0, start), Math.min(token?.end ?? 0, end)]
    if (!token || begin >= stop) continue
    if (token.kind === 'text') {
      for (const one of readCharacters(text.slice(begin, stop), spellings)) pieces.push(one)
      continue
    }
    const opened = at
    if (token.kind === 'open' && marks?.locked[at]) at = closing[at] ?? at
    const piece: CodePiece =
      at > opened
        ? { kind: 'tag-empty', raw: text.slice(token.start, tokens[at]?.end) }
        : markup(text, token)
    const values = marks ? attributesIn(marks, opened, at) : none
    if (values.length === 0) {
      pieces.push(piece)
      continue
    }
    const tag = hollowOut(piece.raw, token.start, values)
    hollow.push(tag)
    for (const one of values) attributes.push(one)
    pieces.push({ ...piece, raw: tag.raw })
  }
  const spell = (words: string): string => spellText(words, spellings)
  const place: SegmentPlace = { id: named.id, pieces, start, end, spell, about: named.about }
  if (attributes.length === 0) return [place]
  return hasText(buildParts(pieces, spell)) ? placeTogether(place, hollow, attributes) : attributes
}

const noSpellings: Spellings = new Map()
const spellPlain = (words: string): string => spellText(words, noSpellings)

/** Most contents: one text without references. */
function placePlain(text: string, { id, about }: Named, token: XmlToken): SegmentPlace | undefined {
  if (token.kind !== 'text') return undefined
  const whole = raw(text, token)
  if (whole.includes('&')) return undefined
  const words = whole.trim()
  if (words === '') return undefined
  const start = token.start + whole.indexOf(words)
  return {
    id,
    pieces: [{ type: 'text', text: words }],
    start,
    end: start + words.length,
    spell: spellPlain,
    about,
  }
}

const none: readonly SegmentPlace[] = []

function attributesIn({ attributes }: Marks, from: number, to: number): readonly SegmentPlace[] {
  if (attributes.size === 0) return none
  const found: SegmentPlace[] = []
  for (let at = from; at <= to; at++) for (const one of attributes.get(at) ?? []) found.push(one)
  return found
}

function placeCdata(
  { text }: Xml,
  { id, about }: Named,
  token: XmlToken,
): SegmentPlace | undefined {
  const inner = text.slice(token.start + 9, token.end - 3)
  const words = inner.trim()
  if (words === '') return undefined
  const start = token.start + 9 + inner.indexOf(words)
  const pieces = [{ text: readCdata(words) }]
  return { id, pieces, start, end: start + words.length, spell: spellCdata, verbatim: true, about }
}

/** XML has no void elements: only `/>` makes a tag empty. */
export function markup(text: string, token: XmlToken): CodePiece {
  const source = raw(text, token)
  if (token.kind === 'open') return { ...tagPiece(source), kind: 'tag-open' }
  return token.kind === 'close' ? tagPiece(source) : { kind: 'tag-empty', raw: source }
}

/** The whitespace directly before a position. */
export function layoutBefore(text: string, at: number): string {
  let from = at
  while (from > 0 && /\s/.test(text.charAt(from - 1))) from -= 1
  return text.slice(from, at)
}

export const raw = (text: string, { start, end }: XmlToken): string => text.slice(start, end)
