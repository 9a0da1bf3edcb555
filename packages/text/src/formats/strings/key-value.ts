/**
 * The file of a request made of fields: `<content><field key="title">…</field></content>`; the key
 * is the id.
 */
import { defineFormat, escapeId } from '../define-format.ts'
import { insideOf, placesOf } from '../xml/xml-content.ts'
import { eachOfRoot } from '../xml/xml-elements.ts'
import { scanXml } from '../xml/xml-scan.ts'
import { attributeOf, nameOf } from '../xml/xml-tags.ts'
import { refer, xmlCharset } from '../xml/xml-text.ts'

export const keyValue = defineFormat({
  id: 'key-value',
  charset: { declared: xmlCharset, fallsBack: false },
  protects: { newlines: true },
  refer,
  find: function* (text) {
    const xml = scanXml(text)
    for (const field of eachOfRoot(xml)) {
      const key = attributeOf(field.tag, 'key')
      if (nameOf(field.tag) === 'field' && key !== undefined)
        yield* placesOf(xml, { id: escapeId(key) }, insideOf(field))
    }
  },
})
