/**
 * XML of no known kind: an element with text of its own is a segment, its inner elements tags in it; around CDATA and in
 * very large elements every stretch of text stands alone. What ITS locks stays, in the middle of a sentence too.
 */
import { bounds } from './bounds.ts'
import { defineFormat, type Place } from './define-format.ts'
import { readIts } from './its.ts'
import { placesOf, raw } from './xml-content.ts'
import { scanXml, type Xml } from './xml-scan.ts'
import { declaredCharset, refer } from './xml-text.ts'

export const xml = defineFormat({
  id: 'xml',
  charset: { declared: declaredCharset, fallsBack: false },
  refer,
  find: (text, options) => {
    const document = scanXml(text)
    const { tokens, closing } = document
    const { locked, breaks } = readIts(document, options.xml)
    const speaks = findSpeaking(document, locked)
    const places: Place[] = []
    const add = (from: number, to: number) => places.push(...placesOf(document, undefined, from, to, locked))
    /** Cut where an element ends the text around it; such an element is read by itself. */
    const addElement = (from: number, to: number) => {
      let begun = from
      for (let at = from; at < to; at++) {
        if (!breaks[at] || locked[at]) continue
        add(begun, at)
        const end = closing[at] ?? at
        addElement(at + 1, end)
        begun = end + 1
        at = end
      }
      add(begun, to)
    }
    for (let at = 0; at < tokens.length; at++) {
      const [token, end] = [tokens[at], closing[at] ?? at]
      if (!token || locked[at]) continue
      if (token.kind === 'open' && speaks[at] === 1 && end - at <= bounds.tagsInSegment) {
        addElement(at + 1, end)
        at = end
      } else if (token.kind === 'text' || token.kind === 'cdata') add(at, at + 1)
    }
    return places
  },
})

/** Marks the opening tags of elements that hold text of their own, and not only elements. */
function findSpeaking({ text, tokens }: Xml, locked: Uint8Array): Uint8Array {
  const speaks = new Uint8Array(tokens.length)
  const open: number[] = []
  tokens.forEach((token, at) => {
    if (token.kind === 'open') open.push(at)
    else if (token.kind === 'close') open.pop()
    const inside = open.at(-1)
    const isText = token.kind === 'cdata' || (token.kind === 'text' && /\S/.test(raw(text, token)))
    if (isText && !locked[at] && inside !== undefined) speaks[inside] = 1
  })
  return speaks
}
