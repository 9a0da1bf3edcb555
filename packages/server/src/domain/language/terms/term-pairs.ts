/**
 * The terms of a site as a glossary has them: each source text with the translation that is
 * preferred.
 */

import { entriesFor } from '@dragoman/text/terms'
import { LRUCache } from 'lru-cache'
import type { Hub } from '../../../hub.ts'
import { perHub } from '../../../process/caches.ts'
import { openPauses } from '../../../turns/pauses.ts'
import { eachTermIn } from './known-terms.ts'
import { selectStamp } from './term-rows.ts'

export type TermPair = { readonly source: string; readonly target: string }

type CachedPairs = { readonly stamp: string; readonly pairs: Promise<readonly TermPair[]> }
const pairCacheOf = perHub(() => new LRUCache<string, CachedPairs>({ max: 8 }))
const none: readonly TermPair[] = []

/**
 * The same list until the terms change. Sorted, and each source once. Forbidden texts are on no
 * side.
 */
export async function termPairsFor(
  hub: Hub,
  siteId: string,
  sourceLanguage: string,
  targetLanguage: string,
): Promise<readonly TermPair[]> {
  const stamp = await selectStamp(hub.db.read, siteId)
  if (stamp === undefined) return none
  const key = JSON.stringify([siteId, sourceLanguage, targetLanguage])
  const cached = pairCacheOf(hub)
  const known = cached.get(key)
  if (known?.stamp === stamp) return known.pairs
  const pairs = readPairs(hub, siteId, sourceLanguage, targetLanguage)
  cached.set(key, { stamp, pairs })
  // What failed is not kept.
  pairs.catch(() => cached.delete(key))
  return pairs
}

async function readPairs(
  hub: Hub,
  siteId: string,
  sourceLanguage: string,
  targetLanguage: string,
): Promise<readonly TermPair[]> {
  const pairs = new Map<string, string>()
  const pause = openPauses()
  for await (const { entries } of eachTermIn(hub, siteId, [sourceLanguage, targetLanguage])) {
    await pause()
    const allowed = entriesFor(entries, targetLanguage).filter(
      ({ status }) => status !== 'FORBIDDEN',
    )
    const target = (allowed.find(({ status }) => status === 'PREFERRED') ?? allowed[0])?.text
    if (target === undefined) continue
    for (const { text, status } of entriesFor(entries, sourceLanguage))
      if (status !== 'FORBIDDEN' && !pairs.has(text)) pairs.set(text, target)
  }
  return [...pairs]
    .map(([source, target]) => ({ source, target }))
    .sort((one, other) => (one.source < other.source ? -1 : 1))
}
