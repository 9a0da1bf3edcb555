/**
 * When a failed delivery is retried (contract, section 7). The waits follow one another; the last
 * attempt is at 72 h.
 */
import { addDuration, type Duration, limits } from '@dragoman/contract'

const waits: readonly Duration[] = [
  { count: 5, unit: 's' },
  { count: 5, unit: 'm' },
  { count: 30, unit: 'm' },
  { count: 2, unit: 'h' },
  { count: 5, unit: 'h' },
  { count: 10, unit: 'h' },
  { count: 14, unit: 'h' },
]
const daily: Duration = { count: 1, unit: 'd' }
/** The longest pause that a receiver may ask for. */
const maxPauseMs = 24 * 3_600_000

export type Tries = {
  /** Including this one. */
  readonly count: number
  /** The time of the first attempt. */
  readonly first: number
  readonly last: number
}

/**
 * The time of the next attempt, or undefined if none is left. `pauseMs` is what the receiver asked
 * for.
 */
export function nextTry({ count, first, last }: Tries, pauseMs = 0): number | undefined {
  const end = first + limits.deliveryRetryMs
  if (last >= end) return undefined
  const usual = addDuration(last, waits[count - 1] ?? daily)
  return Math.min(end, Math.max(usual, last + Math.min(pauseMs, maxPauseMs)))
}

/**
 * `Retry-After` in milliseconds: seconds, or a date, which is read by the receiver's own clock if
 * its response has a date.
 */
export function pauseOf(
  retryAfter: string | undefined,
  date: string | undefined,
  now: number,
): number {
  if (retryAfter === undefined) return 0
  const text = retryAfter.trim()
  if (/^\d{1,9}$/.test(text)) return Number(text) * 1_000
  const until = Date.parse(text)
  const receiverNow = Date.parse(date ?? '')
  return Number.isNaN(until)
    ? 0
    : Math.max(0, until - (Number.isNaN(receiverNow) ? now : receiverNow))
}
