/**
 * A segment as one string, and a translation of it back in parts. Codes are written as in the file
 * where that is clear. In `2 * 3 is *six*` the first asterisk is text and the others are not: there
 * each code is written as a number in brackets, which no text contains.
 */
import type { TextTag } from '@dragoman/contract/wire'
import { partsIn } from '../likeness/texts.ts'
import type { Part } from '../placeholders/part.ts'
import { rawOf } from '../placeholders/parts.ts'
import { codesOf, fromWire, targetToWire, toWire } from '../placeholders/wire-texts.ts'

export type Spelled = { readonly text: string; readonly codes: readonly string[] }

/** The codes of a source: what stands for each, by its number. */
function spellingOf(parts: readonly Part[]): readonly TextTag[] {
  const { text, tags } = toWire(parts)
  if (tags.length === 0) return tags
  const isClear = JSON.stringify(partsIn(rawOf(parts), tags)) === JSON.stringify(text)
  return isClear ? tags : tags.map((tag) => ({ ...tag, shows: `⟦${tag.tag}⟧` }))
}

export function spellCodes(parts: readonly Part[]): Spelled {
  const spelling = spellingOf(parts)
  let at = 0
  const text = parts
    .map((part) => (part.type === 'text' ? part.text : (spelling[at++]?.shows ?? '')))
    .join('')
  return { text, codes: codesOf(parts).map(({ raw }) => raw) }
}

/** An existing translation, its codes spelled as those of its source. */
export function spellTarget(source: readonly Part[], target: readonly Part[]): string {
  const spelling = spellingOf(source)
  return targetToWire(source, target)
    .map((part) => (typeof part === 'string' ? part : (spelling[part.tag - 1]?.shows ?? '')))
    .join('')
}

/** The parts of a translation: where it spells a code of its source, that code stands. */
export function readSpelled(source: readonly Part[], text: string): readonly Part[] {
  const spelling = spellingOf(source)
  if (spellCodes(source).text === text) return source
  const codes = codesOf(source)
  return fromWire(spelling, partsIn(text, spelling)).map((part) =>
    part.type === 'code' ? (codes[part.id - 1] ?? part) : part,
  )
}
