/** The value of an XML attribute as a place of text. */

import { buildParts, hasText } from '../../placeholders/parts.ts'
import type { SegmentPlace } from '../define-format.ts'
import { readCharacters, type Spellings, spellText } from './xml-text.ts'

/** XML reads a line end or a tab in a value as a blank. */
const asRead = (text: string): string => text.replace(/\r\n|[\t\r\n]/g, ' ')

/** `start` and `end` are inside the quotes. Undefined if there is nothing to translate. */
export function placeAttribute(text: string, start: number, end: number): SegmentPlace | undefined {
  const spellings: Spellings = new Map()
  const pieces = readCharacters(asRead(text.slice(start, end)), spellings)
  const quote = text.charAt(start - 1)
  const spell = (words: string): string =>
    spellText(asRead(words), spellings).replaceAll(quote, quote === '"' ? '&quot;' : '&apos;')
  return hasText(buildParts(pieces, spell)) ? { pieces, start, end, spell } : undefined
}
