/**
 * The axis of the lanes, from the first state to now. Long idle periods are cut down to a hatch.
 * Between changes the axis uses the square root of the time, so that a burst of changes can be read
 * beside hours of work.
 */
type Step = { readonly from: number; readonly to: number }
/** `idle` is the whole period without a change; the cut removes all of it except its ends. */
export type Cut = Step & { readonly idle: Step }
export type Axis = {
  readonly from: number
  readonly to: number
  readonly cuts: readonly Cut[]
  /** The position of a time, from 0 to 100. */
  readonly place: (at: number) => number
}

const minute = 60_000
const shortestCut = 120 * minute
const mostCuts = 8
/** The share of the axis that a cut takes up, in per cent. */
const cutShare = 4
/** Changes closer together than this share of the remaining time count as one. */
const closest = 1 / 200

/** `times` are the times of the changes. */
export function axisOf(times: readonly number[], now: number): Axis {
  const inOrder = [...new Set(times)].sort((one, other) => one - other)
  const from = inOrder[0] ?? now
  const to = Math.max(now, inOrder.at(-1) ?? now, from + 1)
  const cuts = cutsOf([...inOrder, to], to - from)
  const left = to - from - cuts.reduce((sum, cut) => sum + lengthOf(cut), 0)
  const edges = cuts.flatMap((cut) => [cut.from, cut.to])
  const stops = thinned(
    [...inOrder, ...edges, to].sort((one, other) => one - other),
    new Set([from, to, ...edges]),
    left * closest,
  )
  const steps = stops.slice(1).map((at, index): Step => ({ from: stops[index] ?? at, to: at }))
  const isCut = (step: Step) => cuts.some((cut) => cut.from === step.from)
  const weights = steps.reduce(
    (sum, step) => sum + (isCut(step) ? 0 : Math.sqrt(lengthOf(step))),
    0,
  )
  const scale = (100 - cuts.length * cutShare) / Math.max(1, weights)
  const places = [0]
  for (const step of steps)
    places.push((places.at(-1) ?? 0) + (isCut(step) ? cutShare : Math.sqrt(lengthOf(step)) * scale))
  return {
    from,
    to,
    cuts,
    place(at) {
      const next = stops.findIndex((stop) => stop >= at)
      if (next === 0) return 0
      if (next < 0) return places.at(-1) ?? 100
      const step = { from: stops[next - 1] ?? from, to: stops[next] ?? to }
      const start = places[next - 1] ?? 0
      return (
        start + ((places[next] ?? 100) - start) * ((at - step.from) / Math.max(1, lengthOf(step)))
      )
    },
  }
}

/**
 * Cuts the longest gaps first, and more gaps if they are still long compared with the rest. A cut
 * leaves a margin on both sides.
 */
function cutsOf(stops: readonly number[], whole: number): Cut[] {
  const gaps = stops
    .slice(1)
    .map((at, index): Step => ({ from: stops[index] ?? at, to: at }))
    .sort((one, other) => lengthOf(other) - lengthOf(one))
  const cuts: Cut[] = []
  let left = whole
  for (const gap of gaps) {
    if (cuts.length === mostCuts || lengthOf(gap) < shortestCut || lengthOf(gap) < left / 4) break
    const edge = Math.min(lengthOf(gap) / 20, 10 * minute)
    const cut = { from: gap.from + edge, to: gap.to - edge, idle: gap }
    cuts.push(cut)
    left -= lengthOf(cut)
  }
  return cuts.sort((one, other) => one.from - other.from)
}

/** Leaves out stops that closely follow another one, except those in `stay`. */
function thinned(stops: readonly number[], stay: ReadonlySet<number>, least: number): number[] {
  const kept: number[] = []
  for (const stop of stops)
    if (stay.has(stop) ? kept.at(-1) !== stop : stop - (kept.at(-1) ?? 0) >= least) kept.push(stop)
  return kept
}

const lengthOf = ({ from, to }: Step): number => to - from
