/**
 * What a site knows about texts before an engine is asked: translations of the memory that fit word
 * for word, which are not sent at all; those that are like them, and the neighbours, for engines
 * that take these along; and the terms.
 */

import type { Part } from '@dragoman/text/formats'
import { partsIn } from '@dragoman/text/likeness'
import { buildParts, codesOf, fromWire, rawOf, toWire } from '@dragoman/text/placeholders'
import type { TermMatcher } from '@dragoman/text/terms'
import type { Hub } from '../../../hub.ts'
import { pairOf } from '../../language/memory/add-units.ts'
import { findExact } from '../../language/memory/exact-matches.ts'
import { lookUp } from '../../language/memory/look-up.ts'
import { termsFor } from '../../language/terms/known-terms.ts'
import { type AboutText, charactersOf, type Dialect, type Reference } from './dialects/dialect.ts'

export type KnownText = {
  readonly parts: readonly Part[]
  /** What the file says to translators. */
  readonly notes?: readonly string[] | undefined
}
export type Known = {
  /** By segment: its translation in the memory. */
  readonly exact: readonly (readonly Part[] | undefined)[]
  /** By segment: what engines that take it are told. */
  readonly about: readonly AboutText[]
  readonly terms: TermMatcher
  /** Characters of the source that need not be sent. */
  readonly savedCharacters: number
}
type SiteLanguages = {
  readonly siteId: string
  readonly sourceLanguage: string
  readonly targetLanguage: string
}

/** Look-ups of one content; what is beyond goes without similar translations. */
const mostLookUps = 500
const mostReferences = 3
const contextCharacters = 300

/** `takes`: what at least one of the engines takes along. */
export async function openKnown(
  hub: Hub,
  { siteId, sourceLanguage, targetLanguage }: SiteLanguages,
  texts: readonly KnownText[],
  takes: NonNullable<Dialect['takes']> = {},
): Promise<Known> {
  const place = { siteId, pair: pairOf(sourceLanguage, targetLanguage) }
  const sources = texts.map(({ parts }) => rawOf(parts))
  const found = await findExact(hub, place, sources)
  const exact = texts.map(({ parts }, at) => translationIn(parts, found[at]))
  const about: AboutText[] = texts.map((_, at) => (takes.context ? contextOf(texts, at) : {}))
  if (takes.references) {
    let left = mostLookUps
    for (const [at, source] of sources.entries()) {
      if (exact[at] || left === 0 || !/\p{L}/u.test(source)) continue
      left -= 1
      const references = referencesIn(await lookUp(hub, place, { source, limit: mostReferences }))
      if (references.length > 0) about[at] = { ...about[at], references }
    }
  }
  const savedCharacters = sources.reduce(
    (sum, source, at) => sum + (exact[at] ? charactersOf(source) : 0),
    0,
  )
  return {
    exact,
    about,
    terms: await termsFor(hub, siteId, sourceLanguage, targetLanguage),
    savedCharacters,
  }
}

/**
 * A translation of the memory with the codes of this source; undefined if they are others, or more,
 * or fewer.
 */
function translationIn(
  source: readonly Part[],
  target: string | undefined,
): readonly Part[] | undefined {
  if (target === undefined || source.some((part) => part.type === 'code' && part.kind === 'icu'))
    return undefined
  const { tags } = toWire(source)
  const inner = fromWire(tags, partsIn(target.trim(), tags))
  const codes = (all: readonly Part[]) =>
    codesOf(all)
      .map(({ raw }) => raw)
      .sort()
      .join('\n')
  const isBare = inner.every((part) => part.type === 'code' || isPlain(part.text))
  if (codes(inner) !== codes(source) || !isBare) return undefined
  // The memory has no blanks at the edges; the source decides them.
  const raw = rawOf(source)
  const [lead, trail] = [
    raw.slice(0, raw.length - raw.trimStart().length),
    raw.slice(raw.trimEnd().length),
  ]
  return [textPart(lead), inner, textPart(trail)].flat()
}

const textPart = (text: string): Part[] => (text === '' ? [] : [{ type: 'text', text }])

/** No code stands in the text. */
const isPlain = (text: string): boolean =>
  buildParts([{ text }], (same) => same).every((part) => part.type === 'text')

const referencesIn = (matches: Awaited<ReturnType<typeof lookUp>>): Reference[] =>
  matches.flatMap(({ percent, unit: { source, target } }) =>
    isPlain(source) && isPlain(target) ? [{ source, target, percent }] : [],
  )

function contextOf(texts: readonly KnownText[], at: number): AboutText {
  const [before, after] = [texts[at - 1], texts[at + 1]].map((text) => text && plainOf(text.parts))
  const { notes } = texts[at] ?? {}
  return {
    ...(before && { before: before.slice(-contextCharacters) }),
    ...(after && { after: after.slice(0, contextCharacters) }),
    ...(notes?.length && { notes }),
  }
}

const plainOf = (parts: readonly Part[]): string =>
  parts
    .map((part) => (part.type === 'text' ? part.text : ' '))
    .join('')
    .replace(/\s+/g, ' ')
    .trim()
