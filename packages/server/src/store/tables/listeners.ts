import type { Generated, Selectable } from 'kysely'
import type { Flag, Json, Time } from './columns.ts'

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
  /** The request that took the place of its only one. */
  superseded_by: string | null
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
  on_comment: Generated<Flag>
  auth_type: 'SIGNATURE' | 'NONE'
  /** The client's own name of the type, if it differs. */
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
  /** The same as in the row of the delivery. */
  position: number
  /** The same as in the row of the delivery. */
  job_id: string | null
  number: number
  attempted_at: Time
  duration_ms: number
  response_code: number | null
  error: string | null
  call_headers: Json | null
  answer_head: string | null
}

export type ListenersTables = {
  status_updates: StatusUpdateTable
  update_counters: UpdateCounterTable
  listeners: ListenerTable
  deliveries: DeliveryTable
  attempts: AttemptTable
}

export type StatusUpdateRow = Selectable<StatusUpdateTable>
export type ListenerRow = Selectable<ListenerTable>
export type DeliveryRow = Selectable<DeliveryTable>
export type AttemptRow = Selectable<AttemptTable>
