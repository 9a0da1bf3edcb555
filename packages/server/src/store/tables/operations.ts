import type { Generated, Selectable } from 'kysely'
import type { Flag, Json, Time } from './columns.ts'

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
  /** Processes that ran out of memory while they had it, since it last ended otherwise. */
  ended_processes: Generated<number>
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

export type OperationsTables = {
  tasks: TaskTable
  chains: ChainTable
  nodes: NodeTable
  hub_state: HubStateTable
  buckets: BucketTable
}

export type TaskRow = Selectable<TaskTable>
export type ChainRow = Selectable<ChainTable>
export type NodeRow = Selectable<NodeTable>
