/** The axis of the lanes: time from the first state to now, with long idle stretches cut down to a hatch. */
export type Cut = { readonly from: number; readonly to: number }
export type Axis = {
  readonly from: number
  readonly to: number
  readonly cuts: readonly Cut[]
  /** Where a time stands, from 0 to 100. */
  readonly place: (at: number) => number
}

const hour = 3_600_000
const shortestCut = 2 * hour
const mostCuts = 8
/** The share of the axis that a cut keeps, in per cent. */
const cutShare = 4

/** `times` are those at which something changed. */
export function axisOf(times: readonly number[], now: number): Axis {
  const inOrder = [...new Set(times)].sort((one, other) => one - other)
  const from = inOrder[0] ?? now
  const to = Math.max(now, inOrder.at(-1) ?? now, from + 1)
  const stops = [...inOrder, to]
  const gaps = stops
    .slice(1)
    .map((at, index): Cut => ({ from: stops[index] ?? at, to: at }))
    .sort((one, other) => lengthOf(other) - lengthOf(one))
  const cuts: Cut[] = []
  let left = to - from
  for (const gap of gaps) {
    // The longest first: what is still long beside the rest is cut too.
    if (cuts.length === mostCuts || lengthOf(gap) < shortestCut || lengthOf(gap) < left / 4) break
    // Something must be left to stand on both sides.
    const edge = Math.min(lengthOf(gap) / 20, 20 * 60_000)
    const cut = { from: gap.from + edge, to: gap.to - edge }
    cuts.push(cut)
    left -= lengthOf(cut)
  }
  cuts.sort((one, other) => one.from - other.from)
  const scale = (100 - cuts.length * cutShare) / Math.max(1, left)
  return {
    from,
    to,
    cuts,
    place(at) {
      let place = 0
      let since = from
      for (const cut of cuts) {
        if (at <= cut.from) break
        place += (cut.from - since) * scale
        place += cutShare * Math.min(1, (at - cut.from) / lengthOf(cut))
        since = Math.min(cut.to, at)
        if (at < cut.to) return place
      }
      return place + (at - since) * scale
    },
  }
}

const lengthOf = ({ from, to }: Cut): number => to - from
