/**
 * Writes the postings of imported units: those after a memory's `indexed_unit`. The postings of one
 * unit are scattered over their table: written unit by unit, each costs a page. Here those of many
 * units are gathered, sorted and written page by page. A call that removes postings meanwhile
 * lowers `indexed_unit` (postings.ts). Then they are gathered again, as they are after an
 * interruption; those that are already written stay.
 */
import type { Hub } from '../../../hub.ts'
import type { Db } from '../../../store/database.ts'
import type { MemoryRow } from '../../../store/tables.ts'
import { everyUnit } from './every-unit.ts'
import { insertPostings, updateIndexedUnit } from './memory-rows.ts'
import { inTableOrder, type Posting, postingsOf } from './postings.ts'
import { keysSafely } from './prepare-units.ts'
import {
  lockMemoryById,
  selectMemories,
  selectMemoryById,
  selectSitesToIndex,
} from './unit-rows.ts'

/** Postings gathered in memory, 28 bytes each. */
const maxGathered = 700_000
/** Postings per transaction; few enough not to block SQLite's single writer for long. */
const maxWritten = 16_384

/** Indexes every memory of the site. `keep` runs in each transaction. */
export async function indexUnits(
  hub: Hub,
  siteId: string,
  keep: (tx: Db) => Promise<void>,
): Promise<void> {
  for (const { memory_id: memoryId } of await selectMemories(hub.db.read, siteId, {}))
    for (;;) {
      const memory = await selectMemoryById(hub.db.read, siteId, memoryId)
      if (!memory || memory.indexed_unit === null) break
      await indexSome(hub, memory, memory.indexed_unit, keep)
    }
}

/** What an import left that was given up, or that is gone with its job. */
export async function indexLeftUnits(hub: Hub): Promise<void> {
  for (const siteId of await selectSitesToIndex(hub.db.read))
    await indexUnits(hub, siteId, async () => {})
}

async function indexSome(
  hub: Hub,
  memory: MemoryRow,
  from: number,
  keep: (tx: Db) => Promise<void>,
): Promise<void> {
  const { postings, last } = await gather(hub, memory, from)
  const write = (rows: readonly Posting[], isLast: boolean): Promise<boolean> =>
    hub.db.transact(async (tx) => {
      const now = await lockMemoryById(tx, memory.site_id, memory.memory_id)
      if (now?.indexed_unit !== from) return false
      await insertPostings(tx, rows)
      if (isLast) await updateIndexedUnit(tx, memory, last === now.last_unit ? null : last)
      await keep(tx)
      return true
    })
  for (const rows of postings.slices(memory.memory_id)) if (!(await write(rows, false))) return
  await write([], true)
}

async function gather(
  hub: Hub,
  memory: MemoryRow,
  from: number,
): Promise<{ postings: Gathered; last: number }> {
  const { site_id: siteId, memory_id: memoryId } = memory
  const postings = openGathered()
  const firsts = new Map<number, number>()
  for await (const { units } of everyUnit(hub, [memory], { memoryId, unitId: from })) {
    const keys = await keysSafely(
      siteId,
      units.map(({ source }) => source),
    )
    const indexed = keys.map((of, at) => ({ ...of, unitId: units[at]?.unit_id ?? 0 }))
    const some = await postingsOf(hub.db.read, memoryId, indexed, firsts)
    if (postings.add(some) >= maxGathered) return { postings, last: units.at(-1)?.unit_id ?? from }
  }
  return { postings, last: memory.last_unit }
}

type Gathered = {
  /** Returns how many there are. */
  add(rows: readonly Posting[]): number
  /** The postings come in the order of the table. */
  slices(memory_id: number): Generator<Posting[]>
}

const keyRange = 2 ** 52
const bucketCount = 256
const bucketOf = (piece: number): number => Math.floor((piece / keyRange) * bucketCount)

/**
 * As numbers in blocks, because a million objects need many times the memory; sorted by bucket,
 * then each slice by piece.
 */
function openGathered(): Gathered {
  const [width, rowsOfBlock] = [3, 16_384]
  const blocks: Float64Array[] = []
  const ends = new Uint32Array(bucketCount + 1)
  let count = 0
  const pieceAt = (at: number): number =>
    blocks[Math.floor(at / rowsOfBlock)]?.[(at % rowsOfBlock) * width] ?? 0
  const rowAt = (memory_id: number, at: number): Posting => {
    const block = blocks[Math.floor(at / rowsOfBlock)] ?? []
    const start = (at % rowsOfBlock) * width
    return {
      memory_id,
      piece: block[start] ?? 0,
      unit_id: block[start + 1] ?? 0,
      signature: block[start + 2] ?? 0,
    }
  }
  const inBuckets = (): Uint32Array => {
    const next = Uint32Array.from(ends)
    for (let at = 1; at < next.length; at += 1) next[at] = (next[at] ?? 0) + (next[at - 1] ?? 0)
    const order = new Uint32Array(count)
    for (let at = 0; at < count; at += 1) {
      const bucket = bucketOf(pieceAt(at))
      const place = next[bucket] ?? 0
      order[place] = at
      next[bucket] = place + 1
    }
    return order
  }

  return {
    add: (rows) => {
      for (const { piece, unit_id, signature } of rows) {
        if (count % rowsOfBlock === 0) blocks.push(new Float64Array(rowsOfBlock * width))
        const block = blocks[blocks.length - 1] ?? []
        const start = (count % rowsOfBlock) * width
        block[start] = piece
        block[start + 1] = unit_id
        block[start + 2] = signature
        const bucket = bucketOf(piece)
        // Where the next one begins.
        ends[bucket + 1] = (ends[bucket + 1] ?? 0) + 1
        count += 1
      }
      return count
    },
    slices: function* (memory_id) {
      let rows: Posting[] = []
      let bucket = 0
      for (const at of inBuckets()) {
        const row = rowAt(memory_id, at)
        // A bucket with many texts of the same tokens is long.
        if (rows.length >= (bucketOf(row.piece) === bucket ? 2 * maxWritten : maxWritten)) {
          yield inTableOrder(rows)
          rows = []
        }
        bucket = bucketOf(row.piece)
        rows.push(row)
      }
      yield inTableOrder(rows)
    },
  }
}
