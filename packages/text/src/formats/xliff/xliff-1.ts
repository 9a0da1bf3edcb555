/**
 * XLIFF 1.2 (and 1.0, 1.1): the trans-units of every file and group; a segmented source stays
 * segmented.
 */

import type { FormatOptions, MaxLength } from '@dragoman/contract/wire'
import { type About, aboutOf, lengthOf } from '../about.ts'
import { defineFormat, type Edit, escapeId, type SegmentPlace } from '../define-format.ts'
import type { Target } from '../format.ts'
import { raw } from '../xml/xml-content.ts'
import { childOf, childrenOf, type Element, isEmpty } from '../xml/xml-elements.ts'
import { textOf } from '../xml/xml-notes.ts'
import { scanSound, scanXml, type Xml } from '../xml/xml-scan.ts'
import { attributeOf, nameOf, setAttribute, splitName } from '../xml/xml-tags.ts'
import { refer, type Spellings, spellText, xmlCharset } from '../xml/xml-text.ts'
import {
  contentOf,
  filesOf,
  type Holds,
  isHeld,
  isTranslatable,
  placePair,
  refreshing,
  slotOf,
  type Unit,
  unitsIn,
  type XliffPair,
} from './xliff.ts'

export const xliff1 = defineFormat({
  id: 'xliff-1.2',
  charset: { declared: xmlCharset, fallsBack: false },
  bilingual: true,
  refer,
  find: function* (text, options) {
    const xml = scanXml(text)
    for (const [at, file] of filesOf(xml).entries()) {
      const body = childOf(xml, file, 'body')
      const root = { local: 'trans-unit', path: `${at + 1}` }
      if (body)
        for (const unit of unitsIn(xml, body, isTranslatable(file, true), root))
          yield* readUnit(xml, options, unit)
    }
  },
  retarget: (text, { targetLanguage }: Target): Edit[] => {
    const xml = scanSound(text)
    return filesOf(xml).flatMap((file) =>
      setAttribute(xml, file, ['target-language', targetLanguage], 'source-language'),
    )
  },
})

function readUnit(xml: Xml, options: FormatOptions, unit: Unit): SegmentPlace[] {
  return placesIn(xml, options, unit, () => aboutUnit(xml, unit.element))
}

const units: Readonly<Record<string, MaxLength['unit']>> = { char: 'CHARACTERS', byte: 'BYTES' }

/**
 * The specification's default for `size-unit` is pixel, but files that leave it out count
 * characters.
 */
function aboutUnit(xml: Xml, unit: Element): About {
  const notes = childrenOf(xml, unit).filter(({ local }) => local === 'note')
  const size = units[attributeOf(unit.tag, 'size-unit') ?? 'char']
  return aboutOf(
    notes.map((note) => textOf(xml, note)),
    size && lengthOf(attributeOf(unit.tag, 'maxwidth'), size),
  )
}

function placesIn(
  xml: Xml,
  options: FormatOptions,
  { id, element: unit }: Unit,
  about: () => About,
): SegmentPlace[] {
  const [source, target, cut] = ['source', 'target', 'seg-source'].map((local) =>
    childOf(xml, unit, local),
  )
  if (!source || (target && isFinal(unit, target))) return []
  const segments = cut ? segmentsOf(xml, cut) : []
  const state = target && attributeOf(target.tag, 'state')
  const holds: Holds = (...both) => isHeld(options, state, ...both)
  if (!cut || segments.length === 0) return [placePair(xml, { id, source, target, about }, holds)]
  const existing = new Map(
    (target ? segmentsOf(xml, target) : []).map((one) => [attributeOf(one.tag, 'mid'), one]),
  )
  const pairs = segments.map((segment) => ({ segment, mid: attributeOf(segment.tag, 'mid') ?? '' }))
  if (target && pairs.every(({ mid }) => existing.has(mid)))
    return pairs.map(({ segment, mid }) => ({
      ...placePair(
        xml,
        { id: `${id}/${escapeId(mid)}`, source: segment, target: existing.get(mid), about },
        holds,
      ),
      also: refreshing(xml, target),
    }))
  return placeTogether(xml, { id, source, target, about }, cut, pairs)
}

/** Approved and signed-off units are not translated again. */
const isFinal = (unit: Element, target: Element): boolean =>
  !isEmpty(target) &&
  (attributeOf(unit.tag, 'approved') === 'yes' ||
    /^(final|signed-off)$/.test(attributeOf(target.tag, 'state') ?? ''))

/** `<mrk mtype="seg">` at any depth, but not nested ones. */
function segmentsOf(xml: Xml, parent: Element): Element[] {
  const found: Element[] = []
  for (let at = parent.open + 1; at < parent.close; at++) {
    const token = xml.tokens[at]
    if (token?.kind !== 'open') continue
    const tag = raw(xml.text, token)
    const { local } = splitName(nameOf(tag))
    if (local !== 'mrk' || attributeOf(tag, 'mtype') !== 'seg') continue
    const close = xml.closing[at] ?? at
    found.push({ open: at, close, local, tag })
    at = close
  }
  return found
}

/**
 * Without a target that has these segments, they form one, with the text between them from the
 * source.
 */
function placeTogether(
  xml: Xml,
  { id, source, target, about }: XliffPair,
  cut: Element,
  pairs: readonly { segment: Element; mid: string }[],
): SegmentPlace[] {
  const slot = slotOf(xml, source, target, cut)
  const [first, last] = slot.around ?? ['', '']
  const between = (from: number, to: number) =>
    xml.text.slice(xml.tokens[from]?.end, xml.tokens[to]?.start)
  return pairs.map(({ segment, mid }, at) => {
    const spellings: Spellings = new Map()
    const pieces = contentOf(xml, segment, spellings)
    const [previous, isLast] = [pairs[at - 1]?.segment, at === pairs.length - 1]
    const lead = previous ? '' : first + between(cut.open, segment.open)
    const trail = isLast
      ? between(segment.close, cut.close) + last
      : between(segment.close, pairs[at + 1]?.segment.open ?? segment.close)
    const closing = xml.tokens[segment.close]
    return {
      id: `${id}/${escapeId(mid)}`,
      pieces,
      target: [],
      start: at === 0 ? slot.start : slot.end,
      end: slot.end,
      spell: (text: string) => spellText(text, spellings),
      around: [lead + segment.tag, (closing ? raw(xml.text, closing) : '') + trail] as const,
      together: id,
      about,
      ...(at === 0 && slot.also && { also: slot.also }),
    }
  })
}
