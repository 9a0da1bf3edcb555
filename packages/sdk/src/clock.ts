/** The connector's own time: what a token's life, a pause and the age of a delivery are measured by. */
export const now = (): number => Date.now()

/** Waits, unless the signal says that nobody does any more. */
export function pause(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, refuse) => {
    if (signal?.aborted) return refuse(signal.reason)
    const stop = () => {
      clearTimeout(timer)
      refuse(signal?.reason)
    }
    // Longer than this a timer cannot count.
    const timer = setTimeout(
      () => {
        signal?.removeEventListener('abort', stop)
        resolve()
      },
      Math.min(ms, 2 ** 31 - 1),
    )
    signal?.addEventListener('abort', stop, { once: true })
  })
}
