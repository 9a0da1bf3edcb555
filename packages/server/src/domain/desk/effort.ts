/**
 * What people changed in the suggestions of engines, measured when they deliver: characters
 * inserted, removed or replaced, segments left as they were, and the time between two targets that
 * the same person writes in a task.
 */
import type { TextParts } from '@dragoman/contract'
import { distance } from '@dragoman/text/likeness'
import type { Hub } from '../../hub.ts'
import type { EngineEffortRow } from '../../store/tables.ts'
import { openPauses } from '../../turns/pauses.ts'
import { openSuggestionWork } from '../engines/machine-work.ts'
import type { RequestWithFile } from '../jobs/requests/request.ts'
import type { Draft } from './describe-segment.ts'
import type { DeskSegment } from './desk-segments.ts'

/** A longer gap between two targets is a pause. */
const mostGapMs = 600_000

/** The time spent on each of some segments that a person writes at once. */
export function spentOn(before: number | undefined, now: number, segments: number): number {
  const gap = before === undefined ? 0 : now - before
  return gap > 0 && gap <= mostGapMs ? Math.round(gap / segments) : 0
}

type Desk = {
  readonly segments: readonly DeskSegment[]
  readonly drafts: ReadonlyMap<string, Draft>
  readonly targetOf: (segment: DeskSegment) => TextParts | undefined
}

/** Returns a row for each engine, and none if the request had no suggestions. */
export async function measureEffort(
  hub: Hub,
  request: RequestWithFile,
  { segments, drafts, targetOf }: Desk,
): Promise<EngineEffortRow[]> {
  const suggested = segments.filter((segment) => segment.suggested)
  if (suggested.length === 0) return []
  const workOf = await openSuggestionWork(hub, request)
  const pause = openPauses()
  const rows = new Map<string, EngineEffortRow>()
  for (const segment of suggested) {
    const origin = workOf(segment.unit)?.origin
    const target = targetOf(segment)
    if (!segment.suggested || !target || !origin || origin === 'MEMORY') continue
    const key = JSON.stringify(origin)
    const row = rows.get(key) ?? {
      ...nothing,
      ...placeOf(hub, request),
      provider_id: origin.providerId,
      engine: origin.engine,
    }
    const edits = editsBetween(segment.suggested, target)
    const spentMs = drafts.get(segment.segmentId)?.spent_ms ?? 0
    rows.set(key, {
      ...row,
      segments: row.segments + 1,
      unedited: row.unedited + (edits.distance === 0 ? 1 : 0),
      characters: row.characters + edits.characters,
      distance: row.distance + edits.distance,
      timed: row.timed + (spentMs > 0 ? 1 : 0),
      spent_ms: row.spent_ms + spentMs,
    })
    await pause()
  }
  return [...rows.values()]
}

const nothing = { segments: 0, unedited: 0, characters: 0, distance: 0, timed: 0, spent_ms: 0 }
const placeOf = ({ clock }: Hub, request: RequestWithFile) => ({
  site_id: request.site_id,
  job_id: request.job_id,
  request_id: request.request_id,
  source_language: request.source_language,
  target_language: request.target_language,
  delivered_at: clock.now(),
})

/** Texts whose changed parts are longer than this count as replaced. */
const mostCompared = 2_000

/** In code points; a tag counts as one. `characters` are those of the longer text. */
export function editsBetween(
  before: TextParts,
  after: TextParts,
): { characters: number; distance: number } {
  const [one, other] = [pointsOf(before), pointsOf(after)]
  const characters = Math.max(one.length, other.length)
  let start = 0
  while (start < Math.min(one.length, other.length) && one[start] === other[start]) start += 1
  let end = 0
  while (
    end < Math.min(one.length, other.length) - start &&
    one.at(-1 - end) === other.at(-1 - end)
  )
    end += 1
  const [left, right] = [one.slice(start, one.length - end), other.slice(start, other.length - end)]
  const most = Math.max(left.length, right.length)
  const edits = most > mostCompared || most === 0 ? most : (distance(left, right, most) ?? most)
  return { characters, distance: edits }
}

const pointsOf = (text: TextParts): number[] =>
  text.flatMap((piece) =>
    typeof piece === 'string' ? [...piece].map((one) => one.codePointAt(0) ?? 0) : [-piece.tag],
  )
