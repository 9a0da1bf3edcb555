/** The content of an XML element as places: one for all of it, or, around CDATA, one for each stretch. */
import type { Place } from './define-format.ts'
import type { Piece } from './protect.ts'
import { tagPiece } from './protect.ts'
import type { Xml, XmlToken } from './xml-scan.ts'
import { readCharacters, type Spellings, spellCdata, spellText } from './xml-text.ts'

/** From token `from` to token `to`, the latter not included. Tags are codes, their texts are texts of the segment. */
export function placesOf(xml: Xml, id: string | undefined, from: number, to: number): Place[] {
  const places: Place[] = []
  let begun = from
  for (let at = from; at <= to; at++) {
    const token = xml.tokens[at]
    if (at < to && token?.kind !== 'cdata') continue
    const stretch = placeOf(xml, id, begun, at)
    if (stretch) places.push(stretch)
    const cdata = at < to && token ? placeCdata(xml, id, token) : undefined
    if (cdata) places.push(cdata)
    begun = at + 1
  }
  return places
}

const named = (id: string | undefined): Pick<Place, 'id'> => (id === undefined ? {} : { id })

function placeOf({ text, tokens }: Xml, id: string | undefined, from: number, to: number): Place | undefined {
  const [first, last] = [tokens[from], tokens[to - 1]]
  if (!first || !last || from >= to) return undefined
  const lead = first.kind === 'text' ? (/^\s*/.exec(raw(text, first))?.[0].length ?? 0) : 0
  const start = first.start + lead
  const end = last.kind === 'text' ? Math.max(start, last.start + raw(text, last).trimEnd().length) : last.end
  const spellings: Spellings = new Map()
  const pieces = tokens.slice(from, to).flatMap((token): Piece[] => {
    const [begin, stop] = [Math.max(token.start, start), Math.min(token.end, end)]
    if (begin >= stop) return []
    if (token.kind === 'text') return readCharacters(text.slice(begin, stop), spellings)
    return [markup(text, token)]
  })
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

export const raw = (text: string, { start, end }: XmlToken): string => text.slice(start, end)
