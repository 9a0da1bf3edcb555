/**
 * Texts for memories and quotes, the same in every run: words from 50,000 by Zipf's law, four to
 * twenty per sentence. A few words are in nearly every sentence, as in a real memory, which makes
 * it hard to search.
 */
const vocabulary = 50_000

export type Draw = () => number

/** Numbers from 0 up to 1, from a seed. */
export function seeded(seed: number): Draw {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

/** Frequent words are short. */
const wordAt = (rank: number): string => {
  const letters = 'etaoinshrdlucmfwypvbgkqjxz'
  let word = ''
  for (let rest = rank + 1; rest > 0; rest = Math.floor(rest / 26)) word += letters[rest % 26]
  return word.padEnd(2, 'e')
}

/** By the inverse of the harmonic sum: rank r is drawn about 1/r times as often as the first. */
const word = (draw: Draw): string => wordAt(Math.floor(vocabulary ** draw()) - 1)

export function sentence(draw: Draw): string {
  const length = 4 + Math.floor(draw() * 17)
  const words = Array.from({ length }, () => word(draw))
  return `${words.join(' ')}.`
}

/** Replaces up to a quarter of its words. */
export function altered(text: string, draw: Draw): string {
  const words = text.split(' ')
  for (let changes = Math.ceil((words.length / 4) * draw()); changes > 0; changes--)
    words[Math.floor(draw() * words.length)] = word(draw)
  return words.join(' ')
}
