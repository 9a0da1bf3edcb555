/** How the time of a piece of work grows with its input, in time of the processor, which a busy machine does not stretch. */
export type Growth = { readonly once: number; readonly twice: number }

/** Milliseconds for the input and for one twice as long: the least of several. A suspicious result is measured up to four more times. */
export function growthOf(work: (size: number) => void, size: number, times = 3): Growth {
  work(Math.ceil(size / 10))
  const least = (many: number): number => Math.min(...Array.from({ length: times }, () => cpuOf(() => work(many))))
  let found = { once: least(size), twice: least(size * 2) }
  // Garbage collection may fall into every try of one side; real growth shows again each time.
  for (let again = 0; again < 4 && !isLinear(found); again += 1)
    found = { once: Math.max(found.once, least(size)), twice: Math.min(found.twice, least(size * 2)) }
  return found
}

/** Twice the input takes at most three times the time; what takes next to nothing is not measured. */
export const isLinear = ({ once, twice }: Growth): boolean => twice <= 3 * once || twice < 30

function cpuOf(work: () => void): number {
  const begun = process.cpuUsage()
  work()
  const { user, system } = process.cpuUsage(begun)
  return (user + system) / 1000
}
