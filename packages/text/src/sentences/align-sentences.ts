/**
 * The targets of segments in a translation that was delivered as a whole. It is read by paragraphs;
 * its sentences count only where there are as many as in the source and joining them gives the
 * delivered paragraph. Otherwise the first sentence has it all.
 */

import type { Part } from '../placeholders/part.ts'
import { sameParts } from '../placeholders/parts.ts'
import type { Cut } from './cut-parts.ts'
import { type CutParagraph, cutParts } from './cut-parts.ts'
import { joinParagraph } from './join-paragraph.ts'

type Unit = {
  readonly id: string
  readonly parts: readonly Part[]
  readonly target?: readonly Part[]
  readonly of?: Unit
}
export type Aligned = {
  readonly targets: ReadonlyMap<string, readonly Part[]>
  /** Paragraphs whose sentences do not pair, with their text, by their id. */
  readonly unlike: ReadonlyMap<string, string>
}

export function alignSegments(
  before: readonly Unit[],
  after: readonly Unit[],
  cut: (Cut & { readonly targetLanguage: string }) | undefined,
): Aligned {
  const whole = new Map(after.map(({ id, parts, target }) => [id, target ?? parts]))
  const targets = new Map<string, readonly Part[]>()
  const unlike = new Map<string, string>()
  const paragraphs = new Map<string, { of: Unit; ids: string[] }>()
  for (const { id, of } of before) {
    const target = whole.get(id)
    if (target && !of) targets.set(id, target)
    if (!of || !cut) continue
    const known = paragraphs.get(of.id)
    if (known) known.ids.push(id)
    else paragraphs.set(of.id, { of, ids: [id] })
  }
  for (const { of, ids } of paragraphs.values()) {
    const target = whole.get(of.id)
    const source = target && cut && cutParts(of.parts, cut.language)
    if (!source) continue
    const sentences = sentencesOf(source, target, cut)
    if (!sentences)
      unlike.set(of.id, target.map((part) => (part.type === 'text' ? part.text : '')).join(''))
    const own = sentences ?? [innerOf(source, target)]
    for (const [at, id] of ids.entries()) targets.set(id, own[at] ?? [])
  }
  return { targets, unlike }
}

function sentencesOf(
  source: CutParagraph,
  target: readonly Part[],
  cut: Cut & { readonly targetLanguage: string },
): readonly (readonly Part[])[] | undefined {
  const sentences = cutParts(target, cut.targetLanguage)?.sentences
  if (sentences?.length !== source.sentences.length) return undefined
  return sameParts(joinParagraph(source, sentences, cut), target) ? sentences : undefined
}

/** Removes the pairs around the whole paragraph, which stand outside of its sentences. */
function innerOf({ between }: CutParagraph, target: readonly Part[]): readonly Part[] {
  const [before = [], after = []] = [between[0], between.at(-1)]
  const [from, to] = [before.length, target.length - after.length]
  const hasBoth =
    from <= to && sameParts(target.slice(0, from), before) && sameParts(target.slice(to), after)
  return hasBoth ? target.slice(from, to) : target
}
