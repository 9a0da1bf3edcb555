/** A text in its parts: what a person translates, and what must stay unchanged. */
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
 * Something that must stay unchanged. `raw` is its source in the file, ready to be written back. The two tags of a pair share an
 * `id`; every other code has its own.
 */
export type CodePart = {
  readonly type: 'code'
  readonly kind: CodeKind
  readonly raw: string
  readonly id: number
  readonly pair?: 'open' | 'close'
}

export type Part = TextPart | CodePart
