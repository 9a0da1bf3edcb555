import type { Generated, Selectable } from 'kysely'
import type { Json, Time } from './columns.ts'

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

/** How often a call of this route (with its method) took so many milliseconds on a day. */
type CallTimesTable = {
  site_id: string
  /** Days since 1970, in UTC. */
  day: number
  route: string
  ms: number
  times: number
}

export type ViewsTables = {
  calls: CallTable
  call_times: CallTimesTable
}

export type CallRow = Selectable<CallTable>
