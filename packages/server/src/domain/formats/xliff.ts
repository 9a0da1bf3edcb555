/**
 * What XLIFF 1.2 and 2.x share: the walk through the elements, and the places of a source with its target. A missing
 * target is put in behind the source, on a line of its own where the source has one.
 */

import type { Edit, Place } from './define-format.ts'
import type { Target } from './format.ts'
import type { Piece } from './protect.ts'
import { inlinePieces } from './xliff-inline.ts'
import { raw } from './xml-content.ts'
import type { Xml } from './xml-scan.ts'
import { attributeOf, attributesOf, nameOf, setAttribute, splitName, withoutEnd } from './xml-tags.ts'
import { type Spellings, spellText } from './xml-text.ts'

/** An element: the indices of its two tags, which are one in an empty element. */
export type Element = { readonly open: number; readonly close: number; readonly local: string; readonly tag: string }

/** The elements directly inside, of the vocabulary of the root alone: those with its prefix. */
export function childrenOf(xml: Xml, parent: Element | undefined): Element[] {
  const from = parent ? parent.open + 1 : 0
  const to = parent ? parent.close : xml.tokens.length
  const children: Element[] = []
  for (let at = from; at < to; at++) {
    const token = xml.tokens[at]
    if (token?.kind !== 'open' && token?.kind !== 'empty') continue
    const close = xml.closing[at] ?? at
    const tag = raw(xml.text, token)
    const { prefix, local } = splitName(nameOf(tag))
    if (!parent || prefix === prefixOf(parent)) children.push({ open: at, close, local, tag })
    at = close
  }
  return children
}

export const prefixOf = ({ tag }: Element): string => splitName(nameOf(tag)).prefix
export const childOf = (xml: Xml, parent: Element, local: string): Element | undefined =>
  childrenOf(xml, parent).find((child) => child.local === local)

/** `translate` of an element, else of the one around it. */
export const isTranslatable = (element: Element, outer: boolean): boolean => {
  const said = attributeOf(element.tag, 'translate')
  return said === undefined ? outer : said !== 'no'
}

const isEmpty = (element: Element): boolean => element.open === element.close

export const contentOf = (xml: Xml, element: Element, spellings: Spellings): Piece[] =>
  isEmpty(element) ? [] : inlinePieces(xml, element.open + 1, element.close, spellings)

type Slot = Pick<Place, 'start' | 'end' | 'around' | 'also'>

/** Where the content of a target goes, whether the element is there, empty or missing. */
export function slotOf(xml: Xml, source: Element, target: Element | undefined, after: Element = source): Slot {
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

/** A target that says it is still to be translated, or names a language, must not say so any longer. */
function refresh(xml: Xml, target: Element, language: string): Edit[] {
  const token = xml.tokens[target.open]
  if (!token) return []
  return attributesOf(target.tag).flatMap(({ name, value }) => {
    if (name === 'xml:lang') return setAttribute(target.tag, token, name, language)
    const isStale = name === 'state' && /^(new|needs-translation)$/.test(value)
    return isStale ? setAttribute(target.tag, token, name, 'translated') : []
  })
}

export function placePair(xml: Xml, id: string, source: Element, target: Element | undefined): Place {
  const spellings: Spellings = new Map()
  const pieces = contentOf(xml, source, spellings)
  return {
    id,
    pieces,
    target: target ? contentOf(xml, target, new Map()) : [],
    spell: (text) => spellText(text, spellings),
    ...slotOf(xml, source, target),
  }
}
