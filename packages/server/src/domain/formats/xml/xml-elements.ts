/** The elements of an XML document, one level at a time. */
import { raw } from './xml-content.ts'
import type { Xml } from './xml-scan.ts'
import { nameOf, splitName } from './xml-tags.ts'

/** An element with the indices of its two tags; an empty element has one tag. */
export type Element = { readonly open: number; readonly close: number; readonly local: string; readonly tag: string }

/** The direct children with the prefix of the root, so that other vocabularies are left out. */
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

/** The children of the root. */
export const childrenOfRoot = (xml: Xml): Element[] =>
  childrenOf(xml, undefined).flatMap((root) => childrenOf(xml, root))

export const prefixOf = ({ tag }: Element): string => splitName(nameOf(tag)).prefix
export const childOf = (xml: Xml, parent: Element, local: string): Element | undefined =>
  childrenOf(xml, parent).find((child) => child.local === local)

export const isEmpty = (element: Element): boolean => element.open === element.close
