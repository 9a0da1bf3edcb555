/**
 * The segments of an asset task as a package holds them: with the target to start from, and what
 * the memory has.
 */
import { HubError, type SegmentState, type TextParts } from '@dragoman/contract'
import type { PackedMatch, PackedSegment } from '@dragoman/text/exchange'
import { partsIn, writtenText } from '@dragoman/text/likeness'
import type { Hub } from '../../../hub.ts'
import type { OneRequest } from '../../jobs/requests/request.ts'
import { pairOf } from '../../language/memory/add-units.ts'
import { findExact } from '../../language/memory/exact-matches.ts'
import { lookUp } from '../../language/memory/look-up.ts'
import { readDrafts } from '../deliver-segments.ts'
import { stateOf, targetOf } from '../describe-segment.ts'
import type { DeskSegment } from '../desk-segments.ts'

/** Fuzzy look-ups that are left to one package: each takes some milliseconds in a large memory. */
export type LookUps = { left: number }
export const mostLookUps = 2_000
const matchesOfSegment = 3

export type PackedTask = {
  readonly segments: PackedSegment[]
  /**
   * Targets that somebody has written or delivered, by segment: a project keeps them beside its
   * files.
   */
  readonly own: ReadonlyMap<string, TextParts>
  readonly states: ReadonlySet<SegmentState>
}

/**
 * `fromSource`: every target starts as its source, for a tool that takes the target for the text to
 * translate.
 */
export async function packTask(
  hub: Hub,
  request: OneRequest,
  lookUps: LookUps,
  { fromSource }: { readonly fromSource: boolean },
): Promise<PackedTask> {
  const { segments, drafts } = await readDrafts(hub, request)
  const at = {
    siteId: request.site_id,
    pair: pairOf(request.source_language, request.target_language),
  }
  const written = segments.map(({ source, tags }) => writtenText(source, tags))
  const exact = await findExact(hub, at, written)
  const own = new Map<string, TextParts>()
  const states = new Set<SegmentState>()
  const packed: PackedSegment[] = []
  for (const [index, segment] of segments.entries()) {
    const draft = drafts.get(segment.segmentId)
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
    if (target) own.set(segment.segmentId, target)
    const start = fromSource ? segment.source : (target ?? same ?? segment.source)
    packed.push({ ...shownOf(segment), target: start, own: target, state: stageOf(state), matches })
  }
  return { segments: packed, own, states }
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
    const { segments, drafts } = await readDrafts(hub, request)
    return new Set(
      segments.map((segment) => stateOf(segment, drafts.get(segment.segmentId), request)),
    )
  } catch (error) {
    if (!(error instanceof HubError) || error.code !== 'NO_SEGMENTS') throw error
    if (request.status === 'TRANSLATION_REJECTED') return new Set(['REJECTED'])
    if (request.status === 'TRANSLATION_APPROVED') return new Set(['APPROVED'])
    return new Set([request.status === 'REVIEW_TRANSLATION' ? 'TRANSLATED' : 'NEW'])
  }
}
