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
  writeXliff2,
  writeXliff12,
} from '@dragoman/text/exchange'
import type { LoneEntry } from '@dragoman/text/formats'
import { itemsIn, type Pages, pagesOf } from './pages.ts'

export { identify } from '@dragoman/text/exchange'

const writers = { xliff12: writeXliff12, xliff2: writeXliff2 } as const

/** `segments`: pages of `PackedSegment`s. */
export const writePaged = (
  dialect: keyof typeof writers,
  file: Omit<PackedFile, 'segments'>,
  segments: Pages,
): Uint8Array =>
  new TextEncoder().encode(
    writers[dialect]({ ...file, segments: [...itemsIn<PackedSegment>(segments)] }),
  )

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
