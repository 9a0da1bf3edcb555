/**
 * Cuts the parts of a paragraph into sentences. The sentences and what is between them, joined, are
 * the paragraph again. Blanks and line breaks between two sentences belong to neither. A pair of
 * tags is never cut apart; one that encloses the whole paragraph stays outside.
 */

import { isBlank } from '../placeholders/letters.ts'
import type { CodePart, Part } from '../placeholders/part.ts'
import { hasText } from '../placeholders/parts.ts'
import { sentenceStarts } from './find-sentences.ts'

/** Cuts running text into sentences, by the rules of the language of the source. */
export type Cut = { readonly language: string }

export type CutParagraph = {
  readonly sentences: readonly (readonly Part[])[]
  /** Before the first sentence, between each two, and after the last. */
  readonly between: readonly (readonly Part[])[]
}

/** Undefined if the paragraph is one sentence. */
export function cutParts(parts: readonly Part[], language: string): CutParagraph | undefined {
  if (parts.some((part) => part.type === 'code' && part.kind === 'icu')) return undefined
  const [from, to] = unwrap(parts)
  const inner = parts.slice(from, to)
  const plain = inner.map(plainOf)
  const text = plain.join('')
  const gaps = sentenceStarts(text, language).map((start) => ({
    end: trimmedEnd(text, start),
    start,
  }))
  if (gaps.length === 0) return undefined
  const atoms = atomsOf(inner, plain, gaps)
  const cuts = cutsOf(atoms, gaps)
  if (cuts.length === 0) return undefined
  const own = atoms.map(({ part }) => part)
  let [first, last] = [0, own.length]
  while (isBlankPart(own[first])) first += 1
  while (isBlankPart(own[last - 1])) last -= 1
  const edges = [first, ...cuts.flat(), last]
  const runs = edges.slice(1).map((end, at) => own.slice(edges[at], end))
  return {
    sentences: runs.filter((_, at) => at % 2 === 0),
    between: [
      [...parts.slice(0, from), ...own.slice(0, first)],
      ...runs.filter((_, at) => at % 2 === 1),
      [...own.slice(last), ...parts.slice(to)],
    ],
  }
}

/** The range of parts within all pairs that enclose the whole. */
function unwrap(parts: readonly Part[]): [from: number, to: number] {
  let [from, to] = [0, parts.length]
  for (;;) {
    let [first, last] = [from, to - 1]
    while (first < last && isBlankPart(parts[first])) first += 1
    while (first < last && isBlankPart(parts[last])) last -= 1
    const [open, close] = [parts[first], parts[last]]
    const isPair =
      open?.type === 'code' &&
      close?.type === 'code' &&
      open.pair === 'open' &&
      open.id === close.id
    if (!isPair || close.pair !== 'close') return [from, to]
    from = first + 1
    to = last
  }
}

/** An entity that stands for a blank. */
export const blankEntity = /^&(?:nbsp|ensp|emsp|thinsp|#160|#xa0|#32|#x20|#10|#13|#9);$/i
export const lineBreak = /^<(?:br|lb)\b/i

const isBlankCode = ({ kind, raw }: CodePart): boolean =>
  kind === 'newline' || blankEntity.test(raw) || lineBreak.test(raw)
const isBlankPart = (part: Part | undefined): boolean =>
  part?.type === 'text' ? isBlank(part.text) : part !== undefined && isBlankCode(part)

/** What a part is to the rules of sentences: a tag is nothing, and any other code is a name. */
function plainOf(part: Part): string {
  if (part.type === 'text') return part.text
  if (isBlankCode(part)) return ' '
  return part.kind.startsWith('tag-') ? '' : 'Name'
}

/** A part, or a piece of a text, with its range in the plain text. */
type Atom = { readonly part: Part; readonly from: number; readonly to: number }
/** Where a sentence ends and the next one starts, in the plain text. */
type Gap = { readonly end: number; readonly start: number }

function trimmedEnd(text: string, before: number): number {
  let end = before
  while (end > 0 && isBlank(text.charAt(end - 1))) end -= 1
  return end
}

/** The parts, with texts split at both ends of each gap. */
function atomsOf(parts: readonly Part[], plain: readonly string[], gaps: readonly Gap[]): Atom[] {
  const seams = gaps.flatMap(({ end, start }) => [end, start])
  const atoms: Atom[] = []
  let next = 0
  let at = 0
  parts.forEach((part, index) => {
    const begin = at
    const end = at + (plain[index]?.length ?? 0)
    if (part.type === 'text') {
      for (; next < seams.length && (seams[next] ?? end) < end; next += 1)
        add(part.text.slice(at - begin), seams[next] ?? at)
      add(part.text.slice(at - begin), end)
    } else atoms.push({ part, from: at, to: end })
    at = end
  })
  return atoms

  function add(rest: string, to: number): void {
    if (to > at) atoms.push({ part: { type: 'text', text: rest.slice(0, to - at) }, from: at, to })
    at = Math.max(at, to)
  }
}

/** The ranges of atoms that are between two sentences, where the paragraph can be cut. */
function cutsOf(atoms: readonly Atom[], gaps: readonly Gap[]): [from: number, to: number][] {
  const parts = atoms.map(({ part }) => part)
  const cuts: [number, number][] = []
  let begin = 0
  let at = 0
  let depth = 0
  for (const { end, start } of gaps) {
    for (; at < atoms.length && (atoms[at]?.from ?? end) < end; at += 1) depth += depthOf(parts[at])
    const first = at
    for (; at < atoms.length && (atoms[at]?.to ?? 0) <= start; at += 1) depth += depthOf(parts[at])
    const [from, to] = narrow(parts, first, at)
    const inside = parts.slice(to, at).reduce((sum, part) => sum + depthOf(part), 0)
    if (depth - inside !== 0 || !hasText(parts.slice(begin, from))) continue
    cuts.push([from, to])
    begin = to
  }
  if (!hasText(parts.slice(begin))) cuts.pop()
  return cuts
}

const isPaired = (part: Part | undefined, side: 'open' | 'close'): boolean =>
  part?.type === 'code' && part.pair === side
const depthOf = (part: Part | undefined): number =>
  isPaired(part, 'open') ? 1 : isPaired(part, 'close') ? -1 : 0

/**
 * What closes stays with the sentence before, and what opens goes to the next; so does any other
 * code beside it.
 */
function narrow(parts: readonly Part[], first: number, end: number): [from: number, to: number] {
  let from = first
  for (let at = first; at < end; at += 1) if (isPaired(parts[at], 'close')) from = at + 1
  while (from < end && !isBlankPart(parts[from]) && !isPaired(parts[from], 'open')) from += 1
  let to = from
  while (to < end && !isPaired(parts[to], 'open')) to += 1
  while (to > from && !isBlankPart(parts[to - 1])) to -= 1
  return [from, to]
}
