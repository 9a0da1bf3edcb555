/** The file of a request made of fields: `<content><field key="title">…</field></content>`; the key is the id. */
import { defineFormat, escapeId } from '../define-format.ts'
import { insideOf, placesOf } from '../xml/xml-content.ts'
import { childrenOfRoot } from '../xml/xml-elements.ts'
import { scanXml } from '../xml/xml-scan.ts'
import { attributeOf, nameOf } from '../xml/xml-tags.ts'
import { declaredCharset, refer } from '../xml/xml-text.ts'

export const keyValue = defineFormat({
  id: 'key-value',
  charset: { declared: declaredCharset, fallsBack: false },
  protects: { newlines: true },
  refer,
  find: (text) => {
    const xml = scanXml(text)
    return childrenOfRoot(xml).flatMap((field) => {
      const key = attributeOf(field.tag, 'key')
      return nameOf(field.tag) === 'field' && key !== undefined ? placesOf(xml, escapeId(key), insideOf(field)) : []
    })
  },
})
