/** The elements of an XML document, one level at a time. */
import { raw } from './xml-content.ts'
import type { Xml } from './xml-scan.ts'
import { nameOf, splitName } from './xml-tags.ts'

/** An element with the indices of its two tags; an empty element has one tag. */
export type Element = {
  readonly open: number
  readonly close: number
  readonly local: string
  readonly tag: string
}

/** The direct children with the prefix of the root, so that other vocabularies are left out. */
export const childrenOf = (xml: Xml, parent: Element | undefined): Element[] => [
  ...eachChild(xml, parent),
]

/** One by one, for elements with many. */
export function* eachChild(
  { text, tokens, closing }: Xml,
  parent: Element | undefined,
): Generator<Element> {
  const to = parent ? parent.close : tokens.length
  const outer = parent && prefixOf(parent)
  for (let at = parent ? parent.open + 1 : 0; at < to; at++) {
    const token = tokens[at]
    if (token?.kind !== 'open' && token?.kind !== 'empty') continue
    const close = closing[at] ?? at
    const tag = raw(text, token)
    const { prefix, local } = splitName(nameOf(tag))
    if (outer === undefined || prefix === outer) yield { open: at, close, local, tag }
    at = close
  }
}

/** The children of the root. */
export function* eachOfRoot(xml: Xml): Generator<Element> {
  for (const root of childrenOf(xml, undefined)) yield* eachChild(xml, root)
}

export const prefixOf = ({ tag }: Element): string => splitName(nameOf(tag)).prefix
export function childOf(xml: Xml, parent: Element, local: string): Element | undefined {
  for (const child of eachChild(xml, parent)) if (child.local === local) return child
  return undefined
}

export const isEmpty = (element: Element): boolean => element.open === element.close
