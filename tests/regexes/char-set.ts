/**
 * Sets of characters as sorted ranges of code points, as far as a regular expression names them.
 */
export type CharSet = readonly (readonly [from: number, to: number])[]

const last = 0x10ffff
export const everything: CharSet = [[0, last]]
export const nothing: CharSet = []

export function union(...sets: readonly CharSet[]): CharSet {
  const merged: [number, number][] = []
  for (const [from, to] of sets.flat().sort(([one], [other]) => one - other)) {
    const before = merged.at(-1)
    if (before && from <= before[1] + 1) before[1] = Math.max(before[1], to)
    else merged.push([from, to])
  }
  return merged
}

export function without(set: CharSet): CharSet {
  const rest: [number, number][] = []
  let next = 0
  for (const [from, to] of union(set)) {
    if (from > next) rest.push([next, from - 1])
    next = to + 1
  }
  if (next <= last) rest.push([next, last])
  return rest
}

export const meet = (one: CharSet, other: CharSet): boolean =>
  one.some(([from, to]) => other.some(([start, end]) => from <= end && start <= to))
export const holds = (outer: CharSet, inner: CharSet): boolean => !meet(inner, without(outer))
export const isEverything = (set: CharSet): boolean => holds(set, everything)

export const charOf = (code: number): CharSet => [[code, code]]
const range = (from: string, to: string): CharSet => [
  [from.codePointAt(0) ?? 0, to.codePointAt(0) ?? 0],
]

const digits = range('0', '9')
const word = union(range('a', 'z'), range('A', 'Z'), digits, range('_', '_'))
const space = union(
  [[9, 13]],
  charOf(32),
  charOf(0xa0),
  charOf(0x1680),
  [[0x2000, 0x200a]],
  [[0x2028, 0x2029]],
  charOf(0x202f),
  charOf(0x205f),
  charOf(0x3000),
  charOf(0xfeff),
)
const lineEnds = union(charOf(10), charOf(13), [[0x2028, 0x2029]])
export const dot = (flags: string): CharSet =>
  flags.includes('s') ? everything : without(lineEnds)

/** \d \w \s and their opposites. */
export const classes: Readonly<Record<string, CharSet>> = {
  d: digits,
  D: without(digits),
  w: word,
  W: without(word),
  s: space,
  S: without(space),
}
/** What is not named here counts as everything, which is on the safe side. */
export const properties: Readonly<Record<string, CharSet>> = {
  Cc: union([[0, 0x1f]], [[0x7f, 0x9f]]),
  Cs: [[0xd800, 0xdfff]],
}

/** Both cases of the Latin letters; other letters have no case in our patterns. */
export function bothCases(set: CharSet): CharSet {
  const shifted = (from: string, to: string, by: number): CharSet => {
    const [low, high] = [from.charCodeAt(0), to.charCodeAt(0)]
    return set.flatMap(([start, end]) => {
      const [first, final] = [Math.max(start, low), Math.min(end, high)]
      return first <= final ? [[first + by, final + by] as const] : []
    })
  }
  return union(set, shifted('a', 'z', -32), shifted('A', 'Z', 32))
}
