/**
 * Every table of the hub, typed once for both engines. Times are integer milliseconds, booleans 0
 * or 1, JSON is text: types that SQLite and PostgreSQL bind alike. An optional fact is null here
 * and absent on the wire.
 */
import type {
  ArchiveStatus,
  FormatId,
  JobStatus,
  MemoryImportState,
  RequestStatus,
  Role,
  Segmentation,
  TmImportStatus,
} from '@dragoman/contract'
import type { ColumnType, Generated, Selectable } from 'kysely'

/** 0 or 1. */
export type Flag = number
/** JSON text. */
export type Json = string
/** Milliseconds since 1970, UTC. */
export type Time = number

type SiteTable = {
  site_id: string
  created_at: Time
  /** When its removal began; null for a site that stays. */
  removing_at: Time | null
  /** What is text in its files, as JSON; null without options. */
  format_options: Generated<string | null>
  /** Another one after every change of its terms; null if it never had any. */
  terms_stamp: Generated<string | null>
  /** The severities of checks that it asks for, as JSON; null without any. */
  check_settings: Generated<string | null>
  /** The rules that choose the provider of a job, as JSON; null if it never had any. */
  routing: Generated<string | null>
}

type ClientTable = {
  client_id: string
  site_id: string
  /** Space separated, as in a token. */
  scopes: string
  page_format: 'full' | 'plain'
  /** Quotas raised for this client: `{ "MaxReqsPerJob": 5000 }`. */
  quotas: Json | null
  created_at: Time
  disabled_at: Time | null
  /** Calls per second; null: the configured limit. */
  rate_limit: number | null
  /** A list of networks; null: any address. */
  allow_from: Json | null
  /** A list of thumbprints; null: the secret alone is enough. */
  certificates: Json | null
  /** Its last call, written at most once an hour. */
  last_used_at: Time | null
}
/** The sum of a site's rows is what it stores; a single row may be below zero. */
type SiteBytesTable = {
  site_id: string
  shard: number
  bytes: number
}
type ClientSecretTable = {
  secret_id: string
  client_id: string
  hash: string
  created_at: Time
  expires_at: Time | null
}
type ClientProviderTable = { client_id: string; provider_id: string }
/** Failed logins of one client id from one address. */
type GuessTable = {
  client_id: string
  address: string
  failures: number
  since: Time
  blocked_until: Time
}
type SigningKeyTable = {
  kid: string
  public_jwk: Json
  sealed_private: string
  created_at: Time
  retires_at: Time
}

/** `token` or `key`, and its id. Removed when it would have expired anyway. */
type RevokedTable = { name: string; revoked_at: Time; expires_at: Time }

type ProviderTable = {
  provider_id: string
  site_id: string
  name: string
  type_id: string
  status: 'ENABLED' | 'DISABLED'
  config: Json
  metadata_schema: Json | null
  limits: Generated<Json | null>
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
  /** Null: paragraphs. */
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
  /** The version that the last delivery gave to all segments; null before the first. */
  desk_version: number | null
  cause_id: string
}

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
  /** Of the target, in the quota of the site. */
  bytes: number
  changed_by: string
  by_person: Flag
  changed_at: Time
  /** The targets of the last delivery and of the one before, as far as they are known here. */
  delivered: string | null
  previous: string | null
  /** Of a reviewer, on the last delivery: `{ verdict, note?, type?, severity? }`. */
  review: string | null
  /** The same, on the delivery before. */
  previous_review: string | null
  /** A target that was never delivered: a translation came as a whole. */
  replaced: string | null
  /** Findings that the translator keeps: `[{ check, reason }]`. */
  kept: string | null
  /** Those of the last delivery. */
  delivered_kept: string | null
  /** Equal for equal targets of one request. */
  target_digest: string | null
  /** Time that a person spent on it, as far as it was measured. */
  spent_ms: Generated<number>
}

/** The targets of the delivery before the last one: sealed JSON, by the ids of the content. */
type FormerTargetsTable = {
  site_id: string
  job_id: string
  request_id: string
  texts: string
}

