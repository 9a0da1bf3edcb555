/** Random numbers and texts for the tests of editors: the same in every run. */

/** A number below `below`. */
export type Random = (below: number) => number

export function seeded(seed: number): Random {
  let state = seed >>> 0
  return (below) => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below
  }
}

const pieces = ['a', 'zu ', 'ä', '\n', '日本', '한', 'سعر', '😀', 'e\u0301', '']
export const randomText = (random: Random): string => pieces[random(pieces.length)] ?? ''
