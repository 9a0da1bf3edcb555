/** The file of a request made of fields: `<content><field key="title">…</field></content>`; the key is the id. */
import { defineFormat, escapeId, type Place } from '../define-format.ts'
import { placesOf, raw } from '../xml/xml-content.ts'
import { scanXml } from '../xml/xml-scan.ts'
import { attributeOf, nameOf } from '../xml/xml-tags.ts'
import { declaredCharset, refer } from '../xml/xml-text.ts'

export const keyValue = defineFormat({
  id: 'key-value',
  charset: { declared: declaredCharset, fallsBack: false },
  protects: { newlines: true },
  refer,
  find: (text) => {
    const document = scanXml(text)
    const { tokens, closing } = document
    const places: Place[] = []
    const root = tokens.findIndex(({ kind }) => kind === 'open')
    for (let at = root + 1; at < (closing[root] ?? 0); at++) {
      const token = tokens[at]
      if (token?.kind !== 'open') continue
      const [tag, end] = [raw(text, token), closing[at] ?? at]
      const key = attributeOf(tag, 'key')
      if (nameOf(tag) === 'field' && key !== undefined) places.push(...placesOf(document, escapeId(key), at + 1, end))
      at = end
    }
    return places
  },
})
