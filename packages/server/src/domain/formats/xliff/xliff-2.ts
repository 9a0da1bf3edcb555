/** XLIFF 2.0, 2.1 and 2.2: the segments of every unit, in files and groups. Modules and original data are not touched. */

import type { FormatOptions } from '@dragoman/contract/wire'
import { defineFormat, type Edit, escapeId, type Place } from '../define-format.ts'
import type { Target } from '../format.ts'
import { childOf, childrenOf, type Element } from '../xml/xml-elements.ts'
import { scanXml, type Xml } from '../xml/xml-scan.ts'
import { attributeOf, setAttribute } from '../xml/xml-tags.ts'
import { declaredCharset, refer } from '../xml/xml-text.ts'
import { isHeld, isTranslatable, placePair } from './xliff.ts'

export const xliff2 = defineFormat({
  id: 'xliff-2',
  charset: { declared: declaredCharset, fallsBack: false },
  bilingual: true,
  refer,
  find: (text, options) => {
    const xml = scanXml(text)
    const places: Place[] = []
    for (const root of childrenOf(xml, undefined))
      for (const file of childrenOf(xml, root))
        if (file.local === 'file')
          readUnits(xml, options, escapeId(attributeOf(file.tag, 'id') ?? ''), file, isTranslatable(file, true), places)
    return places
  },
  retarget: (text, { targetLanguage }: Target): Edit[] => {
    const xml = scanXml(text)
    return childrenOf(xml, undefined).flatMap((root) => {
      const token = xml.tokens[root.open]
      return token ? setAttribute(root.tag, token, 'trgLang', targetLanguage, 'srcLang') : []
    })
  },
})

function readUnits(
  xml: Xml,
  options: FormatOptions,
  path: string,
  parent: Element,
  translatable: boolean,
  places: Place[],
): void {
  for (const child of childrenOf(xml, parent)) {
    const open = isTranslatable(child, translatable)
    if (child.local === 'group') readUnits(xml, options, path, child, open, places)
    else if (child.local === 'unit' && open)
      places.push(...readUnit(xml, options, `${path}/${escapeId(attributeOf(child.tag, 'id') ?? '')}`, child))
  }
}

function readUnit(xml: Xml, options: FormatOptions, id: string, unit: Element): Place[] {
  const segments = childrenOf(xml, unit).filter(({ local }) => local === 'segment')
  return segments.flatMap((segment, at) => {
    const [source, target] = ['source', 'target'].map((local) => childOf(xml, segment, local))
    const isFinal =
      attributeOf(segment.tag, 'state') === 'final' && target !== undefined && target.open !== target.close
    if (!source || isFinal) return []
    const state = attributeOf(segment.tag, 'state')
    const place = placePair(xml, `${id}/${at + 1}`, source, target, (...both) => isHeld(options, state, ...both))
    return [{ ...place, also: (to: Target) => [...(place.also?.(to, '') ?? []), ...setTranslated(xml, segment)] }]
  })
}

/** Only for segments in the state `initial`. */
function setTranslated(xml: Xml, segment: Element): Edit[] {
  const token = xml.tokens[segment.open]
  if (!token || attributeOf(segment.tag, 'state') !== 'initial') return []
  return setAttribute(segment.tag, token, 'state', 'translated')
}
