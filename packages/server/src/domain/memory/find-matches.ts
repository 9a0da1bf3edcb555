/**
 * Finds the best match of each text in a site's memory for a language pair: identical texts by hash, others by their
 * pieces, compared token by token. Both engines give the same matches for the same memory.
 */
import { setImmediate as turn } from 'node:timers/promises'
import type { Hub } from '../../hub.ts'
import type { Db } from '../../store/engine.ts'
import type { MemoryRow } from '../../store/tables.ts'
import { openPauses } from '../../turns/pauses.ts'
import { likenessSafely, tokenize } from './large-texts.ts'
import type { Known } from './likeness.ts'
import { type Pair, selectByHash, selectMemory, selectPostings, selectSources } from './memory-rows.ts'
import { eachProbe, maxTokens, minEdits, minPercent, signatureOf } from './pieces.ts'
import { hashOf } from './source-hash.ts'
import { plainSource } from './tokens.ts'

export type Asked = {
  readonly source: string
  /** Hash of the neighbouring texts. A match with the same context is an in-context match. */
  readonly context?: string | undefined
}
/** `percent` is 0 if there is no match. */
export type Match = { readonly percent: number; readonly inContext: boolean }

/** Values per statement; few enough not to block the process. */
const batchSize = 2_000
/** Keys gathered per query, in table order, so that neighbouring keys are on the same pages. */
const keyBatchSize = 400_000
/** How many units to cache. */
const maxUnits = 50_000
const noMatch: Match = { percent: 0, inContext: false }

/** Returns matches in the order asked. `atLeast` drops weaker ones; nothing below 75 percent is found. */
export async function findMatches(
  hub: Hub,
  { siteId, pair }: { readonly siteId: string; readonly pair: Pair },
  asked: readonly Asked[],
  atLeast = minPercent,
): Promise<Match[]> {
  const memory = await selectMemory(hub.engine.read, siteId, pair)
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
  const rest = new Map<string, number>()
  if (atLeast < 100)
    sources.forEach((source, at) => {
      if (!exact.has(hashes[at] ?? '')) rest.set(source, 0)
    })
  await measure(hub, memory, rest, atLeast)
  return asked.map(({ context }, at) => {
    const unit = exact.get(hashes[at] ?? '')
    if (unit) return { percent: 100, inContext: context !== undefined && context === unit.context }
    return { percent: rest.get(sources[at] ?? '') ?? 0, inContext: false }
  })
}

type Unit = Awaited<ReturnType<typeof selectByHash>>[number]

const asRows = <N extends string, V>(name: N, values: Iterable<V>): Record<N, V>[] =>
  Array.from(values, (value) => ({ [name]: value }) as Record<N, V>)

/** SQLite answers on this thread, so this yields to other calls between two batches. */
async function inBatches<V, R>(
  { engine }: Hub,
  values: readonly V[],
  select: (db: Db, some: readonly V[]) => Promise<R[]>,
  take: (row: R) => void,
): Promise<void> {
  for (let from = 0; from < values.length; from += batchSize) {
    for (const row of await select(engine.read, values.slice(from, from + batchSize))) take(row)
    await turn()
  }
}

/** Sets the best match of each text in `best`. */
async function measure(
  hub: Hub,
  { site_id: siteId, memory_id: memoryId }: MemoryRow,
  best: Map<string, number>,
  atLeast: number,
): Promise<void> {
  const units = new Map<number, Known>()
  const pause = openPauses()
  let queries: Query[] = []
  let asked = newAsked()
  const flush = async () => {
    const candidates = await findCandidates(hub, memoryId, queries, asked)
    if (units.size > maxUnits) units.clear()
    const unknown = new Set(candidates.map(({ unitId }) => unitId).filter((unitId) => !units.has(unitId)))
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
      if (percent >= atLeast && percent > (best.get(text.source) ?? 0)) best.set(text.source, percent)
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
    // The last token gets weight 1: it is usually a full stop, as in most texts. A long text is not looked up by pieces.
    const isLong = tokens.length > maxTokens
    const common = isLong ? [] : tokens.map((token, at) => (at === tokens.length - 1 ? 1 : share(token)))
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

type Query = Known & { readonly signature: number }

/**
 * The queries that ask for each key, as a linked list of (query, edits, index of the next or -1): a million keys need few
 * objects.
 */
type AskedKeys = { readonly first: Map<number, number>; readonly chain: number[] }
const newAsked = (): AskedKeys => ({ first: new Map(), chain: [] })

function ask({ first, chain }: AskedKeys, key: number, query: number, edits: number): void {
  const next = first.get(key) ?? -1
  if (chain[next] === query) return
  first.set(key, chain.length)
  chain.push(query, edits, next)
}

type Candidate = { readonly query: number; readonly unitId: number }

/** The units under the keys whose signatures allow a match. */
async function findCandidates(
  hub: Hub,
  memoryId: number,
  queries: readonly Query[],
  { first, chain }: AskedKeys,
): Promise<Candidate[]> {
  const found = new Map<number, Candidate>()
  const keys = asRows('sought', Float64Array.from(first.keys()).sort())
  const select = (db: Db, some: Readonly<typeof keys>) => selectPostings(db, some, memoryId)
  await inBatches(hub, keys, select, ({ piece, units }) => {
    for (const unit of units.split(',')) {
      const colon = unit.indexOf(':')
      const signature = Number(unit.slice(colon + 1))
      for (let at = first.get(piece) ?? -1; at >= 0; at = chain[at + 2] ?? -1) {
        const [query = 0, edits = 0] = [chain[at], chain[at + 1]]
        if (minEdits(signature, queries[query]?.signature ?? 0) > edits) continue
        const unitId = Number(unit.slice(0, colon))
        found.set(unitId * 2 ** 20 + query, { query, unitId })
      }
    }
  })
  return [...found.values()]
}
