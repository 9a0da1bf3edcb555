import type { Generated, Selectable } from 'kysely'
import type { Flag, Json, Time } from './columns.ts'

type ProviderTable = {
  provider_id: string
  site_id: string
  name: string
  type_id: string
  status: 'ENABLED' | 'DISABLED'
  config: Json
  metadata_schema: Json | null
  limits: Generated<Json | null>
  /** What is filled in at the hand-over, as JSON; null: nothing. */
  fill: Generated<Json | null>
  creator_id: string
  created_at: Time
  modified_at: Time
}

/**
 * By provider, job (`*`: all of them) and UTC day. `estimated` is what was reserved, or billed
 * where the vendor says it.
 */
type EngineUsageTable = {
  provider_id: string
  job_id: string
  day: Time
  unit: 'CHARACTERS' | 'TOKENS'
  site_id: string
  estimated: number
  billed: number | null
  /** Source characters, which limits count. */
  characters: number
  saved: number
  requests: number
  held_at: Time | null
  /** What is used up: the limit of the day or of the job, or the quota of the vendor. */
  held_by: 'DAY' | 'JOB' | 'VENDOR' | null
  held_because: string | null
}

/**
 * What a machine did in a translation, as long as that is the translation of the request, or in
 * suggestions for people. It names no content.
 */
type MachineWorkTable = {
  site_id: string
  job_id: string
  request_id: string
  /** The file or the content; suggestions have an id of their own. */
  translation_id: string
  /** `{ origins, basis?, segments: { id: [origin, risk, ...reasons] } }` (machine-work.ts). */
  segments: string
  /** `{ texts: { id: parts }, open: { id: reason }, because? }`, if people work on with them. */
  drafts: string | null
}

/** A verdict on a machine's text, as the numbers that the model of risks reads. */
type RiskVerdictTable = {
  site_id: string
  job_id: string
  request_id: string
  segment_id: string
  /** Without regions. */
  source_language: string
  target_language: string
  /** The shipped model that measured it. */
  model: string
  features: string
  is_bad: Flag
  given_at: Time
}

/** What a site has taught of a pair. */
type LearnedRiskTable = {
  site_id: string
  source_language: string
  target_language: string
  model: string
  change: string
  verdicts: number
  agreement: number | null
  learned_at: Time
}

export type EnginesTables = {
  risk_verdicts: RiskVerdictTable
  learned_risk: LearnedRiskTable
  providers: ProviderTable
  engine_usage: EngineUsageTable
  machine_work: MachineWorkTable
}

export type ProviderRow = Selectable<ProviderTable>
export type EngineUsageRow = Selectable<EngineUsageTable>
export type MachineWorkRow = Selectable<MachineWorkTable>
export type RiskVerdictRow = Selectable<RiskVerdictTable>
export type LearnedRiskRow = Selectable<LearnedRiskTable>
