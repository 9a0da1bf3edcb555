/**
 * .NET's RESX: the values of untyped data. Typed data and the properties of a form designer stay.
 */
import { aboutOf } from '../about.ts'
import { defineFormat, escapeId } from '../define-format.ts'
import { insideOf, placesOf } from '../xml/xml-content.ts'
import { childOf, type Element, eachOfRoot } from '../xml/xml-elements.ts'
import { textOf } from '../xml/xml-notes.ts'
import { scanXml } from '../xml/xml-scan.ts'
import { attributeOf } from '../xml/xml-tags.ts'
import { refer, xmlCharset } from '../xml/xml-text.ts'

/** Properties of controls that look like text but are not. */
const designed =
  /^>>|\.(?:Anchor|AutoSize|ClientSize|Dock|Font|Icon|Image|ImageIndex|ImageKey|ImeMode|Location|Margin|Name|Padding|Parent|Size|TabIndex|TextAlign|Type|Visible|ZOrder)$/

export const resx = defineFormat({
  id: 'resx',
  charset: { declared: xmlCharset, fallsBack: false },
  protects: { newlines: true },
  refer,
  find: function* (text) {
    const xml = scanXml(text)
    const textIn = (element: Element | undefined) => element && textOf(xml, element)
    for (const data of eachOfRoot(xml)) {
      const name = attributeOf(data.tag, 'name') ?? ''
      const isTyped =
        attributeOf(data.tag, 'type') !== undefined ||
        attributeOf(data.tag, 'mimetype') !== undefined
      if (data.local !== 'data' || isTyped || designed.test(name)) continue
      const value = childOf(xml, data, 'value')
      const about = () => aboutOf([textIn(childOf(xml, data, 'comment'))])
      if (value) yield* placesOf(xml, { id: escapeId(name), about }, insideOf(value))
    }
  },
})
