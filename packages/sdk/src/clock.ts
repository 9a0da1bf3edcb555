/** The connector's own clock, for token lifetimes, pauses and the age of deliveries. */
export const now = (): number => Date.now()

/** Waits until the time is up or the signal aborts. */
export function pause(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, refuse) => {
    if (signal?.aborted) return refuse(signal.reason)
    const stop = () => {
      clearTimeout(timer)
      refuse(signal?.reason)
    }
    // A timer cannot run longer than this.
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
