/**
 * Why a file could not be read or written: a code for programs and a sentence for the person who
 * sent the file.
 */

export type FormatErrorCode =
  | 'TOO_LARGE'
  | 'TOO_DEEP'
  | 'TOO_MANY_SEGMENTS'
  | 'MALFORMED'
  | 'ENCODING'
  | 'UNREPRESENTABLE'
  | 'UNKNOWN_SEGMENT'
  | 'TIME_LIMIT'
  | 'OPTIONS'
  | 'NOT_TRANSLATED'
  | 'UNKNOWN_FORMAT'

export class FormatError extends Error {
  readonly code: FormatErrorCode

  constructor(code: FormatErrorCode, sentence: string) {
    super(sentence)
    this.name = 'FormatError'
    this.code = code
  }
}
