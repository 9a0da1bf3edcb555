/**
 * The port of every file format: segments out, translations in. `read` finds what a person would
 * translate. `write` inserts the translations by offset and changes nothing else; without changes
 * it returns the same bytes.
 */
import type { FormatId, FormatOptions } from '@dragoman/contract/wire'
import type { Part } from '../placeholders/part.ts'
import type { Cut } from '../sentences/cut-parts.ts'
import type { About } from './about.ts'

export type Segment = {
  /** Unique in its file, and the same after `write`. */
  readonly id: string
  readonly parts: readonly Part[]
  /** The existing translation in a bilingual file, such as XLIFF. */
  readonly target?: readonly Part[]
  /** The existing translation stays: the segment is neither counted nor translated. */
  readonly held?: true
  /** The paragraph of a sentence. */
  readonly of?: Segment
  /** Only if the reader asks for it. */
  readonly about?: About
  /**
   * The range for the translation in the decoded text of the file, or of its entry, without the
   * BOM; the end is exclusive.
   */
  readonly start: number
  readonly end: number
}

/**
 * The parts of each translation, by the id of its segment. Segments without an entry stay
 * unchanged.
 */
export type Translations = ReadonlyMap<string, readonly Part[]>
export type Target = {
  readonly targetLanguage: string
  /**
   * How the files of the project name the language, if they have a name of their own for it: `es`
   * for `es-ES`.
   */
  readonly nameInFiles?: string | undefined
}

/** Says the translation of a segment; undefined if it stays unchanged. */
export type Translate<One = Omit<Segment, 'id'>> = (segment: One) => readonly Part[] | undefined

/** What is text, and the target language, which formats with several languages need for reading. */
export type ReadOptions = FormatOptions & {
  readonly targetLanguage?: string | undefined
  readonly cut?: Cut | undefined
  /** Also read notes and length limits. */
  readonly about?: boolean | undefined
}

/**
 * The reader for one row of the table of formats. Without an option, the default of the table
 * applies.
 */
export type Format = {
  readonly id: FormatId
  readonly read: (bytes: Uint8Array, options?: ReadOptions) => Segment[]
  readonly write: (
    bytes: Uint8Array,
    translations: Translations,
    target: Target,
    options?: ReadOptions,
  ) => Uint8Array
  /**
   * Reads and writes in one pass: each segment is translated when it is found, so that they are
   * never all in memory.
   */
  readonly rewrite: (
    bytes: Uint8Array,
    translate: Translate,
    target: Target,
    options?: ReadOptions,
  ) => Rewritten
  /** For callers that read and write the same file. */
  readonly open: (bytes: Uint8Array, options?: ReadOptions) => OpenFile
}

export type Rewritten = { readonly bytes: Uint8Array; readonly remarks: readonly string[] }

export type OpenFile = {
  readonly segments: Segment[]
  /** Messages for the sender: what in the file is not translated. */
  readonly remarks?: readonly string[]
  readonly write: (translations: Translations, target: Target) => Uint8Array
}
