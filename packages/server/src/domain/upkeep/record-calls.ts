/**
 * The call log: a row for each API call, kept 7 days or a million rows. Written in batches by the door, so that no call
 * waits for it; what is stored here has been freed of secrets before.
 */
import { limits } from '@dragoman/contract'
import type { Hub } from '../../hub.ts'
import * as rows from './call-rows.ts'

export type RecordedCall = {
  readonly traceId: string
  readonly calledAt: number
  readonly method: string
  /** The pattern, never the path with its ids and query. */
  readonly route: string
  /** Path parameters. */
  readonly ids?: Readonly<Record<string, string>>
  readonly siteId?: string
  readonly clientId?: string
  readonly address: string
  readonly status: number
  readonly errorCode?: string
  readonly durationUs: number
  readonly bytesIn: number
  readonly bytesOut: number
  readonly callBody?: string
  readonly answerBody?: string
}

/** Rows of one `recordCalls`: more would hold the one writer of SQLite too long. */
export const mostCallsAtOnce = 500
const prunedTogether = 2_000

/** All of them or none. */
export async function recordCalls(hub: Hub, calls: readonly RecordedCall[]): Promise<void> {
  if (calls.length > 0) await hub.engine.transact((tx) => rows.insertCalls(tx, calls.map(rowOf)))
}

/** Removes what is too old and what is too much; gives back how many rows went. */
export async function pruneCalls(hub: Hub, keep: number = limits.callLogRows): Promise<number> {
  const before = hub.clock.now() - limits.callLogMs
  let gone = await untilFew((many) => hub.engine.transact((tx) => rows.deleteCallsBefore(tx, before, many)))
  const beyond = await rows.firstCallBeyond(hub.engine.read, keep)
  if (beyond !== undefined)
    gone += await untilFew((many) => hub.engine.transact((tx) => rows.deleteCallsUpTo(tx, beyond, many)))
  return gone
}

/** Many short transactions, so that others get their turn in between. */
async function untilFew(remove: (many: number) => Promise<number>): Promise<number> {
  let gone = 0
  for (;;) {
    const went = await remove(prunedTogether)
    gone += went
    if (went < prunedTogether) return gone
  }
}

const rowOf = (call: RecordedCall): rows.NewCallRow => ({
  trace_id: call.traceId,
  called_at: call.calledAt,
  method: call.method,
  route: call.route,
  ids: call.ids && Object.keys(call.ids).length > 0 ? JSON.stringify(call.ids) : null,
  site_id: call.siteId ?? null,
  client_id: call.clientId ?? null,
  address: call.address,
  status: call.status,
  error_code: call.errorCode ?? null,
  duration_us: Math.round(call.durationUs),
  bytes_in: call.bytesIn,
  bytes_out: call.bytesOut,
  call_body: call.callBody ?? null,
  answer_body: call.answerBody ?? null,
})
