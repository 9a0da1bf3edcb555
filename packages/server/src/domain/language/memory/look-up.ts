/**
 * Looks one text up for somebody who translates: the same text first, then the units most like it.
 * Texts of up to three tokens are compared by character besides. Both databases give the same matches
 * in the same order.
 */
import type { MatchKind } from '@dragoman/contract'
import {
  charactersOf,
  eachProbe,
  hashOf,
  type Known,
  likenessOfShort,
  maxTokens,
  minPercent,
  plainSource,
  signatureOf,
  wordsOf,
} from '@dragoman/text/likeness'
import type { Hub } from '../../../hub.ts'
import type { MemoryUnitRow } from '../../../store/tables.ts'
import { openPauses } from '../../../turns/pauses.ts'
import { isSmall } from '../worker/run.ts'
import { ask, asRows, findCandidates, inBatches, newAsked } from './candidates.ts'
import { likenessSafely, tokenize } from './large-texts.ts'
import { type LanguagePair, selectByHash, selectMemory, selectSources } from './memory-rows.ts'
import { selectUnits } from './unit-rows.ts'

export type LookedUp = {
  readonly source: string
  /** `contextOf` computes it. */
  readonly context?: string | undefined
  readonly limit: number
}
export type FoundUnit = {
  readonly percent: number
  readonly kind: MatchKind
  readonly unit: MemoryUnitRow
}

export async function lookUp(
  hub: Hub,
  { siteId, pair }: { readonly siteId: string; readonly pair: LanguagePair },
  { source: given, context, limit }: LookedUp,
): Promise<FoundUnit[]> {
  const db = hub.db.read
  const memory = await selectMemory(db, siteId, pair)
  const source = plainSource(given)
  if (!memory || memory.last_unit === 0 || source === '') return []
  const { memory_id: memoryId } = memory
  const [exact] = await selectByHash(db, [{ hash: hashOf(source) }], memoryId)
  const percents = exact ? new Map([[exact.unit_id, 100]]) : new Map<number, number>()
  if (percents.size < limit) await measure(hub, { siteId, memoryId }, source, percents)
  const best = [...percents]
    .filter(([, percent]) => percent >= minPercent)
    .sort(([one, more], [other, less]) => less - more || one - other)
    .slice(0, limit)
  const rows = new Map((await selectUnits(db, memoryId, best)).map((unit) => [unit.unit_id, unit]))
  return best.flatMap(([unitId, percent]) => {
    const unit = rows.get(unitId)
    return unit ? [{ percent, kind: kindOf(percent, context, unit), unit }] : []
  })
}

export function kindOf(
  percent: number,
  context: string | undefined,
  unit: MemoryUnitRow,
): MatchKind {
  if (percent < 100) return 'FUZZY'
  return context !== undefined && context === unit.context ? 'CONTEXT' : 'EXACT'
}

/** Sets the percentage of each unit that may be a match. */
async function measure(
  hub: Hub,
  { siteId, memoryId }: { readonly siteId: string; readonly memoryId: number },
  source: string,
  percents: Map<number, number>,
): Promise<void> {
  const [text] = await tokenize(siteId, [source])
  if (!text || text.tokens.length === 0) return
  const characters = charactersOf(source)
  const asked = newAsked()
  const queries = [
    { signature: signatureOf(text.tokens) },
    { signature: signatureOf(characters ?? []) },
  ]
  eachProbe(text.tokens, rarities(text), (key, edits) => ask(asked, key, 0, edits))
  if (characters) {
    const alike = characters.map(() => 1)
    eachProbe(characters, alike, (key, edits) => ask(asked, key, 1, edits), 'characters')
  }
  const found = await findCandidates(hub, memoryId, queries, asked)
  const unitIds = new Set(
    found.map(({ unitId }) => unitId).filter((unitId) => !percents.has(unitId)),
  )
  const units: { unit_id: number; source: string }[] = []
  await inBatches(
    hub,
    asRows('sought', unitIds),
    (at, some) => selectSources(at, some, memoryId),
    (unit) => units.push(unit),
  )
  const sources = units.map((unit) => unit.source)
  const pause = openPauses()
  for (const [at, known] of (await tokenize(siteId, sources)).entries()) {
    const byToken = await likenessSafely(siteId, text, known)
    const others = characters && byToken === 0 ? charactersOf(known.source) : undefined
    const percent = characters && others ? likenessOfShort(characters, others) : byToken
    percents.set(units[at]?.unit_id ?? 0, percent)
    await pause()
  }
}

/**
 * Guesses how frequent the tokens are: short ones are, and so is the last, which is a full stop in
 * most texts.
 */
function rarities({ source, tokens }: Known): number[] {
  if (tokens.length > maxTokens) return []
  const words = isSmall([source]) ? wordsOf(source) : []
  return tokens.map((_, at) =>
    at === tokens.length - 1 ? 1 : 2 ** -Math.min(words[at]?.length ?? 4, 12),
  )
}
