/**
 * Adds the units of a TMX file to the site's memory in batches, each in one transaction with the
 * progress of the import: after an interruption it continues from there. Indexes
 * the units every so often, and once more before it ends. The caller first reads the whole file
 * with `countTmx`.
 */
import type { Hub } from '../../../hub.ts'
import type { Db } from '../../../store/database.ts'
import { LeaseLost } from '../../../store/tasks/hold-tasks.ts'
import { addUnindexed, pairOf } from './add-units.ts'
import { indexUnits } from './index-units.ts'
import { hashSafely, type NewUnit } from './prepare-units.ts'
import { readTmx, type TmxPair, type TmxUnit } from './read-tmx.ts'

/** Units per transaction; small enough not to block SQLite's single writer for long. */
const batchSize = 2_000
/** Characters after which a batch is complete. */
const batchCharacters = 1024 ** 2
/** Units after which they are indexed: many, because that writes most pages of the postings. */
const indexedAtOnce = 100_000
/**
 * The most memory an import needs: postings that are gathered, two batches and the parser's buffer.
 * A small file needs less.
 */
export const maxImportBytes = 48 * 1024 ** 2

export type Progress = {
  readonly read: number
  readonly added: number
  readonly changed: number
  readonly skipped: number
}

export type TmxImport = {
  readonly siteId: string
  /** The units get this origin. */
  readonly origin: string
  /** Without one, the file says which languages its units have. */
  readonly pair?: TmxPair | undefined
  readonly done: Progress
  readonly bytes: AsyncIterable<Uint8Array>
  /**
   * Writes the progress, and returns false if the import has not reached `before`: then another one
   * is at work.
   */
  readonly save: (
    tx: Db,
    before: Progress,
    next: Progress & { readonly isLast: boolean },
  ) => Promise<boolean>
  /** Runs in the other transactions. */
  readonly keep: (tx: Db) => Promise<void>
}

/** Reads the whole file, so that nothing of a broken one is imported. */
export async function countTmx(bytes: AsyncIterable<Uint8Array>, pair?: TmxPair): Promise<number> {
  let count = 0
  for await (const units of readTmx(bytes, pair)) count += units.length
  return count
}

export async function importTmx(
  hub: Hub,
  { siteId, origin, pair, bytes, save, ...given }: TmxImport,
): Promise<void> {
  let { done } = given
  let skip = done.read
  let batch: (TmxUnit | undefined)[] = []
  let characters = 0
  let unindexed = 0
  /** The batch before, which is written while the next one is read. */
  let writing: Promise<void> = Promise.resolve()
  const commit = async (next: (tx: Db) => Promise<Progress>, isLast: boolean): Promise<void> => {
    done = await hub.db.transact(async (tx) => {
      const progress = await next(tx)
      if (!(await save(tx, done, { ...progress, isLast })))
        throw new LeaseLost(`Another imports ${origin}, or it is gone.`)
      return progress
    })
  }
  const index = async (): Promise<void> => {
    await indexUnits(hub, siteId, given.keep)
    unindexed = 0
  }
  const write = async (groups: Groups, read: number, skipped: number): Promise<void> => {
    await commit(async (tx) => {
      let [added, changed] = [0, 0]
      for (const { of, units } of groups) {
        const taught = await addUnindexed(hub, tx, { siteId, pair: of }, units)
        added += taught.added
        changed += taught.changed
      }
      return {
        read: done.read + read,
        added: done.added + added,
        changed: done.changed + changed,
        skipped: done.skipped + skipped,
      }
    }, false)
    unindexed += read
  }
  const flush = async (): Promise<void> => {
    const units = batch
    batch = []
    characters = 0
    if (unindexed >= indexedAtOnce) await writing.then(index)
    const groups = await prepareGroups(siteId, origin, units, pair)
    await writing
    writing = write(groups, units.length, units.filter((unit) => !unit).length)
    // The next batch awaits it.
    writing.catch(() => {})
  }
  for await (const units of readTmx(bytes, pair))
    for (const unit of units) {
      if (skip > 0) {
        skip -= 1
        continue
      }
      characters += unit ? unit.source.length + unit.target.length : 0
      if (batch.push(unit) === batchSize || characters >= batchCharacters) await flush()
    }
  await flush()
  await writing
  await index()
  await commit(async () => done, true)
}

type Groups = Awaited<ReturnType<typeof prepareGroups>>

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
  return Promise.all(
    sorted.map(async ([, { of, units }]) => ({ of, units: await hashSafely(siteId, units) })),
  )
}
