/**
 * The terms of a pair of languages, ready for texts: which of them occur in a source, and whether a
 * translation uses the right ones. Pure: no database. An entry without a region serves all regions
 * of its language; one with the region of the text comes before it.
 */
import type { Term, TermEntry, TermStatus } from '@dragoman/contract'
import { noPause, type Pause } from './listed-term.ts'
import { spelledLanguage } from './term-content.ts'
import { type Found, openIndex, type Sought } from './term-index.ts'
import { languageOf, openWords } from './word-forms.ts'

export type KnownTerm = Pick<Term, 'termId' | 'definition' | 'entries'>
export type TermTranslation = {
  readonly text: string
  readonly status: TermStatus
  readonly note?: string
}
/** A term in a source text; offsets are those of the string. */
export type TermHit = {
  readonly termId: string
  readonly start: number
  readonly end: number
  /** The entry as it is listed. */
  readonly text: string
  readonly definition?: string
  readonly translations: readonly TermTranslation[]
}
/**
 * `missing`: offsets in the source. `forbidden`: offsets in the target. `wanted` lists what to use,
 * the preferred ones first.
 */
export type TermFinding = {
  readonly kind: 'missing' | 'forbidden'
  readonly termId: string
  readonly start: number
  readonly end: number
  readonly term: string
  readonly wanted: readonly string[]
}
export type TermMatcher = {
  /** The terms of the source, from left to right; of several at one place the longest. */
  readonly findTerms: (source: string) => TermHit[]
  readonly judgeTerms: (source: string, target: string) => TermFinding[]
  /** The same with pauses, for long texts. */
  readonly findTermsInTurns: (source: string, pause: Pause) => Promise<TermHit[]>
  readonly judgeTermsInTurns: (
    source: string,
    target: string,
    pause: Pause,
  ) => Promise<TermFinding[]>
}

type Concept = {
  readonly termId: string
  readonly definition?: string | undefined
  readonly sources: readonly TermEntry[]
  readonly targets: readonly TermEntry[]
}
type Named = { readonly concept: Concept; readonly entry: TermEntry }

export async function openTerms(
  terms: Iterable<KnownTerm>,
  sourceLanguage: string,
  targetLanguage: string,
  pause: Pause = noPause,
): Promise<TermMatcher> {
  const concepts: Concept[] = []
  for (const { termId, definition, entries } of terms) {
    const sources = entriesFor(entries, sourceLanguage)
    const targets = entriesFor(entries, targetLanguage)
    if (targets.length > 0 || sources.length > 0)
      concepts.push({ termId, definition, sources, targets })
    await pause()
  }
  const words = [await openWords(sourceLanguage), await openWords(targetLanguage)] as const
  const inSource = await inTurns(openIndex(soughtOf(concepts, 'sources'), words[0]), pause)
  const inTarget = await inTurns(openIndex(soughtOf(concepts, 'targets'), words[1]), pause)
  const find = function* (source: string): Turns<TermHit[]> {
    return hitsOf(longest(yield* inSource(source)))
  }
  const judgeIn = function* (source: string, target: string): Turns<TermFinding[]> {
    return judge(longest(yield* inSource(source)), yield* inTarget(target))
  }
  return {
    findTerms: (source) => atOnce(find(source)),
    judgeTerms: (source, target) => atOnce(judgeIn(source, target)),
    findTermsInTurns: (source, between) => inTurns(find(source), between),
    judgeTermsInTurns: (source, target, between) => inTurns(judgeIn(source, target), between),
  }
}

/** Work that can be interrupted wherever it yields. */
type Turns<T> = Generator<undefined, T>

function atOnce<T>(work: Turns<T>): T {
  for (;;) {
    const { done, value } = work.next()
    if (done) return value
  }
}

async function inTurns<T>(work: Turns<T>, pause: Pause): Promise<T> {
  for (;;) {
    const { done, value } = work.next()
    if (done) return value
    const wait = pause()
    if (wait) await wait
  }
}

/**
 * The entries with exactly this code; else those for the whole language. A text without a region
 * takes those of all regions.
 */
export function entriesFor(entries: readonly TermEntry[], wanted: string): TermEntry[] {
  const code = spelledLanguage(wanted)
  const exact = entries.filter(({ language }) => spelledLanguage(language) === code)
  if (exact.length > 0) return exact
  const language = languageOf(code)
  const isBare = code === language
  return entries.filter(
    (entry) => (isBare ? languageOf(entry.language) : spelledLanguage(entry.language)) === language,
  )
}

function* soughtOf(
  concepts: readonly Concept[],
  side: 'sources' | 'targets',
): Generator<Sought<Named>> {
  for (const concept of concepts)
    for (const entry of concept[side])
      yield { of: { concept, entry }, text: entry.text, forms: entry.forms ?? [] }
}

