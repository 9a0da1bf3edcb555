/** Ids of the wire (contract, section 3): all random, none guessable. */
import { randomBytes, randomInt } from 'node:crypto'

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'

/** 10 characters `[A-Za-z0-9]`: a jobId. */
export function newJobId(): string {
  let id = ''
  // Bytes from 248 on are discarded, so that every letter is equally likely.
  while (id.length < 10)
    for (const byte of randomBytes(12)) if (byte < 248 && id.length < 10) id += alphabet[byte % 62]
  return id
}

const pool = { bytes: Buffer.alloc(0), at: 0 }

/** Draws random bytes in bulk: a single draw is expensive. */
function draw(count: number, encoding: 'base64url' | 'hex'): string {
  if (pool.at + count > pool.bytes.length) Object.assign(pool, { bytes: randomBytes(4_096), at: 0 })
  pool.at += count
  return pool.bytes.toString(encoding, pool.at - count, pool.at)
}

/**
 * 22 characters base64url, 128 random bits: every other id. None begins with a dash, which a
 * command line would read as an option.
 */
export function newId(): string {
  for (;;) {
    const id = draw(16, 'base64url')
    if (!id.startsWith('-')) return id
  }
}

/** Whether a caller's text has the form of such an id. */
export const isId = (text: string): boolean => /^[\w-]{22}$/.test(text)

const ours = draw(4, 'hex')
let traces = 0

/**
 * A traceId or causeId if the caller sent none. Those of a process follow each other, so that the
 * call log's index of them grows at its end: random ones take twice the time to index. They grant
 * nothing, so they may be guessed in part.
 */
export const newTraceId = (): string => {
  traces = (traces + 1) % 2 ** 32
  return `${ours}${traces.toString(16).padStart(8, '0')}${draw(4, 'hex')}`
}

/** A reference that a person can read out: `DRG-2F7K-…`. */
export const newTrackingId = (): string =>
  `DRG-${Array.from({ length: 4 }, () =>
    randomInt(36 ** 4)
      .toString(36)
      .toUpperCase()
      .padStart(4, '0'),
  ).join('-')}`
