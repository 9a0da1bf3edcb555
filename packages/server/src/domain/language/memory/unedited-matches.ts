/**
 * Which targets are the best fuzzy match of their source, unchanged. Most targets are in no unit of
 * the memory, which an index tells for all of them at once; only for the others is the memory asked
 * for the best match, and for a bounded number of them.
 */
import type { TextParts, TextTag } from '@dragoman/contract'
import { hashOf, plainSource, writtenText } from '@dragoman/text/likeness'
import type { Hub } from '../../../hub.ts'
import { openPauses } from '../../../turns/pauses.ts'
import { pairOf } from './add-units.ts'
import { asRows, inBatches } from './candidates.ts'
import { lookUp } from './look-up.ts'
import { selectByHash, selectMemory, selectTargets } from './memory-rows.ts'

type Source = {
  readonly segmentId: string
  readonly source: TextParts
  readonly tags: readonly TextTag[]
}
export type Confirmed = { readonly segment: Source; readonly target: TextParts }
type SiteLanguages = {
  readonly site_id: string
  readonly source_language: string
  readonly target_language: string
}
/** The percentage of the match, by segment. */
export type Unedited = ReadonlyMap<string, number>

/** Look-ups of one call. A person confirms far fewer matches as they are. */
export type UneditedLookUps = { left: number }
export const newLookUps = (): UneditedLookUps => ({ left: 200 })

export async function findUnedited(
  hub: Hub,
  { site_id: siteId, source_language, target_language }: SiteLanguages,
  confirmed: readonly Confirmed[],
  lookUps: UneditedLookUps = newLookUps(),
): Promise<Unedited> {
  const pair = pairOf(source_language, target_language)
  const memory = confirmed.length > 0 ? await selectMemory(hub.db.read, siteId, pair) : undefined
  const found = new Map<string, number>()
  if (!memory || memory.last_unit === 0) return found
  const pause = openPauses()
  const texts: { segmentId: string; source: string; target: string; hash: string }[] = []
  for (const { segment, target } of confirmed) {
    const source = plainSource(writtenText(segment.source, segment.tags))
    const written = plainSource(writtenText(target, segment.tags))
    texts.push({ segmentId: segment.segmentId, source, target: written, hash: hashOf(source) })
    await pause()
  }
  const targets = new Set<string>()
  await inBatches(
    hub,
    asRows('sought', new Set(texts.map(({ target }) => target))),
    (db, some) => selectTargets(db, some, memory.memory_id),
    ({ target }) => targets.add(target),
  )
  const known = texts.filter(({ target }) => targets.has(target))
  const exact = new Set<string>()
  await inBatches(
    hub,
    asRows('hash', new Set(known.map(({ hash }) => hash))),
    (db, some) => selectByHash(db, some, memory.memory_id),
    (unit) => exact.add(unit.source_hash),
  )
  for (const { segmentId, source, target, hash } of known) {
    if (exact.has(hash)) continue
    if (lookUps.left <= 0) break
    lookUps.left -= 1
    const [best] = await lookUp(hub, { siteId, pair }, { source, limit: 1 })
    if (best?.unit.target === target) found.set(segmentId, best.percent)
  }
  return found
}
