/**
 * The specification's retry rule: wait as long as Retry-After says, otherwise ever longer with jitter, and not for ever.
 * A pause that one call was told to make holds for the others too: the hub throttles an address, not a call.
 */
import type { HubError } from '@dragoman/contract/wire'
import { now, pause } from './clock.ts'
import { isPassing } from './failures.ts'

export type RetryPolicy = {
  /** How often a call is sent at the most. */
  readonly tries: number
  /** The first pause where the hub names none; each further one is twice as long. */
  readonly firstMs: number
  readonly mostMs: number
  /** The same while nobody has answered yet: a hub that is not there is told of soon. As `tries` unless given. */
  readonly firstTries?: number
  /** A Retry-After beyond this is not waited for: the call fails at once. */
  readonly patienceMs: number
}

export const usualRetry: RetryPolicy = { tries: 8, firstMs: 500, mostMs: 30_000, patienceMs: 600_000 }

export type Retries = {
  /** Runs it until it succeeds, fails for good, or was tried often enough. */
  run<T>(attempt: (attempt: number) => Promise<T>, signal?: AbortSignal): Promise<T>
}

/** Tried often enough: whoever retries a larger step does not begin again with it. */
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
          if (error.status === 429 && error.retryAfter !== undefined) quietUntil = Math.max(quietUntil, now() + wait)
          await pause(wait, signal)
        }
      }
    },
  }
}

/** Between half and the whole of the doubled pause, so that many callers do not come back at the same moment. */
function waitFor({ retryAfter }: HubError, count: number, { firstMs, mostMs }: RetryPolicy): number {
  if (retryAfter !== undefined) return retryAfter * 1_000 + Math.random() * Math.min(firstMs, 250)
  const whole = Math.min(mostMs, firstMs * 2 ** (count - 1))
  return whole * (0.5 + Math.random() / 2)
}
