/** Names and attributes of XML tags, and edits that set an attribute. */
import type { Edit } from '../define-format.ts'
import type { Xml } from './xml-scan.ts'
import { readCharacters, sourceOf, spellAttribute } from './xml-text.ts'

export type Attribute = {
  readonly name: string
  readonly value: string
  readonly start: number
  readonly end: number
}

/** The name, with its prefix, of `<a `, `<a>`, `<a/>` or `</a>`. */
export function nameOf(tag: string): string {
  const from = tag.charAt(1) === '/' ? 2 : 1
  let to = from
  while (to < tag.length && !endsName(tag.charCodeAt(to))) to += 1
  return tag.slice(from, to)
}

/** A blank, `/` or `>`: XML has no other blanks in tags. */
const endsName = (code: number): boolean =>
  code === 62 || code === 47 || code === 32 || (code >= 9 && code <= 13)

export const splitName = (name: string): { prefix: string; local: string } => {
  const colon = name.indexOf(':')
  return colon < 0
    ? { prefix: '', local: name }
    : { prefix: name.slice(0, colon), local: name.slice(colon + 1) }
}

const attribute = /\s([^\s=/>"']+)\s*=\s*(?:"([^"]*)"|'([^']*)')/g

/** The ranges of the values are relative to the start of the tag and exclude the quotes. */
export function attributesOf(tag: string): Attribute[] {
  if (!tag.includes('=')) return []
  attribute.lastIndex = 0
  return [...tag.matchAll(attribute)].map((found) => {
    const raw = found[2] ?? found[3] ?? ''
    const end = found.index + found[0].length - 1
    return { name: found[1] ?? '', value: plain(raw), start: end - raw.length, end }
  })
}

/** The tag without its closing bracket, slash and the blanks before them. */
export const withoutEnd = (tag: string): string =>
  tag.slice(0, tag.endsWith('/>') ? -2 : -1).trimEnd()

const plain = (raw: string): string =>
  raw.includes('&') ? sourceOf(readCharacters(raw, new Map())) : raw

export function attributeOf(tag: string, name: string): string | undefined {
  if (!tag.includes(name)) return undefined
  attribute.lastIndex = 0
  for (let found = attribute.exec(tag); found; found = attribute.exec(tag))
    if (found[1] === name) return plain(found[2] ?? found[3] ?? '')
  return undefined
}

/**
 * Sets an attribute; a missing one is inserted after the attribute `after`, or at the end of the
 * tag.
 */
export function setAttribute(
  { tokens }: Xml,
  { open, tag }: { readonly open: number; readonly tag: string },
  [name, value]: readonly [name: string, value: string],
  after?: string,
): Edit[] {
  const from = tokens[open]?.start ?? 0
  const all = attributesOf(tag)
  const there = all.find((attribute) => attribute.name === name)
  if (there?.value === value) return []
  const text = spellAttribute(value)
  if (there) return [{ start: from + there.start, end: from + there.end, text }]
  const neighbour = all.find((attribute) => attribute.name === after)
  const at = from + (neighbour ? neighbour.end + 1 : withoutEnd(tag).length)
  return [{ start: at, end: at, text: ` ${name}="${text}"` }]
}
