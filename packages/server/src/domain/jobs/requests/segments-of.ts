/**
 * The segments of a content for quotes and the memory: text, word counts and neighbours. Pure, and
 * run in a worker (read-segments.ts) because a file may be large or hostile.
 */

import { createHash } from 'node:crypto'
import type { TextParts } from '@dragoman/contract/wire'
import { addCounts, type Counts, countParts, noCounts } from '@dragoman/text/counting'
import {
  type About,
  type Cut,
  findFormat,
  type Named,
  optionsOf,
  type Part,
} from '@dragoman/text/formats'
import { contextOf, hashOf, plainSource } from '@dragoman/text/likeness'
import { buildParts, targetToWire } from '@dragoman/text/placeholders'
import { alignSegments } from '@dragoman/text/sentences'
import { openPager, type Pages, pagesOf } from '../../language/worker/pages.ts'

export type CountedSegment = {
  readonly source: string
  readonly hash: string
  readonly context?: string | undefined
  readonly counts: Counts
}
export type CountedContent = {
  /** Its segments. */
  readonly segments: Pages
  readonly counts: Counts
  /** Equal for contents with equal texts. */
  readonly digest: string
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
export function countContent(content: Content): CountedContent | undefined {
  const segments = segmentsIn(content)?.filter(({ held }) => !held)
  if (!segments) return undefined
  const sources = segments.map(({ parts }) => rawOf(parts))
  const pager = openPager<CountedSegment>()
  const digest = createHash('sha256')
  let all = noCounts
  for (const [at, { parts }] of segments.entries()) {
    const source = sources[at] ?? ''
    const [hash, counts] = [hashOf(source), countParts(parts)]
    all = addCounts(all, counts)
    digest.update(at === 0 ? hash : `\n${hash}`)
    pager.add({ source, hash, context: contextOf(sources, at), counts })
  }
  return { segments: pager.finish(), counts: all, digest: digest.digest('hex') }
}

/**
 * Pairs source and target segments. A bilingual file contains both itself. Sentences that do not
 * pair are one paragraph.
 */
export function pairContents(source: Content, translation: Content): Pages | undefined {
  const before = segmentsIn(source)
  const after = segmentsIn(translation)
  if (!before || !after) return undefined
  const { targets, unlike } = alignSegments(before, after, cutOf(source))
  const sources = before.map(({ parts }) => rawOf(parts))
  const pairs = before.flatMap(({ id, of }, at): SegmentPair[] => {
    const target = targets.get(id)
    if (!target || (of && unlike.has(of.id) && before[at - 1]?.of?.id === of.id)) return []
    if (of && unlike.has(of.id)) return [{ source: rawOf(of.parts), target: rawOf(target) }]
    return [{ source: sources[at] ?? '', target: rawOf(target), context: contextOf(sources, at) }]
  })
  return pagesOf(pairs)
}

/**
 * What the translation has for each segment of the source, as the desk shows it: JSON of an object
 * with texts by the ids of segments.
 */
export function translatedTexts(source: Content, translation: Content): Uint8Array | undefined {
  const before = segmentsIn(source)
  const after = segmentsIn(translation)
  if (!before || !after) return undefined
  const { targets } = alignSegments(before, after, cutOf(source))
  const texts = Object.fromEntries(
    before.flatMap(({ id, parts }) => {
      const target = targets.get(id)
      return target ? [[id, targetToWire(parts, target)]] : []
    }),
  )
  return new TextEncoder().encode(JSON.stringify(texts))
}

/** Some of those texts. */
export function pickTexts(texts: string, ids: readonly string[]): [string, TextParts][] {
  const all = JSON.parse(texts) as Record<string, TextParts>
  return ids.flatMap((id): [string, TextParts][] => {
    const text = Object.hasOwn(all, id) ? all[id] : undefined
    return text ? [[id, text]] : []
  })
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

/** Fit for a path, and the same for the same content. */
export const segmentIdOf = (id: string): string =>
  createHash('sha256').update(id).digest('base64url').slice(0, 16)

const rawOf = (parts: readonly Part[]): string =>
  plainSource(parts.map((part) => (part.type === 'text' ? part.text : part.raw)).join(''))
