/**
 * Loaded by a worker to pseudo-translate a file, so that the formats stay out of the main thread.
 */
import { findFormat, type Named, optionsOf } from '../formats/find-format.ts'
import type { Rewritten } from '../formats/format.ts'
import { pseudoFile, pseudoSegment, pseudoString } from './pseudo-text.ts'

export function pseudoNamedFile(
  named: Named | string,
  bytes: Uint8Array,
  targetLanguage: string,
): Uint8Array | undefined {
  const format = findFormat(named, bytes)
  return format && pseudoFile(format, bytes, targetLanguage, optionsOf(named))
}

/** Returns the file with its remarks. */
export const pseudoWithRemarks = (
  named: Named,
  bytes: Uint8Array,
  targetLanguage: string,
): Rewritten | undefined =>
  findFormat(named, bytes)?.rewrite(bytes, pseudoSegment, { targetLanguage }, optionsOf(named))

/** All fields of a content at once. */
export const pseudoStrings = (values: readonly string[]): string[] => values.map(pseudoString)
