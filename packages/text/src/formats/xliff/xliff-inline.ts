/** The inline content of XLIFF, of a source, a target or one of their segments, as pieces. */
import type { Piece } from '../../placeholders/protect.ts'
import { markup, raw } from '../xml/xml-content.ts'
import type { Xml } from '../xml/xml-scan.ts'
import { attributeOf, nameOf, splitName } from '../xml/xml-tags.ts'
import { readCdata, readCharacters, type Spellings } from '../xml/xml-text.ts'

/** Elements whose content is text; all others (bpt, ph, it…) hold native code and stay whole. */
const spoken = new Set(['g', 'pc', 'mrk'])

export function inlinePieces(xml: Xml, from: number, to: number, spellings: Spellings): Piece[] {
  const { text, tokens, closing } = xml
  const pieces: Piece[] = []
  for (let at = from; at < to; at++) {
    const token = tokens[at]
    if (!token) break
    const source = raw(text, token)
    if (token.kind === 'text') for (const one of readCharacters(source, spellings)) pieces.push(one)
    else if (token.kind === 'cdata') pieces.push({ text: readCdata(source.slice(9, -3)) })
    else if (token.kind === 'open' && !isSpoken(source)) {
      at = closing[at] ?? at
      pieces.push({ kind: 'tag-empty', raw: text.slice(token.start, tokens[at]?.end) })
    } else pieces.push(markup(text, token))
  }
  return pieces
}

function isSpoken(tag: string): boolean {
  if (!spoken.has(splitName(nameOf(tag)).local)) return false
  return attributeOf(tag, 'mtype') !== 'protected' && attributeOf(tag, 'translate') !== 'no'
}
