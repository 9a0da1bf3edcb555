/** What a worker loads to pseudo-translate a file: the formats come with it, and stay out of the hub's own thread. */
import { findFormat } from '../../formats/find-format.ts'
import { pseudoFile, pseudoString } from './pseudo.ts'

export const pseudoNamedFile = (fileName: string, bytes: Uint8Array, targetLanguage: string): Uint8Array =>
  pseudoFile(findFormat(fileName, bytes), bytes, targetLanguage)

/** All fields of a content at once. */
export const pseudoStrings = (values: readonly string[]): string[] => values.map(pseudoString)
