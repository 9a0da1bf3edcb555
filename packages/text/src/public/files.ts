/**
 * Files as a program without a hub wants them: each text is a string, with its codes written as
 * they stand in the file.
 */
import {
  type FormatId,
  type FormatOptions,
  formatRows,
  type MaxLength,
} from '@dragoman/contract/wire'
import { findFormat, type Named, optionsOf } from '../formats/find-format.ts'
import type { Format, Segment } from '../formats/format.ts'
import { FormatError } from '../formats/format-error.ts'
import type { Part } from '../placeholders/part.ts'
import { readSpelled, spellCodes, spellTarget } from './spelled-codes.ts'

/** How to read a file, where its name and its bytes leave a choice. */
export type FileOptions = {
  /** The format; by default it is detected from the name and the first bytes. */
  readonly format?: FormatId | undefined
  /** What is text in the file, such as `{ json: { skipKeys: ['id'] } }`. */
  readonly options?: FormatOptions | undefined
  /** Cuts running text into sentences, by the rules of this language; by default it stays whole. */
  readonly sentencesOf?: string | undefined
  /** The language to read in a file that holds several, such as a string catalogue. */
  readonly targetLanguage?: string | undefined
}

/** A text of a file. */
export type FileSegment = {
  /** Unique in its file, and the same in its translation: a key, a path, or a number. */
  readonly id: string
  /** The text, with its codes as they stand in the file: `Hello {name}, <b>welcome</b>`. */
  readonly text: string
  /**
   * The placeholders and tags in their order, as they stand in the file. A translation keeps them.
   * Where one could be mistaken for a word, `text` has its number: `⟦1⟧` is the first.
   */
  readonly codes: readonly string[]
  /** The translation that a bilingual file, such as XLIFF, already has. */
  readonly target?: string
  /** The file asks to keep this translation: the text is neither counted nor translated. */
  readonly held?: true
  /** What the file says to translators. */
  readonly notes?: readonly string[]
  /** How long the translation may be. */
  readonly maxLength?: MaxLength
}

/** The texts of a file. */
export type FileTexts = {
  /** The name of the format, such as `json`. */
  readonly format: FormatId
  /** The texts in the order of the file. */
  readonly segments: readonly FileSegment[]
  /** What of the file is not translated, in sentences. */
  readonly remarks: readonly string[]
}

/** Translations by the id of their segment. */
export type FileTranslations = Readonly<Record<string, string>> | ReadonlyMap<string, string>

/**
 * Splits a file into its texts. Throws a FormatError if the format is unknown or the file is
 * broken.
 *
 * @example
 * import { splitFile } from '@dragoman/text'
 *
 * const bytes = new TextEncoder().encode('{"greeting": "Hello {name}"}')
 * const { format, segments } = splitFile('en.json', bytes)
 * console.log(format, segments[0]?.id, segments[0]?.text) // json #/greeting Hello {name}
 */
export function splitFile(
  fileName: string,
  bytes: Uint8Array,
  options: FileOptions = {},
): FileTexts {
  const { format, named } = openNamed(fileName, bytes, { about: true, ...options })
  const { segments, remarks = [] } = format.open(bytes, optionsOf(named))
  return { format: format.id, segments: segments.map(segmentOf), remarks }
}

function segmentOf({ id, parts, target, held, about }: Segment): FileSegment {
  const { text, codes } = spellCodes(parts)
  return {
    id,
    text,
    codes,
    ...(target && { target: spellTarget(parts, target) }),
    ...(held && { held }),
    ...about,
  }
}

/**
 * Joins a file with the translations of its texts and returns the translated file. Everything but
 * the translated texts stays as it is, byte for byte; a text without a translation stays, too.
 * Give it the options that the file was split with.
 *
 * @example
 * import { joinFile } from '@dragoman/text'
 *
 * const bytes = new TextEncoder().encode('{"greeting": "Hello {name}"}')
 * const german = joinFile('en.json', bytes, { '#/greeting': 'Hallo {name}' }, { targetLanguage: 'de' })
 * console.log(new TextDecoder().decode(german)) // {"greeting": "Hallo {name}"}
 */
export function joinFile(
  fileName: string,
  bytes: Uint8Array,
  translations: FileTranslations,
  options: FileOptions & { readonly targetLanguage: string },
): Uint8Array {
  const { format, named } = openNamed(fileName, bytes, options)
  const file = format.open(bytes, optionsOf(named))
  const sources = new Map(file.segments.map(({ id, parts }) => [id, parts]))
  const given: Iterable<readonly [string, string]> =
    translations instanceof Map ? translations : Object.entries(translations)
  const written = new Map<string, readonly Part[]>()
  for (const [id, text] of given) written.set(id, readSpelled(sources.get(id) ?? [], text))
  return file.write(written, { targetLanguage: options.targetLanguage })
}

/**
 * The name of the format of a file, from its name and its first bytes; undefined if it is none that
 * this package reads.
 *
 * @example
 * import { formatOf } from '@dragoman/text'
 *
 * console.log(formatOf('messages.po', new Uint8Array())) // po
 */
export const formatOf = (fileName: string, bytes: Uint8Array): FormatId | undefined =>
  findFormat(fileName, bytes)?.id

/** Names the format of a file and how to read it, or refuses the file. */
export function openNamed(
  fileName: string,
  bytes: Uint8Array,
  { sentencesOf, ...options }: FileOptions & { readonly about?: boolean },
): { readonly format: Format; readonly named: Named } {
  const cut = sentencesOf === undefined ? undefined : { language: sentencesOf }
  const named: Named = { fileName, cut, ...options }
  const format = findFormat(named, bytes)
  if (format) return { format, named }
  const name = JSON.stringify(options.format ?? fileName)
  throw new FormatError(
    'UNKNOWN_FORMAT',
    `The format ${options.format === undefined ? `of ${name} ` : `${name} `}is not known; use one of ${Object.keys(formatRows).join(', ')}.`,
  )
}
