/**
 * Fills a memory of a given size, in the order of its tables, so that a million units take a minute
 * instead of an hour.
 */
import { databaseModule, memoryRowsModule, prepareModule, sourceHashModule } from './built.ts'
import type { Bench } from './figure.ts'
import { type Draw, seeded, sentence } from './sentences.ts'
import type { HubFolder } from './server.ts'

const chunk = 20_000

export async function fillMemory(
  bench: Bench,
  place: HubFolder,
  siteId: string,
  {
    units,
    textOf = sentence,
  }: { readonly units: number; readonly textOf?: (draw: Draw) => string },
): Promise<void> {
  bench.say(`filling a memory of ${units.toLocaleString('en')} units`)
  const [{ keysOf }, { hashOf }, { insertUnits, insertPostings }] = [
    await prepareModule(),
    await sourceHashModule(),
    await memoryRowsModule(),
  ]
  const db = await (await databaseModule()).openDatabase(place.databaseUrl)
  try {
    const pair = {
      site_id: siteId,
      source_language: 'en-us',
      target_language: 'de-de',
      last_unit: units,
    }
    const { memory_id } = await db.transact((tx) =>
      tx.insertInto('memories').values(pair).returning('memory_id').executeTakeFirstOrThrow(),
    )
    const draw = seeded(1)
    const known = new Set<string>()
    const pieces: { piece: number; unit_id: number; signature: number }[] = []
    for (let from = 1; from <= units; from += chunk)
      await db.transact(async (tx) => {
        const rows = Array.from({ length: Math.min(chunk, units - from + 1) }, (_, at) => {
          let source = textOf(draw)
          while (known.has(source)) source = textOf(draw)
          known.add(source)
          const unit_id = from + at
          const { signature, keys, short } = keysOf(source)
          for (const piece of keys) pieces.push({ piece, unit_id, signature })
          for (const piece of short?.keys ?? [])
            pieces.push({ piece, unit_id, signature: short?.signature ?? 0 })
          const by = { origin: 'bench', changed_at: 0, version: 1, changed_by: null }
          const more = { target: 'Eine Übersetzung', context: null, ...by }
          return { memory_id, unit_id, source_hash: hashOf(source), source, ...more }
        })
        await insertUnits(tx, rows)
      })
    pieces.sort((one, other) => one.piece - other.piece || one.unit_id - other.unit_id)
    for (let from = 0; from < pieces.length; from += chunk * 5)
      await db.transact((tx) =>
        insertPostings(
          tx,
          pieces.slice(from, from + chunk * 5).map((row) => ({ memory_id, ...row })),
        ),
      )
  } finally {
    await db.close()
  }
}
