/**
 * Long work pauses, so that a large call or file does not keep the event loop to itself.
 * `openPauses` is for work of many small steps; `yieldForBytes` is for bytes, of which all calls
 * together process only so much per turn.
 */

/** How long a piece of work runs before it lets others in. */
const maxMs = 20
const bytesPerTurn = 256 * 1024

/** Lets whatever else is ready run once. */
const yieldOnce = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

/**
 * The returned function is called after each step, and gives a promise to wait for once 20 ms have
 * passed. Inside a transaction the next turn of the event loop is enough, because others wait for
 * its lock; outside, `turn` may wait for others.
 */
export function openPauses(turn: () => Promise<void> = yieldOnce): () => Promise<void> | undefined {
  let begun = performance.now()
  return () => {
    if (performance.now() - begun <= maxMs) return undefined
    return turn().then(() => {
      begun = performance.now()
    })
  }
}

const line: { readonly bytes: number; readonly go: () => void }[] = []

/** Resolves when about this many bytes may be processed. First come, first served. */
export const yieldForBytes = (bytes: number): Promise<void> =>
  new Promise((go) => {
    if (line.push({ bytes, go }) === 1) setImmediate(serveLine)
  })

/** For work that is not counted in bytes: uses up a whole turn. */
export const yieldWholeTurn = (): Promise<void> => yieldForBytes(bytesPerTurn)

function serveLine(): void {
  for (let left = bytesPerTurn; left > 0; ) {
    const first = line.shift()
    if (!first) return
    left -= first.bytes
    first.go()
  }
  if (line.length > 0) setImmediate(serveLine)
}