/** From left to right the longest at each place; several terms with the same text stay together. */
function longest(found: readonly Found<Named>[]): Found<Named>[] {
  const sorted = found.toSorted((one, other) => one.start - other.start || other.end - one.end)
  const kept: Found<Named>[] = []
  let here = new Set<Concept>()
  for (const one of sorted) {
    const last = kept.at(-1)
    const isSame = last && last.start === one.start && last.end === one.end
    if (last && !isSame && one.start < last.end) continue
    if (!isSame) here = new Set()
    if (here.has(one.of.concept)) continue
    here.add(one.of.concept)
    kept.push(one)
  }
  return kept
}

/** A term that is found often has one list of translations. */
function hitsOf(found: readonly Found<Named>[]): TermHit[] {
  const known = new Map<Concept, TermTranslation[]>()
  return found.map(({ of: { concept, entry }, start, end }): TermHit => {
    const { termId, definition, targets } = concept
    const translations =
      known.get(concept) ??
      preferredFirst(targets).map(({ text, status, note }) => ({
        text,
        status,
        ...(note !== undefined && { note }),
      }))
    known.set(concept, translations)
    return {
      ...{ termId, start, end, text: entry.text },
      ...(definition !== undefined && { definition }),
      translations,
    }
  })
}

const ranks: Readonly<Record<TermStatus, number>> = { PREFERRED: 0, ALLOWED: 1, FORBIDDEN: 2 }
const preferredFirst = (entries: readonly TermEntry[]): TermEntry[] =>
  entries.toSorted((one, other) => ranks[one.status] - ranks[other.status])
const wantedOf = ({ targets }: Concept): string[] =>
  preferredFirst(targets).flatMap(({ text, status }) => (status === 'FORBIDDEN' ? [] : [text]))

function judge(source: readonly Found<Named>[], target: readonly Found<Named>[]): TermFinding[] {
  const used = new Set(
    target.flatMap(({ of }) => (of.entry.status === 'FORBIDDEN' ? [] : [of.concept])),
  )
  return [...missing(source, used), ...forbidden(source, target)].sort(
    (one, other) => one.start - other.start,
  )
}

/**
 * A word with several meanings is translated by the term of any of them. A term that occurs twice
 * is asked for once.
 */
function* missing(
  source: readonly Found<Named>[],
  used: ReadonlySet<Concept>,
): Generator<TermFinding> {
  const asked = new Set<Concept>()
  const isFree = (concept: Concept) =>
    used.has(concept) || asked.has(concept) || concept.targets.length === 0
  for (const [at, { of, start, end }] of source.entries()) {
    // Several at one place follow each other; the first one speaks for all.
    if (isFree(of.concept) || source[at - 1]?.start === start) continue
    const meanings = meaningsAt(source, at)
    if (meanings.some(isFree)) continue
    const wanted = [...new Set(meanings.flatMap(wantedOf))]
    if (wanted.length === 0) continue
    for (const concept of meanings) asked.add(concept)
    yield { kind: 'missing', termId: of.concept.termId, start, end, term: of.entry.text, wanted }
  }
}

/** The concepts of those that stand at the same place, which follow each other. */
function meaningsAt(source: readonly Found<Named>[], at: number): Concept[] {
  let after = at
  while (after < source.length && source[after]?.start === source[at]?.start) after += 1
  return source.slice(at, after).map(({ of }) => of.concept)
}

/**
 * A forbidden word counts where its term is in the source; without an entry in the language of the
 * source, everywhere. It does not count within a longer term that may be used, nor where another
 * term of the source is translated by it.
 */
function* forbidden(
  source: readonly Found<Named>[],
  target: readonly Found<Named>[],
): Generator<TermFinding> {
  const present = new Set(source.map(({ of }) => of.concept))
  const isMeant = ({ sources }: Concept, concept: Concept) =>
    sources.length === 0 || present.has(concept)
  const around = openAround(target.filter(({ of }) => of.entry.status !== 'FORBIDDEN'))
  const seen = new Set<string>()
  for (const { of, start, end } of target) {
    const { concept, entry } = of
    const place = `${start} ${end} ${concept.termId}`
    if (entry.status !== 'FORBIDDEN' || seen.has(place) || !isMeant(concept, concept)) continue
    const isMeantHere = (other: Concept) => other !== concept && present.has(other)
    if (
      around(start, end).some(
        (one) => one.end - one.start > end - start || isMeantHere(one.of.concept),
      )
    )
      continue
    seen.add(place)
    yield {
      kind: 'forbidden',
      termId: concept.termId,
      start,
      end,
      term: entry.text,
      wanted: wantedOf(concept),
    }
  }
}

/** Those that cover a place. They begin no further before it than the longest one is long. */
function openAround(
  found: readonly Found<Named>[],
): (start: number, end: number) => Found<Named>[] {
  const byStart = new Map<number, Found<Named>[]>()
  let most = 0
  for (const one of found) {
    most = Math.max(most, one.end - one.start)
    const here = byStart.get(one.start)
    if (here) here.push(one)
    else byStart.set(one.start, [one])
  }
  return (start, end) => {
    const covering: Found<Named>[] = []
    for (let at = Math.max(0, end - most); at <= start; at += 1)
      for (const one of byStart.get(at) ?? []) if (one.end >= end) covering.push(one)
    return covering
  }
}
