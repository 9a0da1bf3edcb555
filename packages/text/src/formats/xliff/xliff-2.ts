/**
 * XLIFF 2.0, 2.1 and 2.2: the segments of every unit, in files and groups. Modules and original
 * data are not touched.
 */

import type { FormatOptions } from '@dragoman/contract/wire'
import { type About, aboutOf, lengthOf } from '../about.ts'
import { defineFormat, type Edit, escapeId, type SegmentPlace } from '../define-format.ts'
import type { Target } from '../format.ts'
import { FormatError } from '../format-error.ts'
import { childOf, childrenOf, type Element, isEmpty } from '../xml/xml-elements.ts'
import { textOf } from '../xml/xml-notes.ts'
import { scanSound, scanXml, type Xml } from '../xml/xml-scan.ts'
import { attributeOf, attributesOf, setAttribute, splitName } from '../xml/xml-tags.ts'
import { refer, xmlCharset } from '../xml/xml-text.ts'
import { filesOf, isHeld, isTranslatable, placePair, type Unit, unitsIn } from './xliff.ts'

export const xliff2 = defineFormat({
  id: 'xliff-2',
  charset: { declared: xmlCharset, fallsBack: false },
  bilingual: true,
  multilingual: true,
  refer,
  find: function* (text, options) {
    const xml = scanXml(text)
    if (options.xliff?.targets !== 'replace') mustBeInto(xml, options.targetLanguage)
    for (const file of filesOf(xml)) {
      const path = escapeId(attributeOf(file.tag, 'id') ?? '')
      for (const unit of unitsIn(xml, file, isTranslatable(file, true), { local: 'unit', path }))
        yield* readUnit(xml, options, unit)
    }
  },
  retarget: (text, { targetLanguage }: Target): Edit[] => {
    const xml = scanSound(text)
    return childrenOf(xml, undefined).flatMap((root) =>
      setAttribute(xml, root, ['trgLang', targetLanguage], 'srcLang'),
    )
  },
})

/**
 * Targets in another language than the one asked for are no translation, and must not be handed on
 * as one.
 */
function mustBeInto(xml: Xml, language: string | undefined): void {
  const [root] = childrenOf(xml, undefined)
  const said = root && attributeOf(root.tag, 'trgLang')
  if (!said || !language || isSameLanguage(said, language) || !hasTargets(xml)) return
  throw new FormatError(
    'MALFORMED',
    `The file has targets in ${said} (trgLang), and ${language} is asked for. Remove its targets, or set xliff.targets to replace.`,
  )
}

const hasTargets = (xml: Xml): boolean =>
  filesOf(xml).some((file) =>
    [...unitsIn(xml, file, true, { local: 'unit', path: '' })].some(({ element }) =>
      childrenOf(xml, element).some((segment) => {
        const target = segment.local === 'segment' ? childOf(xml, segment, 'target') : undefined
        return target !== undefined && !isEmpty(target)
      }),
    ),
  )

/** `de` and `de-DE` are the same here; `pt-BR` and `pt-PT` are not. */
function isSameLanguage(one: string, other: string): boolean {
  const [base, ...rest] = one.toLowerCase().split(/[-_]/)
  const [otherBase, ...others] = other.toLowerCase().split(/[-_]/)
  return (
    base === otherBase &&
    (rest.length === 0 || others.length === 0 || rest.join('-') === others.join('-'))
  )
}

/**
 * A size restriction is a number of code points, or of bytes where the file says so; `,20` and
 * `0,20` have a least as well.
 */
function aboutUnit(xml: Xml, unit: Element): About {
  const holder = childOf(xml, unit, 'notes')
  const notes = holder ? childrenOf(xml, holder).filter(({ local }) => local === 'note') : []
  const said = attributesOf(unit.tag).find(
    ({ name }) => splitName(name).local === 'sizeRestriction',
  )?.value
  const size = xml.text.includes('generalProfile="xliff:utf8"') ? 'BYTES' : 'CHARACTERS'
  return aboutOf(
    notes.map((note) => textOf(xml, note)),
    lengthOf(said?.split(',').at(-1), size),
  )
}

function readUnit(xml: Xml, options: FormatOptions, { id, element: unit }: Unit): SegmentPlace[] {
  const segments = childrenOf(xml, unit).filter(({ local }) => local === 'segment')
  return segments.flatMap((segment, at) => {
    const [source, target] = ['source', 'target'].map((local) => childOf(xml, segment, local))
    const state = attributeOf(segment.tag, 'state')
    if (!source || (state === 'final' && target && !isEmpty(target))) return []
    const pair = { id: `${id}/${at + 1}`, source, target, about: () => aboutUnit(xml, unit) }
    const place = placePair(xml, pair, (...both) => isHeld(options, state, ...both))
    return [
      {
        ...place,
        also: (to: Target) => [...(place.also?.(to, '') ?? []), ...setTranslated(xml, segment)],
      },
    ]
  })
}

/** Only for segments in the state `initial`. */
function setTranslated(xml: Xml, segment: Element): Edit[] {
  if (attributeOf(segment.tag, 'state') !== 'initial') return []
  return setAttribute(xml, segment, ['state', 'translated'])
}
