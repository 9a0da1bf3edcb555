/** Pauses in work of many small steps, so that a large call does not keep the event loop to itself. */

/** How long it works before it lets others in. */
const maxMs = 25

/** Lets whatever else is ready run once. */
const yieldOnce = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

/**
 * The returned function is called after each step, and gives a promise to wait for once 25 ms have passed. Inside a transaction
 * the next turn of the event loop is enough, because others wait for its lock; outside, `turn` may stand in line.
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
