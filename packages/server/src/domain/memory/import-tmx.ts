/**
 * Adds the units of a TMX file to the site's memory in batches, each in one transaction with the progress of the import: after
 * an interruption it continues from there (decision 0023). Whoever imports reads the file through before, with `countTmx`.
 */
import type { Hub } from '../../hub.ts'
import type { Db } from '../../store/engine.ts'
import { LeaseLost } from '../../store/tasks/hold-tasks.ts'
import { addUnits, pairOf } from './add-units.ts'
import { type NewUnit, prepareSafely } from './prepare-units.ts'
import { readTmx, type TmxPair, type TmxUnit } from './read-tmx.ts'

/** Units per transaction; small enough not to block SQLite's single writer for long. */
const batchSize = 1_000
/** Characters after which a batch is complete. */
const batchCharacters = 1024 ** 2
/** The most memory an import needs: the texts of a unit, a batch and the parser's buffer. A small file needs less. */
export const maxImportBytes = 16 * 1024 ** 2

export type Progress = {
  readonly read: number
  readonly added: number
  readonly changed: number
  readonly skipped: number
}

export type TmxImport = {
  readonly siteId: string
  /** Of the units. */
  readonly origin: string
  /** Without one, the file says which languages its units have. */
  readonly pair?: TmxPair | undefined
  readonly done: Progress
  readonly bytes: AsyncIterable<Uint8Array>
  /** Writes the progress, and returns false if the import has not reached `before`: then another one is at work. */
  readonly save: (tx: Db, before: Progress, next: Progress & { readonly isLast: boolean }) => Promise<boolean>
}

/** Reads the whole file, so that nothing of a broken one is imported. */
export async function countTmx(bytes: AsyncIterable<Uint8Array>, pair?: TmxPair): Promise<number> {
  let count = 0
  for await (const units of readTmx(bytes, pair)) count += units.length
  return count
}

export async function importTmx(hub: Hub, { siteId, origin, pair, bytes, save, ...given }: TmxImport): Promise<void> {
  let { done } = given
  let skip = done.read
  let batch: (TmxUnit | undefined)[] = []
  let characters = 0
  const write = async (isLast: boolean) => {
    const groups = await prepareGroups(siteId, origin, batch, pair)
    const skipped = batch.filter((unit) => !unit).length
    done = await hub.engine.transact(async (tx) => {
      let [added, changed] = [0, 0]
      for (const { of, units } of groups) {
        const taught = await addUnits(hub, tx, { siteId, pair: of }, units)
        added += taught.added
        changed += taught.changed
      }
      const next = {
        read: done.read + batch.length,
        added: done.added + added,
        changed: done.changed + changed,
        skipped: done.skipped + skipped,
      }
      if (!(await save(tx, done, { ...next, isLast }))) throw new LeaseLost(`Another imports ${origin}, or it is gone.`)
      return next
    })
    batch = []
    characters = 0
  }
  for await (const units of readTmx(bytes, pair))
    for (const unit of units) {
      if (skip > 0) {
        skip -= 1
        continue
      }
      characters += unit ? unit.source.length + unit.target.length : 0
      if (batch.push(unit) === batchSize || characters >= batchCharacters) await write(false)
    }
  await write(true)
}

/** The units of each pair. In one order, so that two imports lock memories one after the other. */
async function prepareGroups(
  siteId: string,
  origin: string,
  batch: readonly (TmxUnit | undefined)[],
  pair: TmxPair | undefined,
) {
  const groups = new Map<string, { of: TmxPair; units: NewUnit[] }>()
  for (const unit of batch) {
    const given = pair ?? unit?.pair
    if (!unit || !given) continue
    const of = pairOf(given.sourceLanguage, given.targetLanguage)
    const key = `${of.sourceLanguage} ${of.targetLanguage}`
    const group = groups.get(key) ?? { of, units: [] }
    const { source, target, context } = unit
    group.units.push({ source, target, context, origin })
    groups.set(key, group)
  }
  const sorted = [...groups].sort(([one], [other]) => (one < other ? -1 : 1))
  return Promise.all(sorted.map(async ([, { of, units }]) => ({ of, units: await prepareSafely(siteId, units) })))
}
