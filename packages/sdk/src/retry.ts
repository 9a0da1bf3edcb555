/**
 * The specification's retry rule: wait for Retry-After, otherwise use exponential backoff with
 * jitter, and give up at some point. A pause applies to all calls, because the hub throttles an
 * address, not a call.
 */
import type { HubError } from '@dragoman/contract/wire'
import { now, pause } from './clock.ts'
import { isPassing } from './failures.ts'

export type RetryPolicy = {
  /** The most attempts per call. */
  readonly tries: number
  /** The first pause if the hub gives none; each further one doubles. */
  readonly firstMs: number
  readonly mostMs: number
  /**
   * Attempts before the hub has ever answered, so that a missing hub is reported soon. Same as
   * `tries` by default.
   */
  readonly firstTries?: number
  /** If Retry-After exceeds this, the call fails at once. */
  readonly patienceMs: number
}

export const usualRetry: RetryPolicy = {
  tries: 8,
  firstMs: 500,
  mostMs: 30_000,
  patienceMs: 600_000,
}

export type Retries = {
  /** Runs it until it succeeds, fails permanently, or has used all attempts. */
  run<T>(attempt: (attempt: number) => Promise<T>, signal?: AbortSignal): Promise<T>
}

/** All attempts are used: code that retries a larger step does not start over. */
const givenUp = new WeakSet<HubError>()

export function openRetries(policy: RetryPolicy): Retries {
  let quietUntil = 0
  let answered = false
  return {
    run: async (attempt, signal) => {
      for (let count = 1; ; count += 1) {
        const quiet = quietUntil - now()
        if (quiet > 0) await pause(quiet, signal)
        signal?.throwIfAborted()
        try {
          const done = await attempt(count)
          answered = true
          return done
        } catch (error) {
          signal?.throwIfAborted()
          if (!isPassing(error) || givenUp.has(error)) throw error
          answered ||= error.status !== 0
          const tries = answered ? policy.tries : (policy.firstTries ?? policy.tries)
          const wait = waitFor(error, count, policy)
          if (count >= tries || wait > policy.patienceMs) {
            givenUp.add(error)
            throw error
          }
          if (error.status === 429 && error.retryAfter !== undefined)
            quietUntil = Math.max(quietUntil, now() + wait)
          await pause(wait, signal)
        }
      }
    },
  }
}

/**
 * Between half and all of the doubled pause, so that many callers do not return at the same moment.
 */
function waitFor(
  { retryAfter }: HubError,
  count: number,
  { firstMs, mostMs }: RetryPolicy,
): number {
  if (retryAfter !== undefined) return retryAfter * 1_000 + Math.random() * Math.min(firstMs, 250)
  const whole = Math.min(mostMs, firstMs * 2 ** (count - 1))
  return whole * (0.5 + Math.random() / 2)
}
