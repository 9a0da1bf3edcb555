/**
 * Joins the sentences of a paragraph again. Unchanged sentences give the parts of the paragraph.
 */
import type { Part } from '../placeholders/part.ts'
import { sameParts } from '../placeholders/parts.ts'
import type { CutParagraph } from './cut-parts.ts'

export type Languages = { readonly language: string; readonly targetLanguage: string }

/**
 * A sentence without a target keeps its source. An empty target leaves out the blanks before it, so
 * that two sentences can become one. Where one of the languages writes no blanks between sentences,
 * a translated paragraph has those of the target language.
 */
export function joinParagraph(
  { sentences, between }: CutParagraph,
  targets: readonly (readonly Part[] | undefined)[],
  languages: Languages,
): Part[] {
  const isChanged = sentences.some((source, at) => !sameParts(targets[at] ?? source, source))
  const parts = [...(between[0] ?? [])]
  let isBegun = false
  for (const [at, source] of sentences.entries()) {
    const target = targets[at] ?? source
    if (target.length === 0) continue
    const gap = between[at] ?? []
    if (isBegun) for (const one of isChanged ? gapIn(gap, languages) : gap) parts.push(one)
    for (const one of target) parts.push(one)
    isBegun = true
  }
  return [...parts, ...(between.at(-1) ?? [])]
}

const isSpaced = (language: string): boolean => !/^(?:ja|zh|yue)(?:[-_]|$)/i.test(language)

function gapIn(gap: readonly Part[], { language, targetLanguage }: Languages): readonly Part[] {
  if (isSpaced(language) === isSpaced(targetLanguage)) return gap
  if (isSpaced(targetLanguage)) return gap.length === 0 ? [{ type: 'text', text: ' ' }] : gap
  return gap.every((part) => part.type === 'text' && /^[ \u3000]*$/.test(part.text)) ? [] : gap
}
