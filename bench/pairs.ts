/**
 * Interleaved measurements: every side once to warm up, then ours, anchor, ours, anchor …, and the
 * medians.
 */
import type { Bench, Measured } from './figure.ts'

/** Measures for about this long and returns a rate or a time. */
export type Side = (milliseconds: number) => Promise<number>

/** Runs every side in turn, as often as the options say; returns each side's results in order. */
export async function inTurn<Name extends string>(
  bench: Bench,
  sides: Record<Name, Side>,
  milliseconds = 3_000,
): Promise<Record<Name, number[]>> {
  const { pairs, quick } = bench.options
  const names = Object.keys(sides) as Name[]
  const time = quick ? 150 : milliseconds
  const taken = Object.fromEntries(names.map((name) => [name, [] as number[]])) as Record<
    Name,
    number[]
  >
  for (const name of names) await sides[name](time / 2)
  for (let pair = 0; pair < pairs; pair++)
    for (const name of names) {
      const value = await sides[name](time)
      taken[name].push(value)
    }
  return taken
}

/** Each of `ours` divided by the `anchor` measured next to it. */
export function ratioOf(ours: readonly number[], anchor: readonly number[]): Measured {
  return measuredOf(ours.map((value, pair) => value / (anchor[pair] ?? Number.NaN)))
}

export function measuredOf(values: readonly number[]): Measured {
  const sorted = values.toSorted((a, b) => a - b)
  return { median: middle(sorted), low: sorted[0] ?? Number.NaN, high: sorted.at(-1) ?? Number.NaN }
}

export const median = (values: readonly number[]): number =>
  middle(values.toSorted((a, b) => a - b))

function middle(sorted: readonly number[]): number {
  const half = Math.floor(sorted.length / 2)
  const upper = sorted[half] ?? Number.NaN
  return sorted.length % 2 === 1 ? upper : (upper + (sorted[half - 1] ?? Number.NaN)) / 2
}

/** `8,123/s` */
export const rate = (values: readonly number[]): string =>
  `${Math.round(median(values)).toLocaleString('en')}/s`

/** `812 MB/s` */
export const throughput = (values: readonly number[]): string => `${median(values).toFixed(0)} MB/s`
