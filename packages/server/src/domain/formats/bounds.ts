/** How much of a file is read before it is refused: hostile files end in a sentence, not in a dead process. */
import { type FormatId, formatRows, headBytes } from '@dragoman/contract/wire'
import { FormatError } from './format-error.ts'

export const bounds = {
  /** Of a file of any format, as it lies on disk; each has its own limit in the table. */
  bytes: Math.max(...Object.values(formatRows).map(({ megabytes }) => megabytes)) * 1024 ** 2,
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
  headBytes,
  /** Of one `read` or `write` in its worker. */
  milliseconds: 60_000,
  workerMegabytes: 1_024,
  nurseryMegabytes: 96,
} as const

export function mustFitBytes(size: number, format?: FormatId): void {
  const most = format === undefined ? bounds.bytes : formatRows[format].megabytes * 1024 ** 2
  if (size > most) throw new FormatError('TOO_LARGE', `The file has ${size} bytes; at most ${most} can be translated.`)
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
