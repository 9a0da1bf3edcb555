/**
 * The segments of an asset task as a package holds them: with the target to start from, and what
 * the memory has.
 */
import { HubError, type SegmentState, type TextParts } from '@dragoman/contract'
import type { PackedMatch, PackedSegment } from '@dragoman/text/exchange'
import { partsIn, writtenText } from '@dragoman/text/likeness'
import type { Hub } from '../../../hub.ts'
import { openPauses } from '../../../turns/pauses.ts'
import type { OneRequest } from '../../jobs/requests/request.ts'
import { pairOf } from '../../language/memory/add-units.ts'
import { findExact } from '../../language/memory/exact-matches.ts'
import { lookUp } from '../../language/memory/look-up.ts'
import { openPager, type Pages } from '../../language/worker/pages.ts'
import { stateOf, targetOf } from '../describe-segment.ts'
import type { DeskSegment } from '../desk-segments.ts'
import { openTargets } from '../walk-desk.ts'

/** Fuzzy look-ups that are left to one package: each takes some milliseconds in a large memory. */
export type LookUps = { left: number }
export const mostLookUps = 2_000
const matchesOfSegment = 3

export type PackedTask = {
  /** Pages of `PackedSegment`s. */
  readonly segments: Pages
  readonly states: ReadonlySet<SegmentState>
}

type Packing = {
  /** Every target starts as its source, for a tool that takes the target for the text to translate. */
  readonly fromSource: boolean
  /** Sees each segment, with the target that somebody has written or delivered. */
  readonly look?: ((segment: PackedSegment, own: TextParts | undefined) => void) | undefined
}

export async function packTask(
  hub: Hub,
  request: OneRequest,
  lookUps: LookUps,
  { fromSource, look }: Packing,
): Promise<PackedTask> {
  const { walk } = await openTargets(hub, request)
  const at = {
    siteId: request.site_id,
    pair: pairOf(request.source_language, request.target_language),
  }
  const states = new Set<SegmentState>()
  const packed = openPager<PackedSegment>()
  const pause = openPauses()
  for await (const slice of walk()) {
    const written = slice.map(({ segment: { source, tags } }) => writtenText(source, tags))
    const exact = await findExact(hub, at, written)
    for (const [index, { segment, draft }] of slice.entries()) {
      const state = stateOf(segment, draft, request)
      const target = targetOf(segment, draft)
      const known = exact[index]
      const same = known === undefined ? undefined : partsIn(known, segment.tags)
      const matches = same
        ? [{ percent: 100, source: segment.source, target: same }]
        : target
          ? []
          : await fuzzyOf(hub, at, { source: written[index] ?? '', tags: segment.tags }, lookUps)
      states.add(state)
      const start = fromSource ? segment.source : (target ?? same ?? segment.source)
      const one = {
        ...shownOf(segment),
        ...{ target: start, state: stageOf(state), matches },
        ...(target && { own: target }),
      }
      packed.add(one)
      look?.(one, target)
      await pause()
    }
  }
  return { segments: packed.finish(), states }
}

const shownOf = ({ segmentId, key, source, tags, notes, maxLength }: DeskSegment) => ({
  segmentId,
  source,
  tags,
  ...(key !== undefined && { key }),
  ...(notes && { notes }),
  ...(maxLength && { maxLength }),
})

const stageOf = (state: SegmentState): PackedSegment['state'] =>
  state === 'TRANSLATED' ? 'translated' : state === 'APPROVED' ? 'final' : 'open'

async function fuzzyOf(
  hub: Hub,
  at: Parameters<typeof lookUp>[1],
  { source, tags }: { readonly source: string; readonly tags: DeskSegment['tags'] },
  lookUps: LookUps,
): Promise<PackedMatch[]> {
  if (lookUps.left <= 0) return []
  lookUps.left -= 1
  const found = await lookUp(hub, at, { source, limit: matchesOfSegment })
  return found.map(({ percent, unit }) => ({
    percent,
    source: partsIn(unit.source, tags),
    target: partsIn(unit.target, tags),
  }))
}

/** The states of the segments of a task; a file without segments has the state of its delivery. */
export async function statesOf(hub: Hub, request: OneRequest): Promise<ReadonlySet<SegmentState>> {
  try {
    const { walk } = await openTargets(hub, request)
    const states = new Set<SegmentState>()
    for await (const slice of walk())
      for (const { segment, draft } of slice) states.add(stateOf(segment, draft, request))
    return states
  } catch (error) {
    if (!(error instanceof HubError) || error.code !== 'NO_SEGMENTS') throw error
    if (request.status === 'TRANSLATION_REJECTED') return new Set(['REJECTED'])
    if (request.status === 'TRANSLATION_APPROVED') return new Set(['APPROVED'])
    return new Set([request.status === 'REVIEW_TRANSLATION' ? 'TRANSLATED' : 'NEW'])
  }
}
