/**
 * The segments of a content for quotes and the memory: text, word counts and neighbours. Pure, and
 * run in a worker (read-segments.ts) because a file may be large or hostile.
 */

import type { TextParts } from '@dragoman/contract/wire'
import { type Counts, countParts } from '@dragoman/text/counting'
import {
  type About,
  type Cut,
  findFormat,
  type Named,
  optionsOf,
  type Part,
} from '@dragoman/text/formats'
import { contextOf, plainSource } from '@dragoman/text/likeness'
import { buildParts, targetToWire } from '@dragoman/text/placeholders'
import { alignSegments } from '@dragoman/text/sentences'

export type CountedSegment = {
  readonly source: string
  readonly context?: string | undefined
  readonly counts: Counts
}
export type SegmentPair = {
  readonly source: string
  readonly target: string
  readonly context?: string | undefined
}
/** A file, or key-value content. */
export type Content =
  | (Named & { readonly bytes: Uint8Array })
  | { readonly fields: readonly { readonly key: string; readonly value: string }[] }

export type ReadSegment = {
  readonly id: string
  readonly parts: readonly Part[]
  readonly target?: readonly Part[]
  readonly held?: true
  /** The paragraph of a sentence. */
  readonly of?: ReadSegment
  readonly about?: About
}

/** Returns undefined if the format is unknown. */
export function countContent(content: Content): CountedSegment[] | undefined {
  const segments = segmentsIn(content)?.filter(({ held }) => !held)
  if (!segments) return undefined
  const sources = segments.map(({ parts }) => rawOf(parts))
  return segments.map(({ parts }, at) => ({
    source: sources[at] ?? '',
    context: contextOf(sources, at),
    counts: countParts(parts),
  }))
}

/**
 * Pairs source and target segments. A bilingual file contains both itself. Sentences that do not
 * pair are one paragraph.
 */
export function pairContents(source: Content, translation: Content): SegmentPair[] | undefined {
  const before = segmentsIn(source)
  const after = segmentsIn(translation)
  if (!before || !after) return undefined
  const { targets, unlike } = alignSegments(before, after, cutOf(source))
  const sources = before.map(({ parts }) => rawOf(parts))
  return before.flatMap(({ id, of }, at) => {
    const target = targets.get(id)
    if (!target || (of && unlike.has(of.id) && before[at - 1]?.of?.id === of.id)) return []
    if (of && unlike.has(of.id)) return [{ source: rawOf(of.parts), target: rawOf(target) }]
    return [{ source: sources[at] ?? '', target: rawOf(target), context: contextOf(sources, at) }]
  })
}

/** What the translation has for each segment of the source, as the desk shows it. */
export function translatedTexts(
  source: Content,
  translation: Content,
): Record<string, TextParts> | undefined {
  const before = segmentsIn(source)
  const after = segmentsIn(translation)
  if (!before || !after) return undefined
  const { targets } = alignSegments(before, after, cutOf(source))
  return Object.fromEntries(
    before.flatMap(({ id, parts }) => {
      const target = targets.get(id)
      return target ? [[id, targetToWire(parts, target)]] : []
    }),
  )
}

/** How the content was cut, and into which language it is translated. */
export const cutOf = (content: Content): (Cut & { readonly targetLanguage: string }) | undefined =>
  'bytes' in content && content.cut
    ? { ...content.cut, targetLanguage: content.targetLanguage ?? '' }
    : undefined

export function segmentsIn(content: Content): readonly ReadSegment[] | undefined {
  if ('bytes' in content)
    return findFormat(content, content.bytes)?.read(content.bytes, optionsOf(content))
  return content.fields.map(({ key, value }) => ({
    id: key,
    parts: buildParts([{ text: value }], (text) => text),
  }))
}

const rawOf = (parts: readonly Part[]): string =>
  plainSource(parts.map((part) => (part.type === 'text' ? part.text : part.raw)).join(''))
