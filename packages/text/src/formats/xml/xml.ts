/**
 * XML of no known kind: an element with text of its own is a segment, its inner elements are tags
 * in it. Around CDATA and in very large elements, every stretch of text is a segment. What ITS
 * locks stays, also in the middle of a sentence. Attributes are segments where an option or an ITS
 * rule names them.
 */
import { bounds } from '../bounds.ts'
import { defineFormat, type SegmentPlace } from '../define-format.ts'
import { type Its, readIts } from './its.ts'
import { placeAttribute } from './xml-attributes.ts'
import { placesOf, raw } from './xml-content.ts'
import { scanXml, type Xml, type XmlToken } from './xml-scan.ts'
import { isLayout } from './xml-sound.ts'
import { refer, xmlCharset } from './xml-text.ts'

export const xml = defineFormat({
  id: 'xml',
  charset: { declared: xmlCharset, fallsBack: false },
  refer,
  find: function* (text, options) {
    const document = scanXml(text)
    const { tokens, closing } = document
    const { locked, breaks, attributes: spoken } = readIts(document, options.xml)
    const attributes = placeAttributes(document, spoken)
    const speaks = findSpeaking(document, locked)
    let places: SegmentPlace[] = []
    const add = (from: number, to: number) => {
      for (const one of placesOf(document, {}, { from, to }, { locked, attributes }))
        places.push(one)
    }
    /** Splits at elements that end the text around them; each of those is read by itself. */
    const addElement = (from: number, to: number) => {
      let begun = from
      for (let at = from; at < to; at++) {
        if (!breaks[at] || locked[at]) continue
        add(begun, at)
        for (const one of attributes.get(at) ?? []) places.push(one)
        const end = closing[at] ?? at
        addElement(at + 1, end)
        begun = end + 1
        at = end
      }
      add(begun, to)
    }
    for (let at = 0; at < tokens.length; at++) {
      const [token, end] = [tokens[at], closing[at] ?? at]
      for (const one of attributes.get(at) ?? []) places.push(one)
      if (!token || locked[at]) continue
      if (token.kind === 'open' && speaks[at] === 1 && end - at <= bounds.tagsInSegment) {
        addElement(at + 1, end)
        at = end
      } else if (token.kind === 'text' || token.kind === 'cdata') add(at, at + 1)
      if (places.length === 0) continue
      yield* places
      places = []
    }
    yield* places
  },
})

/** The places of attributes, by the index of their tag. */
function placeAttributes(
  { text, tokens }: Xml,
  spoken: Its['attributes'],
): ReadonlyMap<number, readonly SegmentPlace[]> {
  const places = new Map<number, SegmentPlace[]>()
  for (const [at, attributes] of spoken) {
    const from = tokens[at]?.start ?? 0
    places.set(
      at,
      attributes.flatMap(({ start, end }) => placeAttribute(text, from + start, from + end) ?? []),
    )
  }
  return places
}

/** Marks the opening tags of elements that hold text of their own, and not only elements. */
function findSpeaking({ text, tokens }: Xml, locked: Uint8Array): Uint8Array {
  const speaks = new Uint8Array(tokens.length)
  const open: number[] = []
  for (let at = 0; at < tokens.length; at += 1) {
    const token = tokens[at] as XmlToken
    const { kind, start, end } = token
    if (kind === 'open') open.push(at)
    else if (kind === 'close') open.pop()
    const isText =
      kind === 'cdata' ||
      (kind === 'text' && !isLayout(text, start, end) && /\S/.test(raw(text, token)))
    const inside = open.at(-1)
    if (isText && !locked[at] && inside !== undefined) speaks[inside] = 1
  }
  return speaks
}
