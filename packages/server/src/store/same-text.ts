/** Whether a text from outside is the one we know, in a time that does not tell how much of it is right. */
import { timingSafeEqual } from 'node:crypto'

export function isSameText(given: string, right: string): boolean {
  // In bytes: a text may have as many characters as ours and other bytes.
  const [one, other] = [Buffer.from(given), Buffer.from(right)]
  return one.length === other.length && timingSafeEqual(one, other)
}
