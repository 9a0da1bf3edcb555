/**
 * File bytes and large bodies take turns: only so much in one round of the event loop, whosever it is, so that every other
 * call gets in between, however many are on their way. First come, first served.
 */
const bytesARound = 256 * 1024

const line: { readonly bytes: number; readonly go: () => void }[] = []

/** Fulfilled when about so many bytes may be worked on. */
export const yieldForBytes = (bytes: number): Promise<void> =>
  new Promise((go) => {
    if (line.push({ bytes, go }) === 1) setImmediate(round)
  })

/** For work that is not counted in bytes: nothing else of its kind gets into the same round. */
export const yieldWholeTurn = (): Promise<void> => yieldForBytes(bytesARound)

function round(): void {
  for (let left = bytesARound; left > 0; ) {
    const first = line.shift()
    if (!first) return
    left -= first.bytes
    first.go()
  }
  if (line.length > 0) setImmediate(round)
}
