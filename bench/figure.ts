/**
 * What the bench measures: a figure runs on a bench and returns rows of the table. Everything is a
 * ratio within one run, or a time or size with its own bound; nothing is compared with a number
 * from another day or machine.
 */
import type { Postgres } from '../tests/postgres.ts'

export type Options = {
  /** Interleaved measurements per side: the median of their ratios counts. */
  readonly pairs: number
  /** Only checks that it runs: tiny databases, one pair, no verdict. */
  readonly quick: boolean
  /** Runs our server under --cpu-prof. */
  readonly profile: boolean
}

export type Bench = {
  readonly options: Options
  /** A fresh folder, removed at the end. */
  folder(): Promise<string>
  /** One server for all figures, with fsync on. */
  postgres(): Promise<Postgres>
  /** Runs when the bench ends, however it ends. */
  atEnd(close: () => Promise<void>): void
  say(text: string): void
}

export type Figure = {
  /** As on the command line. */
  readonly name: string
  readonly says: string
  run(bench: Bench): Promise<FigureRow[]>
}

export type Measured = { readonly median: number; readonly low: number; readonly high: number }
export type Target = { readonly atLeast: number } | { readonly atMost: number }

export type FigureRow = {
  readonly figure: string
  readonly ours: string
  readonly anchor: string
  readonly measured: Measured
  /** `x` for a ratio. */
  readonly unit: 'x' | 's' | 'MB' | 'MB/s'
  /** Without one the row is informative only. */
  readonly target?: Target
}

export function meets(row: FigureRow): boolean | undefined {
  if (!row.target) return undefined
  const { median } = row.measured
  return 'atLeast' in row.target ? median >= row.target.atLeast : median <= row.target.atMost
}
