/** One call of a tool: what the tools know about it. */
import type { Call } from '../../domain/access/caller.ts'
import type { Hub } from '../../hub.ts'
import type { runCall } from '../rest/run-call.ts'

export type Given = Readonly<Record<string, unknown>>
export type Turn = {
  readonly hub: Hub
  readonly call: Call
  /** Given, not imported: what is loaded later would divide the bundle of the hub. */
  readonly runCall: typeof runCall
  /** The caller asked for tools that change something. */
  readonly write: boolean
  /** Aborted when the assistant has gone. */
  readonly signal: AbortSignal
  /** Names the job that the call turned out to be about. */
  readonly about: (jobId: string) => void
}
