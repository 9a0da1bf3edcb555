/**
 * Which texts a job has had so far: a number of 48 bits for each, 16 bytes in memory, because a job
 * may have millions of different ones.
 */
export type SeenTexts = {
  /** Whether the text of this hash is new. */
  readonly add: (hash: string) => boolean
}

/** Each grows by itself, so that no growth takes long. */
const shards = 64

export function openSeenTexts(): SeenTexts {
  const all = Array.from({ length: shards }, openShard)
  return {
    add: (hash) => {
      const number = Buffer.from(hash.slice(0, 8), 'base64url').readUIntBE(0, 6)
      return all[number % shards]?.(Math.floor(number / shards)) ?? true
    },
  }
}

/** Open addressing; 0 is an empty place. */
function openShard(): (number: number) => boolean {
  let places = new Float64Array(64)
  let count = 0
  const placeOf = (value: number): number => {
    let at = value % places.length
    while (places[at] !== 0 && places[at] !== value) at = (at + 1) % places.length
    return at
  }
  const grow = () => {
    const before = places
    places = new Float64Array(before.length * 2)
    for (const value of before) if (value !== 0) places[placeOf(value)] = value
  }
  return (number) => {
    const at = placeOf(number + 1)
    if (places[at] !== 0) return false
    places[at] = number + 1
    count += 1
    if (count * 2 > places.length) grow()
    return true
  }
}
