/** Identifies a text in a memory by a hash of 128 bits, and its context by its neighbours. */
import { createHash } from 'node:crypto'

export const hashOf = (...texts: readonly string[]): string =>
  createHash('sha256').update(JSON.stringify(texts)).digest('base64url').slice(0, 22)

/** A hash of the texts before and after index `at`. A single text has no context. */
export function contextOf(sources: readonly string[], at: number): string | undefined {
  const [before, behind] = [sources[at - 1], sources[at + 1]]
  return before === undefined && behind === undefined
    ? undefined
    : hashOf(before ?? '', behind ?? '')
}
