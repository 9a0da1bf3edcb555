/**
 * Which words of a language stand for which of another: for a pair of words how likely one is given
 * the other, in both directions, in four bits each. Open addressing over keys of 28 bits.
 */
import { mix, type Token } from './tokens.ts'

export const partnerKeyBits = 28
const empty = 0xffffffff

export type Partners = {
  readonly keys: Uint32Array
  /** High: of the target given the source; low: of the source given the target. */
  readonly values: Uint8Array
}

export const partnerKey = (source: number, target: number): number =>
  mix(source, target) >>> (32 - partnerKeyBits)

/** `sorted` and `values` belong together by their place. */
export function openPartners(sorted: Uint32Array, given: Uint8Array): Partners {
  let size = 16
  while (size < sorted.length * 1.7) size *= 2
  const keys = new Uint32Array(size).fill(empty)
  const values = new Uint8Array(size)
  for (const [place, key] of sorted.entries()) {
    let at = placeOf(key, size)
    while (keys[at] !== empty) at = (at + 1) & (size - 1)
    keys[at] = key
    values[at] = given[place] ?? 0
  }
  return { keys, values }
}

const placeOf = (key: number, size: number): number =>
  (Math.imul(key, 0x9e3779b1) >>> 7) & (size - 1)

export function partnersAt({ keys, values }: Partners, key: number): number {
  const last = keys.length - 1
  for (let at = placeOf(key, keys.length); ; at = (at + 1) & last) {
    const found = keys[at]
    if (found === key) return values[at] ?? 0
    if (found === empty || found === undefined) return 0
  }
}

/** A likelihood as a level: 0 is none, 15 is 1, each level less is a factor of 1.4. */
export const levelOf = (likelihood: number): number =>
  Math.max(0, Math.min(15, Math.round(15 + Math.log(likelihood) / step)))
const step = Math.log(1.4)

export type Alignment = {
  /** Of the words of the source: the mean of the best level, the share with none, the worst. */
  readonly source: number
  readonly sourceAlone: number
  readonly target: number
  readonly targetAlone: number
  /** The longest run of source words without a partner. */
  readonly run: number
}

/** A number, a name or a mark that stands on both sides is its own partner. */
const strengthOf = (partners: Partners, source: Token, target: Token): number =>
  source.hash === target.hash ? 0xff : partnersAt(partners, partnerKey(source.stem, target.stem))

const isAlone = 3

export function alignmentOf(
  source: readonly Token[],
  target: readonly Token[],
  partners: Partners,
): Alignment {
  const words = source.filter(({ kind }) => kind !== 'MARK')
  const others = target.filter(({ kind }) => kind !== 'MARK')
  const best = new Uint8Array(others.length)
  let [sum, alone, run, longest] = [0, 0, 0, 0]
  for (const word of words) {
    let most = 0
    for (let at = 0; at < others.length; at++) {
      const other = others[at]
      if (!other) continue
      const both = strengthOf(partners, word, other)
      if (both === 0) continue
      most = Math.max(most, both >>> 4)
      if ((both & 15) > (best[at] ?? 0)) best[at] = both & 15
    }
    sum += most
    if (most >= isAlone) run = 0
    else {
      alone++
      longest = Math.max(longest, ++run)
    }
  }
  let [targetSum, targetAlone] = [0, 0]
  for (const level of best) {
    targetSum += level
    if (level < isAlone) targetAlone++
  }
  const [n, m] = [Math.max(1, words.length), Math.max(1, others.length)]
  return {
    source: sum / n,
    sourceAlone: alone / n,
    target: targetSum / m,
    targetAlone: targetAlone / m,
    run: longest,
  }
}
