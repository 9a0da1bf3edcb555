/**
 * Finds targets for some open segments of a desk, from each source in the order asked: the memory,
 * finished translations of the same text in the same content, an engine.
 */
import type { FillSource } from '@dragoman/contract'
import { partsIn, writtenText } from '@dragoman/text/likeness'
import { fromWire, targetToWire } from '@dragoman/text/placeholders'
import type { Hub } from '../../../hub.ts'
import { openPauses } from '../../../turns/pauses.ts'
import type { OneRequest } from '../../jobs/requests/request.ts'
import { pairOf } from '../../language/memory/add-units.ts'
import { findBest } from '../../language/memory/best-matches.ts'
import { draftsById, isDone, stateOf, targetOf } from '../describe-segment.ts'
import type { DeskSegment } from '../desk-segments.ts'
import { readDrafts } from '../drafts.ts'
import type { Desk } from '../open-desk.ts'
import { pathOf, type Walked } from '../walk-desk.ts'
import type { FoundTarget } from './filled-target.ts'
import type { FillEngine } from './open-fill-engine.ts'

export type Finding = {
  readonly hub: Hub
  readonly request: OneRequest
  readonly desk: Desk
  readonly minimum: number
  /** Absent: an engine is not asked. */
  readonly engine?: FillEngine | undefined
}
type Found = Map<string, FoundTarget>
type Find = (at: Finding, open: readonly Walked[]) => Promise<Found>

/** Their targets by the ids of segments. */
export async function findTargets(
  at: Finding,
  from: readonly FillSource[],
  open: readonly Walked[],
): Promise<Found> {
  const found: Found = new Map()
  for (const source of new Set(from)) {
    const rest = open.filter(({ segment }) => !found.has(segment.segmentId))
    if (rest.length === 0) break
    for (const [id, one] of await finders[source](at, rest)) found.set(id, one)
  }
  return found
}

const inMemory: Find = async ({ hub, request, minimum }, open) => {
  const { site_id: siteId, source_language, target_language } = request
  const sources = open.map(({ segment: { source, tags } }) => ({
    source: writtenText(source, tags),
  }))
  const place = { siteId, pair: pairOf(source_language, target_language) }
  const matches = await findBest(hub, place, sources, minimum)
  const found: Found = new Map()
  for (const [at, { segment }] of open.entries()) {
    const match = matches[at]
    if (!match) continue
    const { percent, adapted } = match
    const filled = { from: 'MEMORY', percent, ...(adapted && { adapted }) } as const
    found.set(segment.segmentId, { target: partsIn(match.target, segment.tags), filled })
  }
  return found
}

/** Segments with the same text that are looked at for each; the first finished one counts. */
const mostAlike = 50

const inRepeats: Find = async ({ hub, request, desk }, open) => {
  const places = new Map<number, readonly number[]>()
  const among = new Map<number, DeskSegment>()
  const pause = openPauses()
  for (const { segment, place } of open) {
    const alike = desk
      .withSource(segment.source, mostAlike)
      .filter((other) => other !== place && isRepeat(segment, desk.at(other)))
    if (alike.length > 0) places.set(place, alike)
    for (const other of alike) among.set(other, desk.at(other))
    await pause()
  }
  if (among.size === 0) return new Map()
  const ids = [...among.values()].map(({ segmentId }) => segmentId)
  const drafts = draftsById(hub, await readDrafts(hub.db.read, pathOf(request), ids))
  const found: Found = new Map()
  for (const { segment, place } of open)
    for (const other of places.get(place) ?? []) {
      const same = among.get(other)
      const draft = same && drafts.get(same.segmentId)
      const target = same && targetOf(same, draft)
      if (!same || !target || !isDone(stateOf(same, draft, request))) continue
      found.set(segment.segmentId, { target, filled: { from: 'REPEATS' } })
      break
    }
  return found
}

/** The same text with the same codes. */
function isRepeat(one: DeskSegment, other: DeskSegment): boolean {
  const textOf = ({ source, tags }: DeskSegment) =>
    JSON.stringify([source, tags.map(({ shows }) => shows)])
  return textOf(one) === textOf(other)
}

const byEngine: Find = async ({ request, engine }, open) => {
  const found: Found = new Map()
  if (!engine) return found
  const segments = open.map(({ segment }) => fromWire(segment.tags, segment.source))
  const results = await engine.translate(request, segments)
  for (const [at, { segment }] of open.entries()) {
    const result = results[at]
    if (!result || !('parts' in result)) continue
    const { risk, reasons, origin } = result
    const by = origin && origin !== 'MEMORY' ? origin : engine
    found.set(segment.segmentId, {
      target: targetToWire(segments[at] ?? [], result.parts),
      filled: {
        from: 'ENGINE',
        engine: { providerId: by.providerId, name: by.engine },
        ...{ risk, reasons },
      },
    })
  }
  return found
}

const finders: Readonly<Record<FillSource, Find>> = {
  MEMORY: inMemory,
  REPEATS: inRepeats,
  ENGINE: byEngine,
}
