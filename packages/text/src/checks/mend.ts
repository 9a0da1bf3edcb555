/** Changes of a text that keep its tags: at its start, at its end, or in its strings. */
import type { TextParts } from '@dragoman/contract/wire'
import { joined } from '../placeholders/wire-texts.ts'

export const mapStrings = (parts: TextParts, change: (text: string) => string): TextParts =>
  joined(parts.map((part) => (typeof part === 'string' ? change(part) : part)))

/** The string at the start; empty if the text starts with a tag. */
export const firstOf = (parts: TextParts): string => (typeof parts[0] === 'string' ? parts[0] : '')
export function lastOf(parts: TextParts): string {
  const last = parts.at(-1)
  return typeof last === 'string' ? last : ''
}

export function changeFirst(parts: TextParts, change: (text: string) => string): TextParts {
  return typeof parts[0] === 'string'
    ? joined([change(parts[0]), ...parts.slice(1)])
    : joined([change(''), ...parts])
}

export function changeLast(parts: TextParts, change: (text: string) => string): TextParts {
  const last = parts.at(-1)
  return typeof last === 'string'
    ? joined([...parts.slice(0, -1), change(last)])
    : joined([...parts, change('')])
}

/** The white space at the start and at the end of a text, from these characters. */
export function edgesOf(
  text: string,
  isEdge: (character: string) => boolean,
): { before: string; after: string } {
  let from = 0
  while (from < text.length && isEdge(text.charAt(from))) from += 1
  let until = text.length
  while (until > from && isEdge(text.charAt(until - 1))) until -= 1
  return { before: text.slice(0, from), after: text.slice(until) }
}
