import type { Generated, Selectable } from 'kysely'
import type { Time } from './columns.ts'

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
  /** The path of a call that reads, and a digest of its answer. */
  look: string | null
  /** JSON, and a note: it holds texts. */
  call: string
  bytes: number
}

export type UpstreamTables = {
  upstream_links: UpstreamLinkTable
  upstream_calls: UpstreamCallTable
  recorded_calls: RecordedCallTable
}

export type UpstreamLinkRow = Selectable<UpstreamLinkTable>
export type RecordedCallRow = Selectable<RecordedCallTable>
