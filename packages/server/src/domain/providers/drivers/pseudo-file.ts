/** What a worker loads to pseudo-translate a file: the formats come with it, and stay out of the hub's own thread. */
import { findFormat, type Named, optionsOf } from '../../formats/find-format.ts'
import { pseudoFile, pseudoString } from './pseudo-text.ts'

export function pseudoNamedFile(
  named: Named | string,
  bytes: Uint8Array,
  targetLanguage: string,
): Uint8Array | undefined {
  const format = findFormat(named, bytes)
  return format && pseudoFile(format, bytes, targetLanguage, optionsOf(named))
}

/** All fields of a content at once. */
export const pseudoStrings = (values: readonly string[]): string[] => values.map(pseudoString)
