/**
 * The terms of a site for a pair of languages, ready for texts. A node keeps those that it used
 * last, until the terms change: the stamp of the site tells.
 */

import {
  type KnownTerm,
  languageOf,
  openTerms,
  spelledLanguage,
  type TermMatcher,
} from '@dragoman/text/terms'
import { LRUCache } from 'lru-cache'
import type { Hub } from '../../../hub.ts'
import { perHub } from '../../../process/caches.ts'
import { openPauses } from '../../../turns/pauses.ts'
import { type Pages, packInTurns } from '../worker/pages.ts'
import { pagesOf } from './export-terms.ts'
import { selectStamp } from './term-rows.ts'
import { describeTerm } from './terms.ts'

/** Changes with the terms of the site; undefined if it never had any. */
export const termStamp = selectStamp

type CachedMatcher = {
  readonly stamp: string | undefined
  readonly matcher: Promise<TermMatcher>
  /** Known when it is open. */
  readonly bytes: number
}

const mostCached = 8
/** Bytes of the terms of all that are kept: in memory they take some times as much. */
const mostBytes = 32 * 1024 ** 2
const matcherCacheOf = perHub(
  () =>
    new LRUCache<string, CachedMatcher>({
      max: mostCached,
      maxSize: mostBytes,
      sizeCalculation: ({ bytes }) => Math.min(bytes, mostBytes) + 1,
    }),
)

export async function termsFor(
  hub: Hub,
  siteId: string,
  sourceLanguage: string,
  targetLanguage: string,
): Promise<TermMatcher> {
  return termsAt(
    hub,
    { siteId, stamp: await termStamp(hub.db.read, siteId) },
    sourceLanguage,
    targetLanguage,
  )
}

/** If the caller has asked for the stamp. */
export async function termsAt(
  hub: Hub,
  { siteId, stamp }: { readonly siteId: string; readonly stamp: string | undefined },
  sourceLanguage: string,
  targetLanguage: string,
): Promise<TermMatcher> {
  if (stamp === undefined) return openTerms([], sourceLanguage, targetLanguage)
  const key = JSON.stringify([
    siteId,
    spelledLanguage(sourceLanguage),
    spelledLanguage(targetLanguage),
  ])
  const cached = matcherCacheOf(hub)
  const known = cached.get(key)
  if (known?.stamp === stamp) return known.matcher
  let bytes = 0
  const matcher = read(hub, siteId, (more) => {
    bytes += more
  }).then((terms) => openTerms(terms, sourceLanguage, targetLanguage, openPauses()))
  cached.set(key, { stamp, matcher, bytes })
  matcher.then(
    () => cached.get(key)?.matcher === matcher && cached.set(key, { stamp, matcher, bytes }),
    // What failed is not kept.
    () => cached.delete(key),
  )
  return matcher
}

/** The same terms as data: pages of `KnownTerm`s, for a worker. */
export const termPagesFor = (
  hub: Hub,
  siteId: string,
  ...languages: readonly string[]
): Promise<Pages> => packInTurns(eachTermIn(hub, siteId, languages))

/** With the entries of these languages only. */
export async function* eachTermIn(
  hub: Hub,
  siteId: string,
  languages: readonly string[],
): AsyncGenerator<KnownTerm, void> {
  if ((await selectStamp(hub.db.read, siteId)) === undefined) return
  const wanted = new Set(languages.map(languageOf))
  for await (const rows of pagesOf(hub, siteId))
    for (const row of rows) {
      const { termId, entries } = describeTerm(row)
      const own = entries.filter(({ language }) => wanted.has(languageOf(language)))
      if (own.length > 0) yield { termId, entries: own }
    }
}

async function read(
  hub: Hub,
  siteId: string,
  count: (bytes: number) => void = () => {},
): Promise<KnownTerm[]> {
  const terms: KnownTerm[] = []
  const pause = openPauses()
  for await (const rows of pagesOf(hub, siteId))
    for (const row of rows) {
      terms.push(describeTerm(row))
      count(row.bytes)
      await pause()
    }
  return terms
}