/**
 * A thing of a job that was sent on, and its id there. Of a request also their versions: which one
 * was delivered here, reported as an error, and answered with an approval.
 */
type UpstreamLinkTable = {
  site_id: string
  job_id: string
  kind: 'job' | 'file' | 'asset' | 'tm-update' | 'request'
  our_id: string
  their_id: string
  taken: string | null
  failed: string | null
  told: string | null
}

/** A call to the upstream, or several equal ones in a row. */
type UpstreamCallTable = {
  call_id: Generated<number>
  site_id: string
  job_id: string
  called_at: Time
  method: string
  path: string
  /** Null if there was no answer. */
  status: number | null
  error: string | null
  duration_us: number
  tries: number
  /** The id of the call in the log of the upstream. */
  trace_id: string | null
  cause_id: string
}

/** A whole call of a job that a provider records (cassette.ts). */
type RecordedCallTable = {
  call_id: Generated<number>
  site_id: string
  job_id: string
  called_at: Time
  /** `FULL` says that there is no room for more. */
  side: 'CONNECTOR' | 'UPSTREAM' | 'LISTENER' | 'FULL'
  /** Of a call that reads: its path and a digest of the answer. */
  look: string | null
  /** JSON, and a note: it holds texts. */
  call: string
  bytes: number
}

/**
 * Of a machine translation, as long as it is the translation of the request; or of drafts for
 * people. Names no content.
 */
type MachineWorkTable = {
  site_id: string
  job_id: string
  request_id: string
  /** The file or the content; of drafts, an id of their own. */
  translation_id: string
  /** `{ origins, segments: { id: [origin, risk, ...reasons] } }` (machine-work.ts). */
  segments: string
  /** `{ texts: { id: parts }, open: { id: reason }, because? }`, if people work on with them. */
  drafts: string | null
}

/** What people changed in the drafts of an engine, as they last delivered a request. */
type EngineEffortTable = {
  site_id: string
  job_id: string
  request_id: string
  /** Of the engine. */
  provider_id: string
  engine: string
  source_language: string
  target_language: string
  segments: number
  unedited: number
  /** Of the longer one of draft and target. */
  characters: number
  /** Characters that were inserted, removed or replaced. */
  distance: number
  /** Segments whose time is known, and their time. */
  timed: number
  spent_ms: number
  delivered_at: Time
}

/**
 * A file of a job and the transfer that brings its bytes. It is `expected` until it is complete,
 * and removed if `expires_at` comes first.
 */
type FileTable = {
  file_id: string
  site_id: string
  job_id: string
  name: string
  content_type: string
  state: 'expected' | 'stored'
  /** What it is for: a source file, or a translation from a provider. */
  kind: 'source' | 'translation'
  /** The client whose quota it counts against. */
  client_id: string
  /** 1 once any byte was acknowledged: what MaxFilesPerJob counts. */
  holds_bytes: Flag
  blob_id: string | null
  size: number | null
  sha256: string | null
  /** 1: the blob is sealed, and its key is in `content_keys`. */
  sealed: Generated<Flag>
  created_at: Time
  expires_at: Time | null
  cause_id: string
}
/**
 * A resumable upload into a file. Offset and progress are written together, under the writer's
 * lease.
 */
type UploadTable = {
  upload_id: string
  file_id: string
  site_id: string
  blob_id: string
  /** The header Upload-Concat as it was sent: `partial`, or `final;` and its parts. */
  concat: string | null
  /** Declared by the client; the largest possible one until it is. */
  length: number
  /** 1: the client will declare the length later. */
  deferred: Generated<Flag>
  received: number
  /** What the blob store must remember between two writes. */
  progress: Json
  /** Same as that of its file. */
  sealed: Generated<Flag>
  metadata: Json
  created_at: Time
  expires_at: Time
  /** The current writer, by the name of its lock, and until when it counts as alive. */
  writer: string | null
  writer_until: Time | null
  /** 1: another writer wants the lock; the current one must stop. */
  wanted: Flag
}
/** Key-value content that requests can refer to. */
type SourceContentTable = {
  content_id: string
  site_id: string
  job_id: string
  /** Possibly sealed: see sealed-contents.ts. */
  fields: Json
  bytes: number
  created_at: Time
  modified_at: Time
}
/**
 * The keys that seal a site's content. The newest one seals; older ones remain until a rotation is
 * complete.
 */
