/** The content of an XML element as places: one for all of it, or, around CDATA, one for each stretch. */
import type { Place } from './define-format.ts'
import type { Piece } from './protect.ts'
import { tagPiece } from './protect.ts'
import type { Xml, XmlToken } from './xml-scan.ts'
import { readCharacters, type Spellings, spellCdata, spellText } from './xml-text.ts'

/**
 * From token `from` to token `to`, the latter not included. Tags are codes, their texts are texts of the segment; an element
 * that is `locked` (by the index of its tag) is one code with all that is in it.
 */
export function placesOf(xml: Xml, id: string | undefined, from: number, to: number, locked?: Uint8Array): Place[] {
  const places: Place[] = []
  let begun = from
  for (let at = from; at <= to; at++) {
    const token = xml.tokens[at]
    if (at < to && token?.kind === 'open' && locked?.[at]) at = xml.closing[at] ?? at
    if (at < to && token?.kind !== 'cdata') continue
    const stretch = placeOf(xml, id, begun, at, locked)
    if (stretch) places.push(stretch)
    const cdata = at < to && token ? placeCdata(xml, id, token) : undefined
    if (cdata) places.push(cdata)
    begun = at + 1
  }
  return places
}

const named = (id: string | undefined): Pick<Place, 'id'> => (id === undefined ? {} : { id })

function placeOf(xml: Xml, id: string | undefined, from: number, to: number, locked?: Uint8Array): Place | undefined {
  const { text, tokens, closing } = xml
  const [first, last] = [tokens[from], tokens[to - 1]]
  if (!first || !last || from >= to) return undefined
  const lead = first.kind === 'text' ? (/^\s*/.exec(raw(text, first))?.[0].length ?? 0) : 0
  const start = first.start + lead
  const end = last.kind === 'text' ? Math.max(start, last.start + raw(text, last).trimEnd().length) : last.end
  const spellings: Spellings = new Map()
  const pieces: Piece[] = []
  for (let at = from; at < to; at++) {
    const token = tokens[at]
    const [begin, stop] = [Math.max(token?.start ?? 0, start), Math.min(token?.end ?? 0, end)]
    if (!token || begin >= stop) continue
    if (token.kind === 'text') pieces.push(...readCharacters(text.slice(begin, stop), spellings))
    else if (token.kind === 'open' && locked?.[at]) {
      at = closing[at] ?? at
      pieces.push({ kind: 'tag-empty', raw: text.slice(token.start, tokens[at]?.end) })
    } else pieces.push(markup(text, token))
  }
  return { ...named(id), pieces, start, end, spell: (words) => spellText(words, spellings) }
}

function placeCdata({ text }: Xml, id: string | undefined, token: XmlToken): Place | undefined {
  const inner = text.slice(token.start + 9, token.end - 3)
  const words = inner.trim()
  if (words === '') return undefined
  const start = token.start + 9 + inner.indexOf(words)
  return {
    ...named(id),
    pieces: [{ text: words }],
    start,
    end: start + words.length,
    spell: spellCdata,
    verbatim: true,
  }
}

/** XML knows no void elements: only `/>` makes a tag empty. */
export function markup(text: string, token: XmlToken): Piece {
  const source = raw(text, token)
  if (token.kind === 'open') return { ...tagPiece(source), kind: 'tag-open' }
  return token.kind === 'close' ? tagPiece(source) : { kind: 'tag-empty', raw: source }
}

/** The blanks and line ends straight before a place. */
export function layoutBefore(text: string, at: number): string {
  let from = at
  while (from > 0 && /\s/.test(text.charAt(from - 1))) from -= 1
  return text.slice(from, at)
}

export const raw = (text: string, { start, end }: XmlToken): string => text.slice(start, end)
