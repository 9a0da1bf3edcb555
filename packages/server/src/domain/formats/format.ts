/**
 * The port of every file format: segments out, translations in. `read` finds what a person would translate, `write` puts
 * translations in by offset and touches nothing else; with nothing changed the very bytes come back.
 */
import type { FormatId, FormatOptions } from '@dragoman/contract/wire'

export type CodeKind =
  | 'tag-open'
  | 'tag-close'
  | 'tag-empty'
  | 'placeholder'
  | 'icu'
  | 'entity'
  | 'url'
  | 'email'
  | 'newline'

export type TextPart = { readonly type: 'text'; readonly text: string }

/**
 * What must come through untouched. `raw` is spelled as it stands in the file, ready to be written back. The two tags of
 * a pair share one `id`; every other code has its own.
 */
export type CodePart = {
  readonly type: 'code'
  readonly kind: CodeKind
  readonly raw: string
  readonly id: number
  readonly pair?: 'open' | 'close'
}

export type Part = TextPart | CodePart

export type Segment = {
  /** Unique in its file, and the same again after `write`. */
  readonly id: string
  readonly parts: readonly Part[]
  /** What a bilingual file (XLIFF) already holds as the translation. */
  readonly target?: readonly Part[]
  /** The translation in the file is good and stays: it is neither counted nor translated again. */
  readonly held?: true
  /** Where the translation goes in the decoded text of the file, or of its entry (BOM not counted), end not included. */
  readonly start: number
  readonly end: number
}

/** The parts of a translation, by the id of its segment. A segment that is not named stays as it is. */
export type Translations = ReadonlyMap<string, readonly Part[]>
export type Target = { readonly targetLanguage: string }

/** What is text, and for which language it is wanted: formats that hold several languages read by it. */
export type ReadOptions = FormatOptions & { readonly targetLanguage?: string | undefined }

/** Who reads the files of a row of the table of formats. What the options leave open is as the table says. */
export type Format = {
  readonly id: FormatId
  readonly read: (bytes: Uint8Array, options?: ReadOptions) => Segment[]
  readonly write: (bytes: Uint8Array, translations: Translations, target: Target, options?: ReadOptions) => Uint8Array
  /** Both in one, for whoever reads and writes at once. */
  readonly open: (bytes: Uint8Array, options?: ReadOptions) => OpenFile
}

export type OpenFile = {
  readonly segments: Segment[]
  /** Sentences for whoever sent the file: what in it is not translated. */
  readonly remarks?: readonly string[]
  readonly write: (translations: Translations, target: Target) => Uint8Array
}
