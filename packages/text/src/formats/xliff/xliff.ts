/**
 * What XLIFF 1.2 and 2.x share: the places of a source with its target. A missing target is
 * inserted after the source, on its own line if the source is on its own line.
 */

import type { FormatOptions } from '@dragoman/contract/wire'
import type { Piece } from '../../placeholders/protect.ts'
import { type Edit, escapeId, type SegmentPlace } from '../define-format.ts'
import type { Target } from '../format.ts'
import { childrenOf, type Element, eachChild, isEmpty, prefixOf } from '../xml/xml-elements.ts'
import type { Xml } from '../xml/xml-scan.ts'
import { attributeOf, attributesOf, setAttribute, withoutEnd } from '../xml/xml-tags.ts'
import { type Spellings, sourceOf, spellText } from '../xml/xml-text.ts'
import { inlinePieces } from './xliff-inline.ts'

/** `translate` of an element, or inherited from the element around it. */
export const isTranslatable = (element: Element, outer: boolean): boolean => {
  const said = attributeOf(element.tag, 'translate')
  return said === undefined ? outer : said !== 'no'
}

export const filesOf = (xml: Xml): Element[] =>
  childrenOf(xml, undefined).flatMap((root) =>
    childrenOf(xml, root).filter(({ local }) => local === 'file'),
  )

/** A unit with its id in the file. */
export type Unit = { readonly id: string; readonly element: Element }

/**
 * The translatable units below an element, in groups of any depth. `root` has the name of their
 * element and the start of their ids.
 */
export function* unitsIn(
  xml: Xml,
  parent: Element,
  isOpen: boolean,
  root: { readonly local: string; readonly path: string },
): Generator<Unit> {
  for (const element of eachChild(xml, parent)) {
    const isChildOpen = isTranslatable(element, isOpen)
    if (element.local === 'group') yield* unitsIn(xml, element, isChildOpen, root)
    else if (element.local === root.local && isChildOpen)
      yield { id: `${root.path}/${escapeId(attributeOf(element.tag, 'id') ?? '')}`, element }
  }
}

export const contentOf = (xml: Xml, element: Element, spellings: Spellings): Piece[] =>
  isEmpty(element) ? [] : inlinePieces(xml, element.open + 1, element.close, spellings)

/**
 * States of a target that is still to be translated; any other state, or none, means that it is
 * translated.
 */
const unfinished = /^(?:new|needs-translation|needs-l10n|initial)$/

/**
 * A target that differs from its source and is not marked unfinished stays, unless an option says
 * otherwise.
 */
export const isHeld = (
  { xliff }: FormatOptions,
  state: string | undefined,
  source: readonly Piece[],
  target: readonly Piece[],
): boolean =>
  xliff?.targets !== 'replace' &&
  !unfinished.test(state ?? '') &&
  target.some((piece) => 'text' in piece && piece.text.trim() !== '') &&
  sourceOf(source) !== sourceOf(target)

type Slot = Pick<SegmentPlace, 'start' | 'end' | 'around' | 'also'>

/** Where the content of a target goes, whether the element exists, is empty or is missing. */
export function slotOf(
  xml: Xml,
  source: Element,
  target: Element | undefined,
  after: Element = source,
): Slot {
  const token = (at: number) => xml.tokens[at] ?? { start: 0, end: 0 }
  if (target && !isEmpty(target)) {
    const also = ({ targetLanguage }: Target) => refresh(xml, target, targetLanguage)
    return { start: token(target.open).end, end: token(target.close).start, also }
  }
  const prefix = prefixOf(source)
  const name = prefix ? `${prefix}:target` : 'target'
  if (target) {
    const { start, end } = token(target.open)
    return { start, end, around: [`${withoutEnd(target.tag)}>`, `</${name}>`] }
  }
  const at = token(after.close).end
  const before = xml.text.slice(token(source.open - 1).start, token(source.open).start)
  const indent = /(?:\r\n|\r|\n)[ \t]*$/.exec(before)?.[0] ?? ''
  return { start: at, end: at, around: [`${indent}<${name}>`, `</${name}>`] }
}

/** The same for an element whose targets are segments inside it. */
export const refreshing =
  (xml: Xml, target: Element) =>
  ({ targetLanguage }: Target): Edit[] =>
    refresh(xml, target, targetLanguage)

/** Removes from a target the state of an unfinished translation, and updates its language. */
function refresh(xml: Xml, target: Element, language: string): Edit[] {
  return attributesOf(target.tag).flatMap(({ name, value }) => {
    if (name === 'xml:lang') return setAttribute(xml, target, [name, language])
    const isStale = name === 'state' && unfinished.test(value)
    return isStale ? setAttribute(xml, target, [name, 'translated']) : []
  })
}

/** A source with its target, if there is one. */
export type XliffPair = {
  readonly id: string
  readonly source: Element
  readonly target: Element | undefined
  readonly about: SegmentPlace['about']
}
export type Holds = (source: readonly Piece[], target: readonly Piece[]) => boolean

export function placePair(
  xml: Xml,
  { id, source, target, about }: XliffPair,
  holds: Holds,
): SegmentPlace {
  const spellings: Spellings = new Map()
  const pieces = contentOf(xml, source, spellings)
  const there = target ? contentOf(xml, target, new Map()) : []
  const { start, end, around, also } = slotOf(xml, source, target)
  const spell = (text: string): string => spellText(text, spellings)
  return {
    id,
    pieces,
    target: there,
    held: holds(pieces, there),
    start,
    end,
    spell,
    around,
    also,
    about,
  }
}
