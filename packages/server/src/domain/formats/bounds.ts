/** How much of a file is read before it is refused: hostile files end in a sentence, not in a dead process. */
import { FormatError } from './format-error.ts'

export const bounds = {
  /** Of a text format, as it lies on disk. */
  bytes: 50 * 1024 * 1024,
  /** Elements in elements, objects in arrays. */
  nesting: 1_000,
  segments: 500_000,
  /** A longer id is replaced by the number of its segment. */
  idLength: 512,
  /** Tags of one mixed-content element before its texts are taken one by one. */
  tagsInSegment: 200,
  /** Braces in braces of one message. */
  icuDepth: 50,
  icuLength: 64 * 1024,
  /** What is looked at to tell formats of the same extension apart. */
  headBytes: 64 * 1024,
  /** Of one `read` or `write` in its worker. */
  milliseconds: 60_000,
  workerMegabytes: 1_024,
  nurseryMegabytes: 96,
} as const

export function mustFitBytes(size: number): void {
  if (size > bounds.bytes)
    throw new FormatError('TOO_LARGE', `The file has ${size} bytes; at most ${bounds.bytes} can be translated.`)
}

export function mustFitNesting(depth: number): void {
  if (depth > bounds.nesting)
    throw new FormatError('TOO_DEEP', `The file nests deeper than ${bounds.nesting.toLocaleString('en')} levels.`)
}

export function mustFitSegments(count: number): void {
  if (count > bounds.segments)
    throw new FormatError(
      'TOO_MANY_SEGMENTS',
      `The file has more than ${bounds.segments.toLocaleString('en')} segments.`,
    )
}
