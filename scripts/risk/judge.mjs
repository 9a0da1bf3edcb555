/** How well scores tell bad segments from good ones. */

/** The chance that a bad one stands above a good one; equal scores count half. */
export function areaUnder(scored) {
  const sorted = scored.toSorted((one, other) => one.score - other.score)
  let [ranks, bad] = [0, 0]
  for (let from = 0; from < sorted.length; ) {
    let to = from
    while (to < sorted.length && sorted[to].score === sorted[from].score) to++
    for (let at = from; at < to; at++)
      if (sorted[at].label === 1) {
        ranks += (from + to + 1) / 2
        bad++
      }
    from = to
  }
  const good = sorted.length - bad
  return (ranks - (bad * (bad + 1)) / 2) / (bad * good)
}

/** Of the bad ones, the share in the riskiest fifth. */
export function foundIn(scored, part = 0.2) {
  const sorted = scored.toSorted((one, other) => other.score - one.score)
  const isBad = ({ label }) => label === 1
  const top = sorted.slice(0, Math.round(sorted.length * part))
  return top.filter(isBad).length / sorted.filter(isBad).length
}
