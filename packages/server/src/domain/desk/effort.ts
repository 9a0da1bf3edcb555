/**
 * What people changed in the suggestions of engines, measured when they deliver: characters
 * inserted, removed or replaced, segments left as they were, and the time between two targets that
 * the same person writes in a task.
 */
import type { TextParts } from '@dragoman/contract'
import { distance } from '@dragoman/text/likeness'
import type { Hub } from '../../hub.ts'
import type { EngineEffortRow } from '../../store/tables.ts'
import type { MachineEdit } from '../engines/quality/learn-risk.ts'
import type { RequestWithFile } from '../jobs/requests/request.ts'
import type { Draft } from './describe-segment.ts'
import type { DeskSegment } from './desk-segments.ts'
import type { Desk } from './open-desk.ts'

/** A longer gap between two targets is a pause. */
const mostGapMs = 600_000

/** The time spent on each of some segments that a person writes at once. */
export function spentOn(before: number | undefined, now: number, segments: number): number {
  const gap = before === undefined ? 0 : now - before
  return gap > 0 && gap <= mostGapMs ? Math.round(gap / segments) : 0
}

export type EffortMeter = {
  readonly add: (segment: DeskSegment, draft: Draft | undefined, target: TextParts) => void
  /** A row for each engine, and none if the request had no suggestions. */
  readonly rows: () => EngineEffortRow[]
  /** What the risk learns from. */
  readonly edits: () => MachineEdit[]
}

export function openEffort(hub: Hub, request: RequestWithFile, desk: Desk): EffortMeter {
  const rows = new Map<string, EngineEffortRow>()
  const edited: MachineEdit[] = []
  const add: EffortMeter['add'] = (segment, draft, target) => {
    const { segmentId, source, suggested, machine } = segment
    const origin = desk.knowsSuggestions ? machine?.origin : undefined
    if (!suggested || !origin || origin === 'MEMORY') return
    const key = JSON.stringify(origin)
    const row = rows.get(key) ?? {
      ...nothing,
      ...placeOf(hub, request),
      provider_id: origin.providerId,
      engine: origin.engine,
    }
    const edits = editsBetween(suggested, target)
    const share = edits.distance / Math.max(1, edits.characters)
    const isClear = share === 0 || share >= rewritten
    if (isClear && edited.length < mostEdits)
      edited.push({ segmentId, source, suggested, isBad: share > 0 })
    const spentMs = draft?.spent_ms ?? 0
    rows.set(key, {
      ...row,
      segments: row.segments + 1,
      unedited: row.unedited + (edits.distance === 0 ? 1 : 0),
      characters: row.characters + edits.characters,
      distance: row.distance + edits.distance,
      timed: row.timed + (spentMs > 0 ? 1 : 0),
      spent_ms: row.spent_ms + spentMs,
    })
  }
  return { add, rows: () => [...rows.values()], edits: () => edited }
}

/** A suggestion of which so much was changed was wrong; one that stayed as it was, right. */
const rewritten = 0.4
/** Of one delivery. */
const mostEdits = 1_000

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
