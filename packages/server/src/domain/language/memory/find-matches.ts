/**
 * Finds the best match of each text in a site's memory for a language pair: identical texts by
 * hash, others by their pieces, compared token by token. Both databases give the same matches for the
 * same memory.
 */

import {
  eachProbe,
  hashOf,
  type Known,
  maxTokens,
  minPercent,
  plainSource,
  signatureOf,
} from '@dragoman/text/likeness'
import type { Hub } from '../../../hub.ts'
import type { MemoryRow } from '../../../store/tables.ts'
import { openPauses } from '../../../turns/pauses.ts'
import { ask, asRows, findCandidates, inBatches, newAsked, type Query } from './candidates.ts'
import { likenessSafely, tokenize } from './large-texts.ts'
import { type LanguagePair, selectByHash, selectMemory, selectSources } from './memory-rows.ts'

export type SourceText = {
  readonly source: string
  /** Hash of the neighbouring texts. A match with the same context is an in-context match. */
  readonly context?: string | undefined
}
/** `percent` is 0 if there is no match. */
export type Match = {
  readonly percent: number
  readonly inContext: boolean
  /** The best unit; of several the one that was added first. */
  readonly unitId?: number
}

/** Keys gathered per query, in table order, so that neighbouring keys are on the same pages. */
const keyBatchSize = 400_000
/** How many units to cache. */
const maxUnits = 50_000
const noMatch: Match = { percent: 0, inContext: false }

/**
 * Returns matches in the order asked. `atLeast` drops weaker ones; nothing below 75 percent is
 * found.
 */
export async function findMatches(
  hub: Hub,
  { siteId, pair }: { readonly siteId: string; readonly pair: LanguagePair },
  asked: readonly SourceText[],
  atLeast = minPercent,
): Promise<Match[]> {
  const memory = await selectMemory(hub.db.read, siteId, pair)
  if (!memory || memory.last_unit === 0) return asked.map(() => noMatch)
  const pause = openPauses()
  const sources: string[] = []
  const hashes: string[] = []
  for (const one of asked) {
    const source = plainSource(one.source)
    sources.push(source)
    hashes.push(hashOf(source))
    await pause()
  }
  const exact = new Map<string, Unit>()
  await inBatches(
    hub,
    asRows('hash', new Set(hashes)),
    (db, some) => selectByHash(db, some, memory.memory_id),
    (unit) => exact.set(unit.source_hash, unit),
  )
  const rest = new Map<string, Best>()
  if (atLeast < 100)
    sources.forEach((source, at) => {
      if (!exact.has(hashes[at] ?? '')) rest.set(source, { percent: 0, unitId: 0 })
    })
  await measure(hub, memory, rest, atLeast)
  return asked.map(({ context }, at) => {
    const unit = exact.get(hashes[at] ?? '')
    if (unit) {
      const inContext = context !== undefined && context === unit.context
      return { percent: 100, inContext, unitId: unit.unit_id }
    }
    const best = rest.get(sources[at] ?? '')
    return best && best.percent > 0 ? { ...best, inContext: false } : noMatch
  })
}

type Unit = Awaited<ReturnType<typeof selectByHash>>[number]

type Best = { readonly percent: number; readonly unitId: number }

/** Sets the best match of each text in `best`. */
async function measure(
  hub: Hub,
  { site_id: siteId, memory_id: memoryId }: MemoryRow,
  best: Map<string, Best>,
  atLeast: number,
): Promise<void> {
  const units = new Map<number, Known>()
  const pause = openPauses()
  let queries: Query[] = []
  let asked = newAsked()
  const flush = async () => {
    const candidates = await findCandidates(hub, memoryId, queries, asked)
    if (units.size > maxUnits) units.clear()
    const unknown = new Set(
      candidates.map(({ unitId }) => unitId).filter((unitId) => !units.has(unitId)),
    )
    const found: { unit_id: number; source: string }[] = []
    await inBatches(
      hub,
      asRows('sought', unknown),
      (db, some) => selectSources(db, some, memoryId),
      (unit) => found.push(unit),
    )
    const known = await tokenize(
      siteId,
      found.map(({ source }) => source),
    )
    for (const [at, { unit_id }] of found.entries()) {
      const unit = known[at]
      if (unit) units.set(unit_id, unit)
    }
    for (const { query, unitId } of candidates) {
      const [text, unit] = [queries[query], units.get(unitId)]
      if (!text || !unit) continue
      const percent = await likenessSafely(siteId, text, unit)
      await pause()
      const known = best.get(text.source)
      const isBetter =
        percent > (known?.percent ?? 0) || (percent === known?.percent && unitId < known.unitId)
      if (percent >= atLeast && isBetter) best.set(text.source, { percent, unitId })
    }
    queries = []
    asked = newAsked()
  }
  const texts = await tokenize(siteId, [...best.keys()])
  const share = await shareOf(texts)
  for (const { source, tokens } of texts) {
    if (tokens.length === 0) continue
    await pause()
    const query = queries.push({ source, tokens, signature: signatureOf(tokens) }) - 1
    // The last token gets weight 1: it is usually a full stop, as in most texts. A long text is not
    // looked up by pieces.
    const isLong = tokens.length > maxTokens
    const common = isLong
      ? []
      : tokens.map((token, at) => (at === tokens.length - 1 ? 1 : share(token)))
    eachProbe(tokens, common, (key, edits) => ask(asked, key, query, edits))
    if (asked.first.size >= keyBatchSize) await flush()
  }
  if (queries.length > 0) await flush()
}

/** How frequent a token is among the texts asked about, as an estimate for the memory. */
async function shareOf(texts: readonly Known[]): Promise<(token: number) => number> {
  const counts = new Map<number, number>()
  const pause = openPauses()
  let all = 1
  for (const { tokens } of texts) {
    if (tokens.length > maxTokens) continue
    for (const token of tokens) counts.set(token, (counts.get(token) ?? 0) + 1)
    all += tokens.length
    await pause()
  }
  return (token) => (counts.get(token) ?? 1) / all
}
