/**
 * The inline content of a source or target of XLIFF as a text with tags. What the segment does not
 * have is a fault in words.
 */
import type { TextParts, TextTag } from '@dragoman/contract/wire'
import { raw } from '../formats/xml/xml-content.ts'
import type { Element } from '../formats/xml/xml-elements.ts'
import type { Xml } from '../formats/xml/xml-scan.ts'
import { attributeOf, nameOf, splitName } from '../formats/xml/xml-tags.ts'

export type ReadText = { readonly text: TextParts; readonly fault?: string }

/** Elements whose content is text. */
const spoken: ReadonlySet<string> = new Set(['g', 'pc'])
/** Marks of a tool around text: they say nothing about the file. */
const transparent: ReadonlySet<string> = new Set(['mrk', 'sm', 'em'])
const singles: ReadonlySet<string> = new Set([
  'x',
  'bx',
  'ex',
  'bpt',
  'ept',
  'it',
  'ph',
  'sc',
  'ec',
  'cp',
])

export function readInline(
  xml: Xml,
  { open, close }: Pick<Element, 'open' | 'close'>,
  tags: readonly TextTag[],
): ReadText {
  const { text: whole, tokens, closing } = xml
  const text: TextParts = []
  const after = new Map<number, TextParts[number]>()
  let fault: string | undefined
  for (let at = open + 1; at < close; at += 1) {
    const token = tokens[at]
    if (!token) break
    const source = raw(whole, token)
    if (token.kind === 'text') text.push(charactersIn(source))
    else if (token.kind === 'cdata') text.push(source.slice(9, -3))
    else if (token.kind === 'close') {
      const end = after.get(at)
      if (end !== undefined) text.push(end)
    } else if (token.kind === 'open' || token.kind === 'empty') {
      const { local } = splitName(nameOf(source))
      if (transparent.has(local)) continue
      const end = closing[at] ?? at
      const found = spoken.has(local)
        ? pairOf(source, tags)
        : singles.has(local)
          ? singleOf(local, source, tags)
          : []
      if (found.length === 0) fault ??= `It has ${shownTag(source)}, which is not in its source.`
      const [first, second] = found
      if (first !== undefined) text.push(first)
      if (!spoken.has(local)) at = end
      else if (second !== undefined) {
        if (end > at) after.set(end, second)
        else text.push(second)
      }
    }
  }
  return { text: text.filter((part) => part !== ''), ...(fault !== undefined && { fault }) }
}

const shownTag = (tag: string): string => tag.slice(0, 100).toWellFormed()

function numberIn(tag: string, name: string): number {
  const id = attributeOf(tag, name) ?? ''
  return /^\d{1,6}$/.test(id) ? Number(id) : 0
}

/** The two tags of an element with content. */
function pairOf(tag: string, tags: readonly TextTag[]): TextParts {
  const first = tags[numberIn(tag, 'id') - 1]
  return first?.kind === 'OPEN' && first.pair !== undefined
    ? [{ tag: first.tag }, { tag: first.pair }]
    : []
}

function singleOf(local: string, tag: string, tags: readonly TextTag[]): TextParts {
  const code =
    /^u([\da-f]{1,4})$/.exec(attributeOf(tag, 'id') ?? '')?.[1] ?? attributeOf(tag, 'hex')
  if (code !== undefined && /^[\da-fA-F]{1,4}$/.test(code))
    return [String.fromCharCode(Number.parseInt(code, 16))]
  const found = tags[(numberIn(tag, 'id') || numberIn(tag, 'startRef')) - 1]
  if (!found) return []
  const isEnd = local === 'ept' || local === 'ex' || local === 'ec'
  // The two ends of a pair may share the number of the first.
  return [{ tag: isEnd && found.kind === 'OPEN' ? (found.pair ?? found.tag) : found.tag }]
}

const predefined: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
}

/** The parser has refused every reference that XML does not know. */
function charactersIn(source: string): string {
  const text = source.replace(/\r\n?/g, '\n')
  if (!text.includes('&')) return text
  return text.replace(
    /&(?:#x([\da-fA-F]{1,6})|#(\d{1,7})|([a-z]{2,4}));/g,
    (all, hex, decimal, name) => {
      if (name !== undefined) return predefined[name] ?? all
      const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16)
      return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : all
    },
  )
}
