/** Draws places without replacement, in an order that a seed decides and nobody can foretell. */
import { createHash } from 'node:crypto'

const numbersAtOnce = 8

/** Whole numbers below a limit, all equally likely. */
function openDraws(seed: string): (below: number) => number {
  let [round, at] = [0, numbersAtOnce]
  let block = Buffer.alloc(0)
  const word = (): number => {
    if (at === numbersAtOnce) {
      block = createHash('sha256').update(`${seed} ${round++}`).digest()
      at = 0
    }
    return block.readUInt32BE(4 * at++)
  }
  return (below) => {
    const fair = 2 ** 32 - (2 ** 32 % below)
    for (;;) {
      const drawn = word()
      if (drawn < fair) return drawn % below
    }
  }
}

/** The first `count` places of all, shuffled; a longer sample begins with the shorter one. */
export function drawSample(seed: string, all: number, count: number): number[] {
  const draw = openDraws(seed)
  const moved = new Map<number, number>()
  const sample: number[] = []
  for (let at = 0; at < Math.min(all, count); at++) {
    const from = at + draw(all - at)
    sample.push(moved.get(from) ?? from)
    moved.set(from, moved.get(at) ?? at)
  }
  return sample
}
