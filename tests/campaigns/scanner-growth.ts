/**
 * Every reader of outside text, with the texts that hurt it most, and the campaign that checks that each grows linearly. A new
 * reader of outside text gets its row in one of the tables.
 */
import { archiveReaders } from './archive-readers.ts'
import { callReaders } from './call-readers.ts'
import { clientReaders } from './client-readers.ts'
import { contentReaders } from './content-readers.ts'
import { findGrowth, type GrowthPlan } from './growth.ts'
import { alone, chanceOf, common, type Made, makeUp, type Reader, repeated } from './hostile-texts.ts'
import type { Counter } from './tally.ts'

export const readers: readonly Reader[] = [...contentReaders, ...archiveReaders, ...callReaders, ...clientReaders]

export type ScannerPlan = GrowthPlan & {
  /** Each text in every position, or in one of them. */
  readonly places: 'every' | 'one'
  /** For each reader: how many of its own worst texts, of the common ones, and of generated ones. */
  readonly own: number
  readonly common: number
  readonly madeUp: number
  readonly seed: number
}

/** The attack: long texts, in every position, many of them generated. It needs no hub. */
export const attackReaders = (_hub: unknown, { seed }: { readonly seed: number }, tally: Counter): Promise<void> =>
  growScanners(
    { least: 8_192, most: 2 ** 20, milliseconds: 20, places: 'every', own: 100, common: 20, madeUp: 20, seed },
    tally,
  )

/** The readers, one after another, each up to its first finding: which text, where, and the time it took. */
export async function growScanners(plan: ScannerPlan, tally: Counter): Promise<void> {
  const chance = chanceOf(plan.seed)
  for (const reader of readers) {
    const units = [...reader.hostile, ...common]
    const texts = [
      ...reader.hostile.slice(0, plan.own).map(repeated),
      ...Array.from({ length: plan.common }, () => repeated(common[Math.floor(chance() * common.length)] ?? ' ')),
      ...Array.from({ length: plan.madeUp }, () => makeUp(chance, units)),
    ]
    const found = await findIn(reader, texts, plan, tally.round)
    if (found !== undefined) tally.found(`${reader.name}, ${found}`)
  }
}

async function findIn(
  { read, inside = [alone] }: Reader,
  texts: readonly Made[],
  plan: ScannerPlan,
  round: () => void,
): Promise<string | undefined> {
  for (const [at, { name, make }] of texts.entries())
    for (const [place, wrap] of inside.entries()) {
      if (plan.places === 'one' && at % inside.length !== place) continue
      round()
      const found = await findGrowth(read, (length) => wrap(make(length)), plan)
      if (found !== undefined) return `place ${place}, of ${name}: ${found}`
    }
  return undefined
}
