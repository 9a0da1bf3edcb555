/**
 * How many segments, drawn without replacement, prove that at most so many of all are bad, when the
 * count is read after every verdict and the first success ends it. For each number of bad ones found
 * there is a size from which the promise is proved; the sizes share the largest level that keeps
 * the promise, which is exact (hypergeometric; no approximation). Pure: it runs in a worker.
 */

export type Promised = {
  /** How many segments there are. */
  readonly segments: number
  /** How many of them may be bad. */
  readonly allowed: number
  /** The share of wrong proofs that is accepted: 0.05 for 95 per cent. */
  readonly error: number
}
/** The size that proves it with 0, 1, 2 … bad ones found; the last is at `allowed`. */
export type Sizes = readonly number[]

/**
 * The hub spends so much of the accepted error: who counts false proofs among a thousand jobs finds
 * the promised share kept also by chance, at samples that are a few per cent larger.
 */
export const reserve = 0.75

/** Larger samples than this prove only if all segments are reviewed: nobody draws more. */
const mostDrawn = 20_000
const halvings = 24

export function planSizes(promised: Promised): number[] {
  const { error } = promised
  let [low, high] = [error / 1_000, error]
  let best = sizesAt(promised, low)
  const whole = sizesAt(promised, high)
  if (brokenShare(promised, whole) <= error * (1 + 1e-12)) return whole
  for (let round = 0; round < halvings; round++) {
    const middle = Math.sqrt(low * high)
    const sizes = sizesAt(promised, middle)
    if (brokenShare(promised, sizes) <= error) {
      low = middle
      best = sizes
    } else high = middle
  }
  return best
}

/**
 * For each number found the smallest sample in which, with one bad one too many among all, so few
 * are found with at most this chance.
 */
function sizesAt({ segments, allowed }: Promised, level: number): number[] {
  const bad = allowed + 1
  const most = Math.min(segments, mostDrawn)
  const exactlyAt = openChances(segments, bad)
  const sizes: number[] = []
  let [drawn, atMost] = [0, 0]
  for (let found = 0; found <= allowed; found++) {
    let exactly = exactlyAt(drawn, found)
    atMost += exactly
    while (atMost > level && drawn < most) {
      atMost -= (exactly * (bad - found)) / (segments - drawn)
      drawn++
      exactly = exactlyAt(drawn, found)
    }
    sizes.push(atMost > level ? segments : drawn)
  }
  return sizes
}

/** The hypergeometric chance of so many bad ones among so many drawn. */
function openChances(segments: number, bad: number): (drawn: number, found: number) => number {
  const logs = logsOf(segments)
  const ways = (all: number, some: number): number =>
    (logs[all] ?? 0) - (logs[some] ?? 0) - (logs[all - some] ?? 0)
  return (drawn, found) => {
    const good = drawn - found
    if (found > bad || good < 0 || good > segments - bad) return 0
    return Math.exp(ways(bad, found) + ways(segments - bad, good) - ways(segments, drawn))
  }
}

/** The logarithms of the factorials. */
let logs = new Float64Array(1)
function logsOf(most: number): Float64Array {
  if (logs.length <= most) {
    const longer = new Float64Array(most + 1)
    for (let at = 1; at <= most; at++) longer[at] = (longer[at - 1] ?? 0) + Math.log(at)
    logs = longer
  }
  return logs
}

/** Less than this chance of a state changes nothing that is shown. */
const negligible = 1e-18

/** The chance that a promise that is broken by one is called proved. */
export function brokenShare({ segments, allowed }: Promised, sizes: Sizes): number {
  const bad = allowed + 1
  const last = Math.min(segments, mostDrawn)
  let chances = new Float64Array(bad + 1)
  let next = new Float64Array(bad + 1)
  chances[0] = 1
  let [first, top, broken] = [0, 0, 0]
  for (let drawn = 0; drawn < last && first <= allowed; drawn++) {
    const end = Math.min(top + 1, bad)
    next.fill(0, first, end + 1)
    for (let found = first; found <= Math.min(top, allowed); found++) {
      const chance = chances[found] ?? 0
      const isBad = (bad - found) / (segments - drawn)
      next[found] = (next[found] ?? 0) + chance * (1 - isBad)
      next[found + 1] = (next[found + 1] ?? 0) + chance * isBad
    }
    ;[chances, next] = [next, chances]
    top = end
    while (top > first && (chances[top] ?? 0) < negligible) top--
    for (; first <= allowed && drawn + 1 >= (sizes[first] ?? segments); first++)
      broken += drawn + 1 >= segments ? 0 : (chances[first] ?? 0)
  }
  return broken
}

export type Read = {
  readonly state: 'MORE' | 'PROVED' | 'FAILED'
  /** How many verdicts count, and how many of them are bad. */
  readonly reviewed: number
  readonly found: number
  /** How many segments the sample has now. */
  readonly size: number
}

/** Reads verdicts in the order of the sample up to where the plan ends. True is bad. */
export function readPlan(sizes: Sizes, verdicts: readonly boolean[]): Read {
  const sizeOf = (found: number): number => sizes[found] ?? 0
  let found = 0
  for (const [at, isBad] of verdicts.entries()) {
    if (isBad) found++
    const reviewed = at + 1
    if (found >= sizes.length) return { state: 'FAILED', reviewed, found, size: reviewed }
    if (reviewed >= sizeOf(found)) return { state: 'PROVED', reviewed, found, size: reviewed }
  }
  return { state: 'MORE', reviewed: verdicts.length, found, size: sizeOf(found) }
}