type SiteKeyTable = { site_id: string; version: number; sealed_key: string; created_at: Time }
/** The key of a blob, or of the key-value content of a job, sealed under its site's key. */
type ContentKeyTable = {
  /** A blob's or a job's id. */
  key_of: string
  site_id: string
  job_id: string
  /** Version of the site's key. */
  site_key: number
  sealed_key: string
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

/**
 * A site's translations between two languages. `last_unit` is the last number given out; its row is
 * the lock.
 */
type MemoryTable = {
  memory_id: Generated<number>
  site_id: string
  source_language: string
  target_language: string
  last_unit: number
  /**
   * The last unit before those whose postings an import has yet to write; null if there are none.
   */
  indexed_unit: Generated<number | null>
}
/** A text and its translation; one per text. */
type MemoryUnitTable = {
  memory_id: number
  unit_id: number
  source_hash: string
  source: string
  target: string
  /** A hash of the texts before and after it, if known. */
  context: string | null
  /** The TM update, import or request that it last came from; `manual` for a change by hand. */
  origin: string
  changed_at: Time
  /** Counts up with every change. */
  version: Generated<number>
  /** The person or client of a change by hand. */
  changed_by: string | null
}
/**
 * A TMX file on its way into the memory. Its bytes are a blob of its own or an uploaded file, and
 * the blob goes with its end.
 */
type MemoryImportTable = {
  import_id: string
  site_id: string
  /** Both null: those that the file names. */
  source_language: string | null
  target_language: string | null
  state: MemoryImportState
  error: string | null
  file_id: string | null
  blob_id: string | null
  size: number | null
  /** The key of a sealed blob, itself sealed. */
  blob_key: string | null
  /** Units of the file already processed; an interrupted import continues after them. */
  units_read: number
  units_added: number
  units_changed: number
  units_skipped: number
  units_total: number | null
  created_at: Time
  cause_id: string
}
/**
 * The pieces by which a unit is found, and its tokens as bits; of units with the same tokens only
 * the first is here.
 */
type MemoryPostingTable = { memory_id: number; piece: number; unit_id: number; signature: number }
/** The quote of a job as it was submitted. */
type JobQuoteTable = {
  job_id: string
  site_id: string
  quote: Json
  quoted_at: Time
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

/**
 * Status updates, immutable except for the acknowledgement, which is not one of their fields. The
 * sequence has no gap for the client that owns the job, and outlives the job.
 */
type StatusUpdateTable = {
  update_id: string
  site_id: string
  client_id: string
  sequence: number
  job_id: string
  provider_id: string | null
  request_ids: Json
  status: string
  has_error: Flag
  error_message: string | null
  updated_at: Time
  acknowledged_at: Time | null
  cause_id: string
}
/** The last sequence given to a client of a site; its row is the lock for the next one. */
type UpdateCounterTable = { site_id: string; client_id: string; last: number }

/** A callback target of a connector (one type, one URL) or of a provider (two URLs). */
type ListenerTable = {
  listener_id: string
  site_id: string
  client_id: string
  side: 'connector' | 'provider'
  /** Connector: its listener type; one of each per client. Provider: `PROVIDER`. */
  type: string
  provider_id: string | null
  /** Only updates of this job. */
  job_id: string | null
  job_uri: string | null
  job_codes: Json | null
  request_uri: string | null
  request_codes: Json | null
  acknowledges: Flag
  on_support_asset: Flag
  on_tm_update: Flag
  auth_type: 'SIGNATURE' | 'NONE'
  /** As the client named it, if differently. */
  auth_name: string | null
  /** The row stays for its deliveries. */
  deleted_at: Time | null
  sealed_secret: string
  /** The previous secret, which still signs beside the new one for a while. */
  sealed_old_secret: string | null
  old_secret_until: Time | null
  disabled: Flag
  disabled_reason: string | null
  failing_since: Time | null
  created_at: Time
  modified_at: Time
}
/** One call to a listener, in the order of `position` within each job. */
type DeliveryTable = {
  delivery_id: string
  position: Generated<number>
  listener_id: string
  site_id: string
  event_type: string
  job_id: string
  request_ids: Json | null
  sequence: number | null
  uri: string
  body: string
  state: 'PENDING' | 'DELIVERED' | 'PARKED'
  created_at: Time
  next_attempt_at: Time | null
  /** Tries so far, and when the first one was: the schedule counts from there. */
  attempts: number
  first_attempt_at: Time | null
  cause_id: string
  /** The last attempt, across replays: the response code, why there is none, and when. */
  last_code: Generated<number | null>
  last_error: Generated<string | null>
  last_attempt_at: Generated<Time | null>
}
type AttemptTable = {
  /** The delivery's. */
  position: number
  /** The delivery's. */
  job_id: string | null
  number: number
  attempted_at: Time
  duration_ms: number
  response_code: number | null
  error: string | null
  call_headers: Json | null
  answer_head: string | null
}

/** A level without a row is visible and has no label. */
type AnalysisLevelTable = { site_id: string; level: number; label: string; visible: Flag }
type AnalysisCodeTable = {
  code_id: string
  site_id: string
  level: number
  code: string
  /** The code in lower case: unique in its level. */
  code_key: string
  label: string
  visible: Flag
  created_at: Time
  modified_at: Time
  cause_id: string
}
/** A concept of the site's terminology, with its names in all languages. */
type TermTable = {
  term_id: string
  site_id: string
  definition: string | null
  /** As they are sent. */
  entries: Json
  /** Each in lower case, between blanks. */
  languages: string
  /** The texts and forms in lower case, one a line. */
  texts: string
  /** The beginning of the first text in lower case. */
  sort_key: string
  /** Hashes of the languages and texts, and of everything: what an import compares. */
  same_key: string
  content_key: string
  bytes: number
  version: number
  created_at: Time
  modified_at: Time
  cause_id: string
}
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
/** A version of the site's prices; never changed. */
type PriceListTable = {
  price_list_id: string
  site_id: string
  version: number
  name: string
  currency: string
  /** The first moment of a day, UTC; `valid_to` is that of the last day. */
  valid_from: Time
  valid_to: Time | null
  /** Fees, bands and lines. */
  prices: Json
  created_at: Time
  cause_id: string
}

/** Background work. A finished task has no row; a parked one waits for a person. */
type TaskTable = {
  task_id: Generated<number>
  name: string
  payload: Json
  site_id: string | null
  /** At most one task with the same key at a time. */
  key: string | null
  due_at: Time
  /** Tries begun so far. */
  attempts: number
  parked: Flag
  /** A number of `lanes` in lanes.ts. */
  lane: Generated<number>
  leased_by: string | null
  lease_until: Time | null
  /** Increased by every claim: a writer with an older fence has lost its lease. */
  fence: number
  cause_id: string
  created_at: Time
  last_error: string | null
  /** The job in its payload. */
  job_id: Generated<string | null>
}

type IdempotencyTable = {
  site_id: string
  client_id: string
  path: string
  key: string
  body_hash: string
  /** Sealed JSON of the first response; null while the call runs. */
  answer: string | null
  running_until: Time
  created_at: Time
}

/** How often a call of this route (with its method) took so many milliseconds on a day. */
type CallTimesTable = {
  site_id: string
  /** Days since 1970, in UTC. */
  day: number
  route: string
  ms: number
  times: number
}

type CallTable = {
  /** Its number in the chain. */
  call_id: number
  trace_id: string
  called_at: Time
  method: string
  route: string
  /** Path parameters, JSON. */
  ids: Json | null
  /** The job that it is about, or that it created. */
  job_id: string | null
  site_id: string | null
  client_id: string | null
  address: string
  status: number
  error_code: string | null
  duration_us: number
  bytes_in: number
  bytes_out: number
  call_body: string | null
  answer_body: string | null
  /** How many calls the row stands for. */
  count: number
  /** Estimated size of the row on disk. */
  bytes: number
  /** Set once the hub has erased what the row said: see erased-rows.ts. */
  erased: Generated<string | null>
  /** Over the row and the previous hash: store/chains.ts. */
  hash: string
}

/** Someone who uses the console. */
type PersonTable = {
  person_id: string
  name: string
  /** In lower case. People of different sites may have the same. */
  email: string | null
  /**
   * Tells them apart: empty for the first, else the site whose admin added it. Unique with the
   * address.
   */
  account: Generated<string>
  /** `iss` and `sub` of the OpenID provider; null for a person of the hub itself. */
  issuer: string | null
  subject: string | null
  password_hash: string | null
  /** 1: a password needs a passkey or a recovery code beside it. */
  two_steps: Flag
  preferences: Json | null
  created_at: Time
  last_sign_in_at: Time | null
  /** When the roles last changed: older sessions get a new token. */
  roles_at: Time
  disabled_at: Time | null
}
/** The site of an operator is empty. */
type PersonRoleTable = {
  person_id: string
  site_id: string
  role: Role
  /**
   * The providers and target languages that a limited role is for; the same in all roles of a
   * person in a site.
   */
  providers: Generated<Json | null>
  languages: Generated<Json | null>
}
/**
 * A link that signs in once. Without a person it makes one, with these roles: `[{ siteId, roles
 * }]`.
 */
type PersonLinkTable = {
  link_hash: string
  person_id: string | null
  roles: Json
  created_at: Time
  expires_at: Time
}
type PasskeyTable = {
  passkey_id: string
  person_id: string
  credential_id: string
  /** SubjectPublicKeyInfo, base64url. */
  public_key: string
  /** Of COSE. */
  algorithm: number
  sign_count: number
  name: string
  created_at: Time
  last_used_at: Time | null
}
type RecoveryCodeTable = { person_id: string; code_hash: string }
type SessionTable = {
  /** Shown in lists; grants nothing. */
  session_id: string
  person_id: string
  token_hash: string
  /** The token before this one, for calls that were under way when it was replaced. */
  former_hash: string | null
  former_until: Time | null
  created_at: Time
  /** Exact to a minute. */
  used_at: Time
  expires_at: Time
  /** `roles_at` of the person when the token was made. */
  roles_at: Time
  confirmed_at: Time
  user_agent: string | null
  address: string
}

type AuditTable = {
  /** Its number in the chain. */
  audit_id: number
  acted_at: Time
  /** `client` for a call, `person` for one of the console, else `command line` or `hub`. */
  actor: string
  client_id: string | null
  site_id: string | null
  verb: string
  /** The kind of object and its id. */
  thing: string
  thing_id: string
  /** Names of the fields that were set, never their values; JSON. */
  fields: Json | null
  /**
   * Ids, states and numbers of the fields that changed, before and after, never secrets or content;
   * JSON.
   */
  was: Json | null
  is_now: Json | null
  trace_id: string
  hash: string
  person_id: string | null
  /** Set once the hub has erased what the row said: see erased-rows.ts. */
  erased: Generated<string | null>
}

/** The head of a chain of rows, and the anchor where it begins. */
type ChainTable = {
  name: string
  /** Number and hash of the newest row. */
  last: number
  hash: string
  /** Number and hash of the newest pruned row. */
  anchor: number
  anchor_hash: string
  /** Sum over the remaining rows. */
  bytes: number
  /** Over all of the above, under the master key; empty until the first row. */
  seal: string
}

type NodeTable = {
  node_id: string
  version: string
  started_at: Time
  seen_at: Time
  host: string | null
  /** How far its clock is ahead of the database's; null if both are one. */
  skew_ms: number | null
  stopping_at: Time | null
}
type HubStateTable = { name: string; value: string }
/**
 * Shared throttling: the theoretical arrival time of the next call of an address, in microseconds.
 */
type BucketTable = { address: string; arrives_at: number }

export type Tables = {
  sites: SiteTable
  clients: ClientTable
  site_bytes: SiteBytesTable
  client_secrets: ClientSecretTable
  client_providers: ClientProviderTable
  guesses: GuessTable
  signing_keys: SigningKeyTable
  revoked: RevokedTable
  people: PersonTable
  person_roles: PersonRoleTable
  person_links: PersonLinkTable
  passkeys: PasskeyTable
  recovery_codes: RecoveryCodeTable
  sessions: SessionTable
  providers: ProviderTable
  engine_usage: EngineUsageTable
  jobs: JobTable
  job_labels: JobLabelTable
  requests: RequestTable
  files: FileTable
  uploads: UploadTable
  source_contents: SourceContentTable
  drafts: DraftTable
  former_targets: FormerTargetsTable
  machine_work: MachineWorkTable
  engine_effort: EngineEffortTable
  upstream_links: UpstreamLinkTable
  upstream_calls: UpstreamCallTable
  recorded_calls: RecordedCallTable
  site_keys: SiteKeyTable
  content_keys: ContentKeyTable
  support_assets: SupportAssetTable
  tm_updates: TmUpdateTable
  moves: MoveTable
  status_updates: StatusUpdateTable
  update_counters: UpdateCounterTable
  listeners: ListenerTable
  deliveries: DeliveryTable
  attempts: AttemptTable
  analysis_levels: AnalysisLevelTable
  analysis_codes: AnalysisCodeTable
  job_codes: JobCodeTable
  price_lists: PriceListTable
  terms: TermTable
  memories: MemoryTable
  memory_units: MemoryUnitTable
  memory_imports: MemoryImportTable
  memory_postings: MemoryPostingTable
  job_quotes: JobQuoteTable
  tasks: TaskTable
  idempotency: IdempotencyTable
  calls: CallTable
  call_times: CallTimesTable
  audit: AuditTable
  chains: ChainTable
  nodes: NodeTable
  hub_state: HubStateTable
  buckets: BucketTable
}

export type TermRow = Selectable<TermTable>
export type JobRow = Selectable<JobTable>
export type MoveRow = Selectable<MoveTable>
export type RequestRow = Selectable<RequestTable>
export type DraftRow = Selectable<DraftTable>
export type UpstreamLinkRow = Selectable<UpstreamLinkTable>
export type RecordedCallRow = Selectable<RecordedCallTable>
export type MachineWorkRow = Selectable<MachineWorkTable>
export type EngineEffortRow = Selectable<EngineEffortTable>
export type FileRow = Selectable<FileTable>
export type UploadRow = Selectable<UploadTable>
export type SourceContentRow = Selectable<SourceContentTable>
export type SupportAssetRow = Selectable<SupportAssetTable>
export type TmUpdateRow = Selectable<TmUpdateTable>
export type StatusUpdateRow = Selectable<StatusUpdateTable>
export type ListenerRow = Selectable<ListenerTable>
export type DeliveryRow = Selectable<DeliveryTable>
export type AttemptRow = Selectable<AttemptTable>
export type AnalysisLevelRow = Selectable<AnalysisLevelTable>
export type AnalysisCodeRow = Selectable<AnalysisCodeTable>
export type PriceListRow = Selectable<PriceListTable>
export type MemoryRow = Selectable<MemoryTable>
export type MemoryUnitRow = Selectable<MemoryUnitTable>
export type MemoryImportRow = Selectable<MemoryImportTable>
export type ProviderRow = Selectable<ProviderTable>
export type EngineUsageRow = Selectable<EngineUsageTable>
export type SiteRow = Selectable<SiteTable>
export type ClientRow = Selectable<ClientTable>
export type PersonRow = Selectable<PersonTable>
export type SessionRow = Selectable<SessionTable>
export type PasskeyRow = Selectable<PasskeyTable>
export type PersonLinkRow = Selectable<PersonLinkTable>
export type TaskRow = Selectable<TaskTable>
export type CallRow = Selectable<CallTable>
export type AuditRow = Selectable<AuditTable>
export type ChainRow = Selectable<ChainTable>
export type NodeRow = Selectable<NodeTable>
