/** Compares a text from outside with a known one in constant time. */
import { timingSafeEqual } from 'node:crypto'

export function isSameText(given: string, right: string): boolean {
  // In bytes: texts of equal length may differ in bytes.
  const [one, other] = [Buffer.from(given), Buffer.from(right)]
  return one.length === other.length && timingSafeEqual(one, other)
}
