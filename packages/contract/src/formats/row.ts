/** The columns of the table of formats. A row says what a file of a format is; who reads it is the server's business. */

export type FormatRow = {
  readonly name: string
  /** In lower case, without the dot. */
  readonly extensions: readonly string[]
  readonly mediaTypes: readonly string[]
  /**
   * Whether a file that begins like this is of this format. It must be sure of it: files whose name says nothing are told by
   * this alone. Without it a format takes every file of its extensions that no other row recognises.
   */
  readonly recognises?: (head: string) => boolean
  /** Files of its extensions are often something else: none is taken that it does not recognise. */
  readonly byNameAlone?: false
  /** What is translated, and what stays as it is; both are sentences of docs/formats.md. */
  readonly text: string
  readonly kept: string
  /** Of one file. */
  readonly megabytes: number
  /** A format that is recognised and never translated: what to do with the file. */
  readonly advice?: string
}

/** Of formats that are read in one pass over their text, and of those whose libraries build a tree. */
export const megabytes = { flat: 50, tree: 5 } as const

/** As long as the beginning that `recognises` sees. */
export const headBytes = 64 * 1024

export const rowsOf = <const Rows extends Readonly<Record<string, FormatRow>>>(rows: Rows): Rows => rows
