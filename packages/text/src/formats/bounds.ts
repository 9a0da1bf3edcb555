/**
 * Limits for reading a file, so that a hostile file ends in an error message and not in a dead
 * process.
 */
import { type FormatId, formatRows, headBytes } from '@dragoman/contract/wire'
import { FormatError } from './format-error.ts'

export const bounds = {
  /** The largest file of any format; each format has its own limit in the table. */
  bytes: Math.max(...Object.values(formatRows).map(({ megabytes }) => megabytes)) * 1024 ** 2,
  /** Nested elements, objects and arrays. */
  nesting: 1_000,
  segments: 500_000,
  /** A segment with a longer id gets its number as id. */
  idLength: 512,
  /** Tags in one element with mixed content; with more, each of its texts is a segment. */
  tagsInSegment: 200,
  /** How much is read to tell formats with the same extension apart. */
  headBytes,
  /** For one `read` or `write` in a worker. */
  milliseconds: 60_000,
  workerMegabytes: 1_024,
  nurseryMegabytes: 96,
} as const

export function mustFitBytes(size: number, format?: FormatId): void {
  const most = format === undefined ? bounds.bytes : formatRows[format].megabytes * 1024 ** 2
  if (size > most)
    throw new FormatError(
      'TOO_LARGE',
      `The file has ${size} bytes; at most ${most} can be translated.`,
    )
}

export function mustFitNesting(depth: number): void {
  if (depth > bounds.nesting)
    throw new FormatError(
      'TOO_DEEP',
      `The file nests deeper than ${bounds.nesting.toLocaleString('en')} levels.`,
    )
}

export function mustFitSegments(count: number): void {
  if (count > bounds.segments)
    throw new FormatError(
      'TOO_MANY_SEGMENTS',
      `The file has more than ${bounds.segments.toLocaleString('en')} segments.`,
    )
}
