/**
 * Every reader of outside text, with the texts that hurt it most, and the campaign that checks that
 * each grows linearly. A new reader of outside text gets its row in one of the tables.
 */
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { json } from 'node:stream/consumers'
import { type CountWork, growthOfWork, mostGrowth } from '../work-count.ts'
import { archiveReaders } from './archive-readers.ts'
import { callReaders } from './call-readers.ts'
import { clientReaders } from './client-readers.ts'
import { contentReaders } from './content-readers.ts'
import { deskReaders } from './desk-readers.ts'
import { findGrowth, type GrowthPlan } from './growth.ts'
import {
  alone,
  chanceOf,
  common,
  type Made,
  makeUp,
  type Reader,
  repeated,
  words,
} from './hostile-texts.ts'
import { openTally, type Tally } from './tally.ts'

export const readers: readonly Reader[] = [
  ...contentReaders,
  ...deskReaders,
  ...archiveReaders,
  ...callReaders,
  ...clientReaders,
]

export type TextsPlan = {
  /** Each text in every position, or in one of them. */
  readonly places: 'every' | 'one'
  /**
   * For each reader: how many of its own worst texts, of the common ones, and of generated ones.
   */
  readonly own: number
  readonly common: number
  readonly madeUp: number
  readonly seed: number
}

export type ScannerPlan = GrowthPlan &
  TextsPlan & {
    /** Which of the readers: every so manieth, beginning with this one. */
    readonly every: number
    readonly from: number
  }

export type Grown = {
  readonly findings: string[]
  /** Texts in their positions, and how many of them needed a close look. */
  texts: number
  close: number
  /** Too quick to measure at the longest text: most are refused at once. */
  quick: number
  /** The most that twice the text took, and of which reader. */
  worst: { readonly times: number; readonly of: string }
}

/** As many as the cores of a small machine. */
const processes = 2

/** The attack: long texts, in every position, many of them generated. It needs no hub. */
export async function attackReaders(seed: number, tell: (finding: string) => void): Promise<Tally> {
  const tally = openTally('growth of readers', tell)
  const plan = {
    least: 4_096,
    most: 2 ** 20,
    milliseconds: 7,
    places: 'every',
    own: 100,
    common: 20,
    madeUp: 20,
  } as const
  const shares = await Promise.all(
    Array.from({ length: processes }, (_, from) =>
      growElsewhere({ ...plan, seed, every: processes, from }),
    ),
  )
  const sum = (name: 'texts' | 'close' | 'quick') =>
    shares.reduce((all, share) => all + share[name], 0)
  for (const { findings } of shares) findings.forEach(tally.found)
  for (let at = 0; at < sum('texts'); at += 1) tally.round()
  const { times, of } = shares
    .map(({ worst }) => worst)
    .reduce((one, other) => (one.times > other.times ? one : other))
  tally.figure(
    `${readers.length} readers, ${sum('quick')} texts too quick to measure, ${sum('close')} looked at closely`,
  )
  tally.figure(`twice the text takes at most ${times.toFixed(2)} times as long (${of})`)
  return tally.end()
}

/**
 * In a process of its own. With room for all that a reading makes, no collection of garbage falls
 * into it.
 */
async function growElsewhere(plan: ScannerPlan): Promise<Grown> {
  const room = ['--min-semi-space-size=512', '--max-semi-space-size=512']
  const script = join(import.meta.dirname, 'grow-readers.mjs')
  const child = spawn(process.execPath, [...room, script, JSON.stringify(plan)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  return (await json(child.stdout)) as Grown
}

/**
 * The readers, one after another, each up to its first finding: which text, where, and the time it
 * took.
 */
export async function growScanners(plan: ScannerPlan): Promise<Grown> {
  const grown: Grown = {
    findings: [],
    texts: 0,
    close: 0,
    quick: 0,
    worst: { times: 0, of: 'none' },
  }
  for (const [at, reader] of readers.entries()) {
    if (at % plan.every !== plan.from) continue
    const found = await growReader(
      reader,
      textsFor(reader, plan, chanceOf(plan.seed + at)),
      plan,
      grown,
    )
    if (found !== undefined) grown.findings.push(`${reader.name}, ${found}`)
  }
  return grown
}

function textsFor(
  { hostile }: Pick<Reader, 'hostile'>,
  plan: TextsPlan,
  chance: () => number,
): Made[] {
  const units = [...hostile, ...common]
  const rest = [...common]
  const drawn = Array.from({ length: Math.min(plan.common, rest.length) }, () =>
    rest.splice(Math.floor(chance() * rest.length), 1),
  )
  return [
    ...[...hostile.slice(0, plan.own), ...words, ...drawn.flat()].map(repeated),
    ...Array.from({ length: plan.madeUp }, () => makeUp(chance, units)),
  ]
}

async function growReader(
  { name: of, read, inside = [alone] }: Reader,
  texts: readonly Made[],
  plan: ScannerPlan,
  grown: Grown,
): Promise<string | undefined> {
  for (const [at, { name, make }] of texts.entries())
    for (const [place, wrap] of inside.entries()) {
      if (plan.places === 'one' && at % inside.length !== place) continue
      const { found, times, isClose } = await findGrowth(read, (length) => wrap(make(length)), plan)
      grown.texts += 1
      if (isClose) grown.close += 1
      if (times === 0) grown.quick += 1
      if (times > grown.worst.times) grown.worst = { times, of: `${of}, place ${place}, ${name}` }
      if (found !== undefined) return `place ${place}, of ${name}: ${found}`
    }
  return undefined
}

/**
 * Texts of linear readers take next to exactly twice the work: above this, each is looked at alone.
 */
const suspectGrowth = 2.1

/**
 * The same readers by their work, which needs only short texts: what grows faster than its text.
 */
export async function countScanners(
  plan: TextsPlan,
  count: CountWork,
): Promise<{ readonly findings: readonly string[]; readonly texts: number }> {
  const findings: string[] = []
  let texts = 0
  for (const [nth, { name: of, read, ...reader }] of readers.entries()) {
    const inside = reader.inside ?? [alone]
    const placed = textsFor(reader, plan, chanceOf(plan.seed + nth)).flatMap(({ name, make }, at) =>
      inside
        .map((wrap, place) => ({ place, name, make: (length: number) => wrap(make(length)) }))
        .filter(({ place }) => plan.places === 'every' || at % inside.length === place),
    )
    texts += placed.length
    const all = (length: number) => placed.map(({ make }) => make(length))
    if ((await growthOfWork(count, read, all)) < suspectGrowth) continue
    for (const { name, place, make } of placed) {
      const growth = await growthOfWork(count, read, make)
      // A text of an odd or even length may take another way once; real growth goes on.
      const goesOn =
        growth > mostGrowth && (await growthOfWork(count, read, make, 8_192)) > mostGrowth
      if (goesOn) findings.push(`${of}, place ${place}, of ${name}: ${growth.toFixed(2)} times`)
    }
  }
  return { findings, texts }
}
