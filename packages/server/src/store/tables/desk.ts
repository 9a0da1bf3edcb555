import type { Generated, Selectable } from 'kysely'
import type { Flag, Time } from './columns.ts'

/**
 * The target of a segment as it was last written, and what a reviewer said of it. Notes are sealed
 * as elsewhere.
 */
type DraftTable = {
  site_id: string
  job_id: string
  request_id: string
  segment_id: string
  /** Null if only a reviewer wrote here. */
  target: string | null
  state: 'DRAFT' | 'TRANSLATED'
  version: number
  /** The quota of the site counts the bytes of the target. */
  bytes: number
  changed_by: string
  by_person: Flag
  changed_at: Time
  /** The targets of the last delivery and of the one before, as far as they are known here. */
  delivered: string | null
  previous: string | null
  /** What a reviewer said of the last delivery: `{ verdict, note?, type?, severity? }`. */
  review: string | null
  /** What a reviewer said of the delivery before. */
  previous_review: string | null
  /** A target that was never delivered: a translation came as a whole. */
  replaced: string | null
  /** Findings that the translator keeps: `[{ check, reason }]`. */
  kept: string | null
  /** The findings that the translator kept in the last delivery. */
  delivered_kept: string | null
  /** Equal for equal targets of one request. */
  target_digest: string | null
  /** Time that a person spent on it, as far as it was measured. */
  spent_ms: Generated<number>
  /** The words of its source; null if it was written before they were counted. */
  words: number | null
  /** What the hub filled in, and nobody has written since: JSON of `Filled` (filled-target.ts). */
  filled: string | null
}

/** The positions of a text that one person translates. */
type ShareTable = {
  site_id: string
  job_id: string
  request_id: string
  from_position: number
  to_position: number
  person_id: string
  words: number
}

/** The targets of the delivery before the last one: sealed JSON, by the ids of the content. */
type FormerTargetsTable = {
  site_id: string
  job_id: string
  request_id: string
  texts: string
}

/** What a request took over from the one that it supersedes: sealed JSON (newer/carried.ts). */
type CarriedTable = {
  site_id: string
  job_id: string
  request_id: string
  texts: string
}

/** What people changed in the drafts of an engine, as they last delivered a request. */
type EngineEffortTable = {
  site_id: string
  job_id: string
  request_id: string
  /** This is the provider of the engine. */
  provider_id: string
  engine: string
  source_language: string
  target_language: string
  segments: number
  unedited: number
  /** The longer one of suggestion and target counts. */
  characters: number
  /** Characters that were inserted, removed or replaced. */
  distance: number
  /** Segments whose time is known, and their time. */
  timed: number
  spent_ms: number
  delivered_at: Time
}

/** A reviewer's correction of a segment. */
type CorrectionTable = {
  site_id: string
  job_id: string
  request_id: string
  segment_id: string
  /** What waits to be delivered, sealed; null if nothing does. */
  target: string | null
  /** The version of the segments that it was written for. */
  base_version: number
  /** What the last delivery took from a reviewer, sealed; null if it took nothing. */
  delivered: string | null
  delivered_by: string | null
  /** Counts the changes of the row. */
  version: number
  /** The quota of the site counts the bytes of what waits. */
  bytes: number
  changed_by: string
  by_person: Flag
  changed_at: Time
}

/** The sample that reviewers of a job were given. */
type ReviewPlanTable = {
  job_id: string
  site_id: string
  /** Of what was delivered when the seed was drawn. */
  mark: string
  seed: string
}

export type DeskTables = {
  drafts: DraftTable
  corrections: CorrectionTable
  shares: ShareTable
  former_targets: FormerTargetsTable
  carried: CarriedTable
  engine_effort: EngineEffortTable
  review_plans: ReviewPlanTable
}

export type ShareRow = Selectable<ShareTable>
export type DraftRow = Selectable<DraftTable>
export type EngineEffortRow = Selectable<EngineEffortTable>
export type CorrectionRow = Selectable<CorrectionTable>
export type ReviewPlanRow = Selectable<ReviewPlanTable>
