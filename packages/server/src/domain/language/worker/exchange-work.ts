/**
 * Runs in a worker: the XLIFF of packages, written and read back. Long lists come and go in pages.
 */
import {
  type Awaited,
  type AwaitedSegment,
  judgeXliff,
  type PackedFile,
  type PackedSegment,
  type Problem,
  piecesOfXliff2,
  piecesOfXliff12,
} from '@dragoman/text/exchange'
import type { LoneEntry } from '@dragoman/text/formats'
import { itemsIn, type Pages, pagesOf } from './pages.ts'

export { identify } from '@dragoman/text/exchange'

const writers = { xliff12: piecesOfXliff12, xliff2: piecesOfXliff2 } as const

/** A file in pieces, one after the other. */
export type FilePieces = { readonly pieces: readonly Uint8Array[] }
const pieceCharacters = 256 * 1024

/** `segments`: pages of `PackedSegment`s. */
export function writePaged(
  dialect: keyof typeof writers,
  file: Omit<PackedFile, 'segments'>,
  segments: Pages,
): FilePieces {
  const encoder = new TextEncoder()
  const pieces: Uint8Array[] = []
  let open: string[] = []
  let characters = 0
  const flush = () => {
    pieces.push(encoder.encode(open.join('')))
    open = []
    characters = 0
  }
  for (const text of writers[dialect]({ ...file, segments: itemsIn<PackedSegment>(segments) })) {
    open.push(text)
    characters += text.length
    if (characters >= pieceCharacters) flush()
  }
  flush()
  return { pieces }
}

/** `targets`: pages of `FoundTarget`s in the order of the segments, or null where one is missing. */
export type JudgedPages = { readonly targets: Pages; readonly problems: readonly Problem[] }

/** `segments`: pages of `AwaitedSegment`s, or more of each. */
export function judgePaged(
  entry: LoneEntry,
  asked: Omit<Awaited, 'segments'>,
  given: Pages,
): JudgedPages {
  const segments = [...itemsIn<AwaitedSegment>(given)].map(({ segmentId, source, tags }) => ({
    ...{ segmentId, source, tags },
  }))
  const { targets, problems } = judgeXliff(entry, { ...asked, segments })
  const found = new Map(targets.map((target) => [target.segmentId, target]))
  return {
    targets: pagesOf(segments.map(({ segmentId }) => found.get(segmentId) ?? null)),
    problems,
  }
}
