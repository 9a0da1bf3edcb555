/**
 * The axis of the lanes, from the first state to now. Long idle stretches are cut down to a hatch. Between changes, time takes
 * the root of its length, so that a burst of changes can be read beside hours of work.
 */
type Step = { readonly from: number; readonly to: number }
/** `idle` is the whole stretch without a change, of which the cut leaves out all but its ends. */
export type Cut = Step & { readonly idle: Step }
export type Axis = {
  readonly from: number
  readonly to: number
  readonly cuts: readonly Cut[]
  /** Where a time stands, from 0 to 100. */
  readonly place: (at: number) => number
}

const minute = 60_000
const shortestCut = 120 * minute
const mostCuts = 8
/** The share of the axis that a cut keeps, in per cent. */
const cutShare = 4
/** Changes closer than this share of the time that is left are one. */
const closest = 1 / 200

/** `times` are those at which something changed. */
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
  const weights = steps.reduce((sum, step) => sum + (isCut(step) ? 0 : Math.sqrt(lengthOf(step))), 0)
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
      return start + ((places[next] ?? 100) - start) * ((at - step.from) / Math.max(1, lengthOf(step)))
    },
  }
}

/** The longest gaps first: what is still long beside the rest is cut too. Something stays on both sides to stand on. */
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

/** Without stops that follow another one at once; those that must stay do. */
function thinned(stops: readonly number[], stay: ReadonlySet<number>, least: number): number[] {
  const kept: number[] = []
  for (const stop of stops)
    if (stay.has(stop) ? kept.at(-1) !== stop : stop - (kept.at(-1) ?? 0) >= least) kept.push(stop)
  return kept
}

const lengthOf = ({ from, to }: Step): number => to - from
