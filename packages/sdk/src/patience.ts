/**
 * An idle timeout: started before each wait and stopped after it, so that a long file is not cut
 * off while bytes keep arriving.
 */
export type Patience = {
  /** The caller's own signal. */
  readonly given: AbortSignal | undefined
  /** A signal for the wait that begins now. */
  begin(): AbortSignal
  end(): void
  /** The promise, or a rejection at the timeout. */
  race<T>(promise: Promise<T>): Promise<T>
}

export function openPatience(ms: number, given?: AbortSignal): Patience {
  let timer: ReturnType<typeof setTimeout> | undefined
  const end = () => clearTimeout(timer)
  return {
    given,
    begin: () => {
      end()
      const late = new AbortController()
      timer = setTimeout(() => late.abort(tooLate()), ms)
      return given ? AbortSignal.any([given, late.signal]) : late.signal
    },
    end,
    race: (promise) => {
      end()
      const late = new Promise<never>((_, refuse) => {
        timer = setTimeout(() => refuse(tooLate()), ms)
      })
      return Promise.race([promise, late]).finally(end)
    },
  }
}

const tooLate = () => new DOMException('Nothing came for too long.', 'TimeoutError')
