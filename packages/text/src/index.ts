/**
 * What programs without a hub use: files and texts in simple shapes. The other entry points of the
 * package serve the hub and change with it.
 */

export type { FormatId, FormatOptions, MaxLength } from '@dragoman/contract/wire'
export { FormatError, type FormatErrorCode } from './formats/format-error.ts'
export {
  checkFile,
  checkTranslation,
  type FileCheck,
  type FileFinding,
  type Finding,
  type TextFinding,
  type Translated,
} from './public/checking.ts'
export {
  type FileOptions,
  type FileSegment,
  type FileTexts,
  type FileTranslations,
  formatOf,
  joinFile,
  splitFile,
} from './public/files.ts'
export { mergeVersions } from './public/merging.ts'
export {
  type HiddenPlaceholders,
  hidePlaceholders,
  showPlaceholders,
} from './public/placeholders.ts'
export { pseudoFile, pseudoText } from './public/pseudo.ts'
export { similarity } from './public/similarity.ts'
export {
  type FoundTerm,
  type LanguagePair,
  openTermList,
  type TermList,
  type TermPair,
} from './public/term-list.ts'
export {
  countFileWords,
  countWords,
  type FileWordCount,
  type WordCount,
} from './public/words.ts'
export type { Collision, Merged, MergeUnit, Prefer } from './versions/merge-versions.ts'
