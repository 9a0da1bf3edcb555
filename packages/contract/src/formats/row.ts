/**
 * The columns of the table of formats. A row describes the files of a format; the server has its
 * reader.
 */

export type FormatRow = {
  readonly name: string
  /** They are in lower case and have no dot. */
  readonly extensions: readonly string[]
  readonly mediaTypes: readonly string[]
  /**
   * Whether a file that begins with this text has this format. It must be certain: a file whose
   * name and type say nothing is detected by this alone. Without it, a format matches every file
   * with its extensions that no other row recognises.
   */
  readonly recognises?: (head: string) => boolean
  /** Its extensions are often used for something else, so only recognised files match. */
  readonly byNameAlone?: false
  /** What is translated, and what stays as it is; both are sentences of docs/formats.md. */
  readonly text: string
  readonly kept: string
  /**
   * Prose: its paragraphs are cut into sentences where a job asks for it. In every other format a
   * segment is a unit of the file.
   */
  readonly isProse?: true
  /** Maximum size of one file. */
  readonly megabytes: number
  /** For a format that is recognised and never translated: what to do with the file. */
  readonly advice?: string
}

/** For formats read in one pass over their text, and for those whose libraries build a tree. */
export const megabytes = { flat: 50, tree: 5 } as const

/** How much of the beginning of a file `recognises` sees. */
export const headBytes = 64 * 1024

export const rowsOf = <const Rows extends Readonly<Record<string, FormatRow>>>(rows: Rows): Rows =>
  rows
