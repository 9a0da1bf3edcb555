/**
 * Tags as characters of a document. Each tag is one private-use character, a single code unit, so
 * that no edit can leave half of one. The characters are chosen for the segment: none of them
 * stands in its texts, so letters of an icon font stay letters.
 */
import type { TextTag } from '@dragoman/contract/wire'
import { countTags, joined, type TextPart } from './texts.ts'

export type TagCharacters = {
  readonly tags: readonly TextTag[]
  /**
   * How often a target may have the tag that this character stands for; 0 for any other character.
   */
  times(character: string): number
  tagAt(character: string): TextTag | undefined
  characterOf(tag: number): string | undefined
  /** Tags that the segment lacks are left out. */
  write(text: readonly TextPart[]): string
  read(document: string): TextPart[]
  /** The text without any tag. */
  strip(document: string): string
}

const first = 0xe000
const last = 0xf8ff

/** Undefined if the segment has more tags than there are free characters. */
export function openTagCharacters(
  tags: readonly TextTag[],
  texts: readonly (readonly TextPart[])[],
  source: readonly TextPart[] = [],
): TagCharacters | undefined {
  const base = findFree(tags.length, texts.concat([source]))
  if (base === undefined) return undefined
  const inSource = countTags(source)
  const indexOf = new Map(tags.map(({ tag }, at) => [tag, at]))
  const tagAt = (character: string) => tags[character.charCodeAt(0) - base]
  const characterOf = (tag: number) => {
    const at = indexOf.get(tag)
    return at === undefined ? undefined : String.fromCharCode(base + at)
  }
  const strip = (text: string) => [...text].filter((character) => !tagAt(character)).join('')
  return {
    tags,
    tagAt,
    characterOf,
    times(character) {
      const found = tagAt(character)
      return found ? Math.max(1, inSource.get(found.tag) ?? 0) : 0
    },
    write: (text) =>
      text
        .map((part) => (typeof part === 'string' ? strip(part) : (characterOf(part.tag) ?? '')))
        .join(''),
    read(document) {
      const out: TextPart[] = []
      let start = 0
      for (let at = 0; at < document.length; at += 1) {
        const found = tagAt(document.charAt(at))
        if (!found) continue
        out.push(document.slice(start, at), { tag: found.tag })
        start = at + 1
      }
      out.push(document.slice(start))
      return joined(out)
    },
    strip,
  }
}

/** The first character of a row of `count` that stands in none of the texts. */
function findFree(count: number, texts: readonly (readonly TextPart[])[]): number | undefined {
  const used = new Set<number>()
  for (const part of texts.flat()) {
    if (typeof part !== 'string') continue
    for (let at = 0; at < part.length; at += 1) {
      const code = part.charCodeAt(at)
      if (code >= first && code <= last) used.add(code)
    }
  }
  let base = first
  while (base + count - 1 <= last) {
    let taken: number | undefined
    for (let code = base; code < base + count; code += 1) if (used.has(code)) taken = code
    if (taken === undefined) return base
    base = taken + 1
  }
  return undefined
}
