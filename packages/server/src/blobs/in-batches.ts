// Runs work on many items, a few at a time, and returns the results in order. After a failure it
// begins no more, and rejects once the running ones have ended.
export async function inBatches<Thing, Result>(
  things: readonly Thing[],
  atOnce: number,
  work: (thing: Thing, index: number) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = []
  const waiting = things.entries()
  let failed = false
  const worker = async (): Promise<void> => {
    for (const [index, thing] of waiting) {
      if (failed) return
      try {
        results[index] = await work(thing, index)
      } catch (error) {
        failed = true
        throw error
      }
    }
  }
  const ends = await Promise.allSettled(
    Array.from({ length: Math.min(atOnce, things.length) }, worker),
  )
  for (const end of ends) if (end.status === 'rejected') throw end.reason
  return results
}
