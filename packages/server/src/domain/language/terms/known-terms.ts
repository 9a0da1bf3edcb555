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
import { pagesOf } from './export-terms.ts'
import { selectStamp } from './term-rows.ts'
import { describeTerm } from './terms.ts'

/** Changes with the terms of the site; undefined if it never had any. */
export const termStamp = selectStamp

type CachedMatcher = { readonly stamp: string | undefined; readonly matcher: Promise<TermMatcher> }

/** Each may hold tens of megabytes. */
const mostCached = 8
const matcherCacheOf = perHub(() => new LRUCache<string, CachedMatcher>({ max: mostCached }))

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
  const matcher = read(hub, siteId).then((terms) =>
    openTerms(terms, sourceLanguage, targetLanguage),
  )
  cached.set(key, { stamp, matcher })
  // What failed is not kept.
  matcher.catch(() => cached.delete(key))
  return matcher
}

/** The same terms as data, for a worker. */
export async function termListFor(
  hub: Hub,
  siteId: string,
  ...languages: readonly string[]
): Promise<KnownTerm[]> {
  if ((await selectStamp(hub.db.read, siteId)) === undefined) return []
  const wanted = new Set(languages.map(languageOf))
  return (await read(hub, siteId)).flatMap(({ termId, entries }) => {
    const own = entries.filter(({ language }) => wanted.has(languageOf(language)))
    return own.length > 0 ? [{ termId, entries: own }] : []
  })
}

async function read(hub: Hub, siteId: string): Promise<KnownTerm[]> {
  const terms: KnownTerm[] = []
  for await (const rows of pagesOf(hub, siteId))
    for (const row of rows) terms.push(describeTerm(row))
  return terms
}
