/**
 * The memory of a site, or of some of its languages, as a TMX file that is written while it is
 * sent.
 */
import type { FileAnswer, MemoryPairQuery } from '@dragoman/contract'
import type { Hub } from '../../../hub.ts'
import type { MemoryRow } from '../../../store/tables.ts'
import type { Call } from '../../access/caller.ts'
import { everyUnit } from './every-unit.ts'
import { selectMemories } from './unit-rows.ts'
import { pairGiven, unitIdOf } from './units.ts'
import { tmxEnd, tmxHead, writeUnitsSafely } from './write-tmx.ts'

export async function exportMemory(
  hub: Hub,
  call: Call,
  asked: MemoryPairQuery,
): Promise<FileAnswer> {
  const { siteId } = call.caller
  const pair = pairGiven(asked)
  const memories = await selectMemories(hub.db.read, siteId, pair)
  const named = [pair.sourceLanguage, pair.targetLanguage].filter((code) => code !== undefined)
  return {
    fileName: `${['memory', ...named].join('.')}.tmx`,
    contentType: 'application/x-tmx+xml',
    bytes: written(hub, siteId, memories),
  }
}

async function* written(
  hub: Hub,
  siteId: string,
  memories: readonly MemoryRow[],
): AsyncGenerator<Uint8Array> {
  const sources = new Set(memories.map((memory) => memory.source_language))
  const sourceLanguage = sources.size === 1 ? [...sources][0] : undefined
  yield Buffer.from(tmxHead({ sourceLanguage, time: hub.clock.now() }))
  for await (const { memory, units } of everyUnit(hub, memories)) {
    const given = units.map(({ memory_id, unit_id, source, target, context, changed_at }) => ({
      tuid: unitIdOf(memory_id, unit_id),
      sourceLanguage: memory.source_language,
      targetLanguage: memory.target_language,
      source,
      target,
      context,
      changedAt: changed_at,
    }))
    yield Buffer.from(await writeUnitsSafely(siteId, given))
  }
  yield Buffer.from(tmxEnd)
}
