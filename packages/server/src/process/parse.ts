import { parseBounded } from '@dragoman/contract'

/** What somebody else wrote: its value, or undefined if it is not written as it must be. */
export const parseJson = (text: string): unknown => parsed(() => JSON.parse(text))
/** The same for an answer from outside, which has no more levels and values than any may have. */
export const parseAnswer = (text: string): unknown => parsed(() => parseBounded(text))
export const decodeUri = (text: string): string | undefined =>
  parsed(() => decodeURIComponent(text))

/**
 * What somebody else said, for people and for a database: no control characters, no halves of
 * characters, and no more than fits.
 */
export function plainText(text: string, most: number): string {
  const clean = text
    .slice(0, most + 1)
    .replace(/[\p{Cc}\u2028\u2029]+/gu, ' ')
    .toWellFormed()
    .trim()
  return clean.length > most ? `${clean.slice(0, most - 1).toWellFormed()}…` : clean
}

export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

function parsed<T>(read: () => T): T | undefined {
  try {
    return read()
  } catch {
    return undefined
  }
}
