import type {
  ArchiveStatus,
  FormatId,
  JobStatus,
  RequestStatus,
  Segmentation,
  TmImportStatus,
} from '@dragoman/contract'
import type { ColumnType, Generated, Selectable } from 'kysely'
import type { Flag, Json, Time } from './columns.ts'

type JobTable = {
  job_id: string
  site_id: string
  job_name: string
  description: string | null
  status: JobStatus
  archive_status: ArchiveStatus
  /** 1 from ARCHIVING to ARCHIVED: separates GET /jobs from GET /jobs/archived. */
  archived: Flag
  has_error: Flag
  error_message: string | null
  creator_id: string
  submitter_id: string | null
  provider_id: string | null
  /** The chain that it came from, if people of another provider work on it. */
  chain_id: string | null
  /** The rule that chose the provider, as JSON. */
  routed_by: Json | null
  /** The ids of the hubs it passed before this one, as JSON. */
  hops: Json | null
  /** Where it was sent on to (sending/sent-on.ts), as JSON. */
  upstream: Json | null
  provider_reference: string | null
  po_reference: string | null
  due_at: Time | null
  created_at: ColumnType<Time, Time, never>
  modified_at: Time
  submitted_at: Time | null
  activity_at: Time
  archival_at: Time
  /** When it was archived; null while it is not. */
  archived_at: Time | null
  custom_data: string | null
  should_quote: Flag | null
  connector_name: string | null
  connector_version: string | null
  service_type: string | null
  extended_metadata: Json | null
  format_options: Json | null
  /** Null stands for paragraphs. */
  segmentation: Segmentation | null
  /** By which rules sentences are cut. */
  cut_rule: string | null
  labels: Json | null
  global_tracking_id: string | null
  source_language: string | null
  target_languages: Json | null
  analysis_codes: Json | null
  /** 1 once the provider has acknowledged the job. */
  acknowledged: Generated<Flag>
  /** Increases with every change of the row: anything derived from it is valid for this version. */
  version: Generated<number>
  cause_id: string
}

/** The labels of a job again, one row each, for the filter; a label of a list has no value. */
type JobLabelTable = { job_id: string; site_id: string; name: string; value: string | null }

/**
 * The analysis codes of a job again, one row each, for the filter; `code_id` is set from submission
 * on.
 */
type JobCodeTable = {
  job_id: string
  site_id: string
  level: number
  code_key: string
  code_id: string | null
}

type RequestTable = {
  request_id: string
  site_id: string
  job_id: string
  /** Order of creation inside the job. */
  position: number
  request_name: string
  status: RequestStatus
  has_error: Flag
  error_message: string | null
  source_native_id: string
  source_language: string
  target_native_id: string | null
  target_language: string
  created_at: Time
  modified_at: Time
  word_count: number | null
  file_id: string | null
  content_id: string | null
  /** How the file is read: as its sender says, or as it was found; null where no format fits. */
  format: FormatId | null
  provider_reference: string | null
  reject_note: string | null
  extended_metadata: Json | null
  /** What the provider delivered: a file, or keys and values. */
  translation_file_id: string | null
  translation_content_id: string | null
  /** What it has uploaded but not yet delivered. */
  incoming_file_id: string | null
  incoming_content_id: string | null
  /** How the delivered translation differs from its source: a list of sentences. */
  warnings: Json | null
  /** 1: the provider forced a translation that the hub would have refused. */
  forced: Generated<Flag>
  /**
   * The last failed try of a driver: its time, its sentence, the time of the next. Cleared by the
   * next move.
   */
  last_try: Json | null
  /** The person who has claimed it. */
  assignee: string | null
  /** When that person claimed it. */
  claimed_at: Time | null
  /** When the last translation came. */
  delivered_at: Time | null
  /** 1: people have shares of it, and nobody has it alone. */
  is_shared: Generated<Flag>
  /** The version that the last delivery gave to all segments; null before the first. */
  desk_version: number | null
  /** The request with the older source that it names. */
  supersedes: string | null
  /** The request with the newer source, from the submission of its job on. */
  superseded_by: string | null
  /** Null if its provider cancelled it. */
  cancel_cause: 'SUPERSEDED' | null
  cause_id: string
}

/** Key-value content that requests can refer to. */
type SourceContentTable = {
  content_id: string
  site_id: string
  job_id: string
  /** Possibly sealed: see sealed-contents.ts. */
  fields: Json
  bytes: number
  /** Of the fields as they were sent (known/source-hash.ts). Null if they are older than that. */
  sha256: string | null
  created_at: Time
  modified_at: Time
}

/** A comment or a question at a job, a request or a segment. Texts are sealed as notes are. */
type CommentTable = {
  comment_id: string
  site_id: string
  job_id: string
  /** Order of creation inside the job. */
  position: number
  kind: 'NOTE' | 'QUESTION'
  addressee: 'TEAM' | 'CONNECTOR'
  /** Whose side wrote it. */
  side: 'connector' | 'provider'
  request_id: string | null
  segment_id: string | null
  /** Of the source of its segment, equal for equal sources of the job. */
  source_digest: string | null
  text: string
  /** The quota of the site counts the bytes of text and answer. */
  bytes: number
  /** A person or a client. */
  written_by: string
  created_at: Time
  answer: string | null
  answered_by: string | null
  answered_at: Time | null
}

type SupportAssetTable = {
  asset_id: string
  site_id: string
  job_id: string
  position: number
  file_id: string
  description: string | null
  source_native_ids: Json | null
  source_language: string | null
  target_languages: Json | null
  extended_metadata: Json | null
  created_at: Time
  cause_id: string
}

type TmUpdateTable = {
  tmupdate_id: string
  site_id: string
  job_id: string
  position: number
  file_id: string
  source_language: string
  target_language: string
  extended_metadata: Json | null
  /** The state of its import into the site's memory; null if the file is not TMX. */
  import_status: TmImportStatus | null
  import_error: string | null
  /** Units of the file already processed; an interrupted import continues after them. */
  units_read: Generated<number>
  units_added: Generated<number>
  units_changed: Generated<number>
  units_skipped: Generated<number>
  created_at: Time
  cause_id: string
}

/** History of states: one row per move of a job, requests or the archive. */
type MoveTable = {
  move_id: string
  site_id: string
  job_id: string
  /** JSON: the requests that made this move together; null for a move of the job itself. */
  request_ids: string | null
  move: string
  from_status: string
  to_status: string
  moved_at: Time
  cause_id: string
}

export type JobsTables = {
  comments: CommentTable
  jobs: JobTable
  job_labels: JobLabelTable
  job_codes: JobCodeTable
  requests: RequestTable
  source_contents: SourceContentTable
  support_assets: SupportAssetTable
  tm_updates: TmUpdateTable
  moves: MoveTable
}

export type JobRow = Selectable<JobTable>
export type RequestRow = Selectable<RequestTable>
export type SourceContentRow = Selectable<SourceContentTable>
export type SupportAssetRow = Selectable<SupportAssetTable>
export type TmUpdateRow = Selectable<TmUpdateTable>
export type MoveRow = Selectable<MoveTable>
export type CommentRow = Selectable<CommentTable>
