/** XLIFF 2.0, 2.1 and 2.2: the segments of every unit, in files and groups. Modules and original data are not touched. */

import type { FormatOptions } from '@dragoman/contract/wire'
import { defineFormat, type Edit, escapeId, type Place } from '../define-format.ts'
import type { Target } from '../format.ts'
import { childOf, childrenOf, type Element, isEmpty } from '../xml/xml-elements.ts'
import { scanXml, type Xml } from '../xml/xml-scan.ts'
import { attributeOf, setAttribute } from '../xml/xml-tags.ts'
import { declaredCharset, refer } from '../xml/xml-text.ts'
import { filesOf, isHeld, isTranslatable, placePair, type Unit, unitsIn } from './xliff.ts'

export const xliff2 = defineFormat({
  id: 'xliff-2',
  charset: { declared: declaredCharset, fallsBack: false },
  bilingual: true,
  refer,
  find: (text, options) => {
    const xml = scanXml(text)
    return filesOf(xml).flatMap((file) => {
      const path = escapeId(attributeOf(file.tag, 'id') ?? '')
      const units = unitsIn(xml, file, isTranslatable(file, true), { local: 'unit', path })
      return units.flatMap((unit) => readUnit(xml, options, unit))
    })
  },
  retarget: (text, { targetLanguage }: Target): Edit[] => {
    const xml = scanXml(text)
    return childrenOf(xml, undefined).flatMap((root) => setAttribute(xml, root, ['trgLang', targetLanguage], 'srcLang'))
  },
})

function readUnit(xml: Xml, options: FormatOptions, { id, element: unit }: Unit): Place[] {
  const segments = childrenOf(xml, unit).filter(({ local }) => local === 'segment')
  return segments.flatMap((segment, at) => {
    const [source, target] = ['source', 'target'].map((local) => childOf(xml, segment, local))
    const state = attributeOf(segment.tag, 'state')
    if (!source || (state === 'final' && target && !isEmpty(target))) return []
    const pair = { id: `${id}/${at + 1}`, source, target }
    const place = placePair(xml, pair, (...both) => isHeld(options, state, ...both))
    return [{ ...place, also: (to: Target) => [...(place.also?.(to, '') ?? []), ...setTranslated(xml, segment)] }]
  })
}

/** Only for segments in the state `initial`. */
function setTranslated(xml: Xml, segment: Element): Edit[] {
  if (attributeOf(segment.tag, 'state') !== 'initial') return []
  return setAttribute(xml, segment, ['state', 'translated'])
}
