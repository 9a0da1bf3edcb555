/**
 * Which texts a job has had so far, in each of its pairs of languages: a number of 48 bits for each
 * text, and a bit for each pair, because a job may have millions of different texts in a hundred
 * languages.
 */
export type SeenTexts = {
  /** Whether the text of this hash is new in the pair of this number. */
  readonly add: (hash: string, pair: number) => boolean
  readonly bytes: () => number
}

/** Each grows by itself, so that no growth takes long. */
const shards = 64

export function openSeenTexts(pairs: number): SeenTexts {
  const words = Math.ceil(pairs / 32)
  const all = Array.from({ length: shards }, () => openShard(words))
  return {
    add: (hash, pair) => {
      const number = Buffer.from(hash.slice(0, 8), 'base64url').readUIntBE(0, 6)
      return all[number % shards]?.add(Math.floor(number / shards), pair) ?? true
    },
    bytes: () => all.reduce((sum, { bytes }) => sum + bytes(), 0),
  }
}

/** Open addressing; 0 is an empty place. `words`: of bits beside each place. */
function openShard(words: number) {
  let places = new Float64Array(64)
  let bits = new Uint32Array(64 * words)
  let count = 0
  const placeOf = (value: number): number => {
    let at = value % places.length
    while (places[at] !== 0 && places[at] !== value) at = (at + 1) % places.length
    return at
  }
  const grow = () => {
    const [before, bitsBefore] = [places, bits]
    places = new Float64Array(before.length * 2)
    bits = new Uint32Array(bitsBefore.length * 2)
    for (const [from, value] of before.entries()) {
      if (value === 0) continue
      const at = placeOf(value)
      places[at] = value
      bits.set(bitsBefore.subarray(from * words, (from + 1) * words), at * words)
    }
  }
  const add = (number: number, pair: number): boolean => {
    let at = placeOf(number + 1)
    if (places[at] === 0) {
      count += 1
      if (count * 2 > places.length) {
        grow()
        at = placeOf(number + 1)
      }
      places[at] = number + 1
    }
    const word = at * words + (pair >>> 5)
    const before = bits[word] ?? 0
    const bit = 1 << (pair & 31)
    if ((before & bit) !== 0) return false
    bits[word] = before | bit
    return true
  }
  return { add, bytes: () => places.byteLength + bits.byteLength }
}
