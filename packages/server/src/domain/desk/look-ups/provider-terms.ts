/**
 * The terms of the site for whoever translates: as a file for the languages of a job, with the
 * entries of these languages of terms that have one in a target language; and those that a source
 * text has, with their places in it.
 */
import type {
  FileAnswer,
  FoundTerms,
  Term,
  TermExportQuery,
  TermQuestion,
  TextParts,
} from '@dragoman/contract'
import { textOf } from '@dragoman/text/checks'
import { entriesFor, spelledLanguage, type TermHit } from '@dragoman/text/terms'
import type { Hub } from '../../../hub.ts'
import { openPauses } from '../../../turns/pauses.ts'
import type { Call } from '../../access/caller.ts'
import { mustOwnProvider, reachProviderJob } from '../../handover/provider-jobs.ts'
import { readLanguagePairs } from '../../jobs/requests/requests-of-job.ts'
import { languagesOf } from '../../jobs/work.ts'
import { termsFile } from '../../language/terms/export-terms.ts'
import { termsFor } from '../../language/terms/known-terms.ts'
import { mustBeTheirs } from './provider-matches.ts'

type ProviderJobPath = { readonly providerId: string; readonly jobId: string }

export async function exportProviderTerms(
  hub: Hub,
  call: Call,
  { providerId, jobId }: ProviderJobPath,
  asked: TermExportQuery,
): Promise<FileAnswer> {
  await reachProviderJob(hub, call, providerId, jobId)
  const { siteId } = call.caller
  const seen = languagesOf(call.caller)
  const pairs = await readLanguagePairs(hub.db.read, siteId, jobId)
  const own = pairs.filter(
    ({ target_language }) => !seen || seen.includes(spelledLanguage(target_language)),
  )
  return termsFile(hub, siteId, asked, (term) => partOf(term, own))
}

type Pairs = Awaited<ReturnType<typeof readLanguagePairs>>

function partOf(term: Term, pairs: Pairs): Term | undefined {
  const kept = new Set(
    pairs.flatMap(({ source_language, target_language }) => {
      const targets = entriesFor(term.entries, target_language)
      return targets.length === 0 ? [] : [...entriesFor(term.entries, source_language), ...targets]
    }),
  )
  return kept.size === 0
    ? undefined
    : { ...term, entries: term.entries.filter((entry) => kept.has(entry)) }
}

export async function lookUpTerms(
  hub: Hub,
  call: Call,
  providerId: string,
  { text, sourceNativeLanguageCode, targetNativeLanguageCode }: TermQuestion,
): Promise<FoundTerms> {
  await mustOwnProvider(hub.db.read, call, providerId)
  mustBeTheirs(call, targetNativeLanguageCode)
  const matcher = await termsFor(
    hub,
    call.caller.siteId,
    sourceNativeLanguageCode,
    targetNativeLanguageCode,
  )
  const parts = typeof text === 'string' ? [text] : text
  const hits = await matcher.findTermsInTurns(textOf(parts), openPauses())
  return { terms: await placesIn(hits, parts) }
}

/** Bytes of an answer: terms beyond them are not told. */
const mostBytes = 4 * 1024 ** 2

async function placesIn(hits: readonly TermHit[], parts: TextParts): Promise<FoundTerms['terms']> {
  const starts = startsOf(parts)
  const pause = openPauses()
  const places: FoundTerms['terms'] = []
  const sizes = new Map<TermHit['translations'], number>()
  let [bytes, first] = [0, 0]
  for (const hit of hits) {
    const size = sizes.get(hit.translations) ?? JSON.stringify(hit.translations).length
    sizes.set(hit.translations, size)
    while (first + 1 < parts.length && (starts[first + 1] ?? 0) <= hit.start) first += 1
    for (const place of placesOf(hit, parts, { starts, first })) {
      bytes += size + (hit.definition?.length ?? 0)
      if (bytes > mostBytes) return places
      places.push(place)
    }
    await pause()
  }
  return places
}

/** Where each part begins in the whole text. */
function startsOf(parts: TextParts): number[] {
  let at = 0
  return parts.map((part) => {
    const start = at
    at += typeof part === 'string' ? part.length : 1
    return start
  })
}

type Starts = { readonly starts: readonly number[]; readonly first: number }

/** A term of several words may go over a tag: then it has a place in each part. */
function* placesOf(
  { termId, start, end, definition, translations }: TermHit,
  parts: TextParts,
  { starts, first }: Starts,
): Generator<FoundTerms['terms'][number]> {
  for (let part = first; part < parts.length; part += 1) {
    const piece = parts[part]
    const before = starts[part] ?? 0
    if (before >= end) return
    const length = typeof piece === 'string' ? piece.length : 1
    const [from, to] = [Math.max(start - before, 0), Math.min(end - before, length)]
    if (typeof piece === 'string' && from < to)
      yield {
        termId,
        part,
        from,
        to,
        entries: translations.map((entry) => ({ ...entry })),
        ...(definition !== undefined && { definition }),
      }
  }
}
