/** Line ends and line numbers of a text. */

/** The line end that a text uses first. */
export const eolOf = (text: string): string => /\r\n|\r|\n/.exec(text)?.[0] ?? '\n'

/** The number of the line with a position, for an error message. */
export const lineNumber = (text: string, at: number): number =>
  text.slice(0, at).split(/\r\n|\r|\n/).length
