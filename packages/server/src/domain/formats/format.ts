/**
 * The port of every file format: segments out, translations in. `read` finds what a person would translate, `write` puts
 * translations in by offset and touches nothing else; with nothing changed the very bytes come back.
 */

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
  /** Where the translation goes in the decoded text of the file (BOM not counted), end not included. */
  readonly start: number
  readonly end: number
}

/** The parts of a translation, by the id of its segment. A segment that is not named stays as it is. */
export type Translations = ReadonlyMap<string, readonly Part[]>
export type Target = { readonly targetLanguage: string }

export type Format = {
  readonly id: string
  /** In lower case, without the dot. */
  readonly extensions: readonly string[]
  /** Where several formats share an extension: whether a file that begins like this is of this one. */
  readonly recognises?: (head: string) => boolean
  readonly read: (bytes: Uint8Array) => Segment[]
  readonly write: (bytes: Uint8Array, translations: Translations, target: Target) => Uint8Array
  /** Both in one, for whoever reads and writes at once. */
  readonly open: (bytes: Uint8Array) => OpenFile
}

export type OpenFile = {
  readonly segments: Segment[]
  readonly write: (translations: Translations, target: Target) => Uint8Array
}
