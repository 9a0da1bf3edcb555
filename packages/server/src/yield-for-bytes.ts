/**
 * File bytes and large bodies share the event loop: all of them together process only so much per turn, so that every other
 * call gets in between, however many are in progress. First come, first served.
 */
const bytesARound = 256 * 1024

const line: { readonly bytes: number; readonly go: () => void }[] = []

/** Resolves when about this many bytes may be processed. */
export const yieldForBytes = (bytes: number): Promise<void> =>
  new Promise((go) => {
    if (line.push({ bytes, go }) === 1) setImmediate(round)
  })

/** For work that is not counted in bytes: uses up a whole turn. */
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
