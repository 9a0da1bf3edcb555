/**
 * The translations of many texts that the memory has word for word, in as few statements as a batch
 * allows.
 */

import { hashOf, plainSource } from '@dragoman/text/likeness'
import type { Hub } from '../../../hub.ts'
import { openPauses } from '../../../turns/pauses.ts'
import { asRows, inBatches } from './candidates.ts'
import { type LanguagePair, selectByHash, selectMemory } from './memory-rows.ts'

/** In the order asked; undefined where the memory has none. */
export async function findExact(
  hub: Hub,
  { siteId, pair }: { readonly siteId: string; readonly pair: LanguagePair },
  sources: readonly string[],
): Promise<(string | undefined)[]> {
  const memory = await selectMemory(hub.db.read, siteId, pair)
  if (!memory || memory.last_unit === 0) return sources.map(() => undefined)
  const pause = openPauses()
  const hashes: string[] = []
  for (const source of sources) {
    hashes.push(hashOf(plainSource(source)))
    await pause()
  }
  const targets = new Map<string, string>()
  await inBatches(
    hub,
    asRows('hash', new Set(hashes)),
    (db, some) => selectByHash(db, some, memory.memory_id),
    ({ source_hash, target }) => targets.set(source_hash, target),
  )
  return hashes.map((hash) => targets.get(hash))
}
