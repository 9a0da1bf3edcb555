/**
 * XML of no known kind: an element with text of its own is a segment, its inner elements tags in it; around CDATA and in
 * very large elements every stretch of text stands alone. `translate="no"` is honoured. Attributes are left alone.
 */
import { bounds } from './bounds.ts'
import { defineFormat, type Place } from './define-format.ts'
import { placesOf, raw } from './xml-content.ts'
import { scanXml, type Xml } from './xml-scan.ts'
import { attributeOf } from './xml-tags.ts'
import { declaredCharset, refer } from './xml-text.ts'

export const xml = defineFormat({
  id: 'xml',
  charset: { declared: declaredCharset, fallsBack: false },
  refer,
  find: (text) => {
    const document = scanXml(text)
    const { tokens, closing } = document
    const speaks = findSpeaking(document)
    const places: Place[] = []
    const add = (from: number, to: number) => places.push(...placesOf(document, undefined, from, to))
    for (let at = 0; at < tokens.length; at++) {
      const token = tokens[at]
      if (!token) break
      const end = closing[at] ?? at
      if (token.kind === 'open' && isLocked(raw(text, token))) at = end
      else if (token.kind === 'open' && speaks[at] === 1 && end - at <= bounds.tagsInSegment) {
        add(at + 1, end)
        at = end
      } else if (token.kind === 'text' || token.kind === 'cdata') add(at, at + 1)
    }
    return places
  },
})

const isLocked = (tag: string): boolean => tag.includes('translate') && attributeOf(tag, 'translate') === 'no'

/** Marks the opening tags of elements that hold text of their own, and not only elements. */
function findSpeaking({ text, tokens }: Xml): Uint8Array {
  const speaks = new Uint8Array(tokens.length)
  const open: number[] = []
  tokens.forEach((token, at) => {
    if (token.kind === 'open') open.push(at)
    else if (token.kind === 'close') open.pop()
    const inside = open.at(-1)
    const isText = token.kind === 'cdata' || (token.kind === 'text' && /\S/.test(raw(text, token)))
    if (isText && inside !== undefined) speaks[inside] = 1
  })
  return speaks
}
