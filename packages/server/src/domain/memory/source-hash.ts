/** What a text is known by in a memory: 128 bits of it, and of its neighbours where they are known. */
import { createHash } from 'node:crypto'

export const hashOf = (...texts: readonly string[]): string =>
  createHash('sha256').update(JSON.stringify(texts)).digest('base64url').slice(0, 22)

/** Of the texts before and behind number `at`; a text that stands alone has no context. */
export function contextOf(sources: readonly string[], at: number): string | undefined {
  const [before, behind] = [sources[at - 1], sources[at + 1]]
  return before === undefined && behind === undefined ? undefined : hashOf(before ?? '', behind ?? '')
}
