/** Loaded by a worker to pseudo-translate a file, so that the formats stay out of the main thread. */
import { findFormat, type Named, optionsOf } from '../../formats/find-format.ts'
import { pseudoFile, pseudoOpened, pseudoString } from './pseudo-text.ts'

export type PseudoFile = { readonly bytes: Uint8Array; readonly remarks: readonly string[] }

export function pseudoNamedFile(
  named: Named | string,
  bytes: Uint8Array,
  targetLanguage: string,
): Uint8Array | undefined {
  const format = findFormat(named, bytes)
  return format && pseudoFile(format, bytes, targetLanguage, optionsOf(named))
}

/** With its remarks. */
export function pseudoWithRemarks(named: Named, bytes: Uint8Array, targetLanguage: string): PseudoFile | undefined {
  const opened = findFormat(named, bytes)?.open(bytes, optionsOf(named))
  return opened && { bytes: pseudoOpened(opened, targetLanguage), remarks: opened.remarks ?? [] }
}

/** All fields of a content at once. */
export const pseudoStrings = (values: readonly string[]): string[] => values.map(pseudoString)
