/**
 * The call log: one row per API call, or per group of calls counted together, kept for 7 days, up
 * to about a million rows or the bytes the operator allows. The door writes in batches, so that no
 * call waits for it, and has already removed secrets. The rows form a chain, which `dragoman check`
 * verifies.
 */
import { limits } from '@dragoman/contract'
import type { Hub } from '../../../hub.ts'
import type { Head } from '../../../store/chain-links.ts'
import { cutChain, extendChain, lockChain } from '../../../store/chains.ts'
import type { CallRow, Tables } from '../../../store/tables.ts'
import { noteUses } from '../../access/last-used.ts'
import * as rows from './call-rows.ts'

export type RecordedCall = {
  readonly traceId: string
  readonly calledAt: number
  readonly method: string
  /** The route pattern, never the path with its ids and query. */
  readonly route: string
  /** These are the parameters of the path. */
  readonly ids?: Readonly<Record<string, string>> | undefined
  readonly jobId?: string | undefined
  readonly siteId?: string | undefined
  readonly clientId?: string | undefined
  readonly address: string
  readonly status: number
  readonly errorCode?: string | undefined
  readonly durationUs: number
  readonly bytesIn: number
  readonly bytesOut: number
  readonly callBody?: string | undefined
  readonly answerBody?: string | undefined
  /**
   * The number of calls that share the row. The trace is of the first one; duration and bytes are
   * totals.
   */
  readonly count?: number
}

type CallTimes = Tables['call_times']

/** Rows per `recordCalls`; more would block SQLite's single writer for too long. */
export const maxBatchCalls = 500
const pruneBatchSize = 2_000
/** The size of a row and its index entries, without ids and bodies, as measured on both databases. */
const rowBytes = 500

type Max = { readonly rows: number; readonly bytes: number }
const maxOf = (hub: Hub): Max => ({ rows: limits.callLogRows, bytes: hub.config.callLogBytes })
const isOver = (head: Head, max: Max): boolean =>
  head.last - head.anchor > max.rows || head.bytes > max.bytes

/** Writes all calls or none. If the log is full, the oldest rows are removed. */
export async function recordCalls(hub: Hub, calls: readonly RecordedCall[]): Promise<void> {
  if (calls.length === 0) return
  const given = calls.map(rowOf)
  const head = await hub.db.transact(async (tx) => {
    const head = await extendChain(hub, tx, 'calls', given)
    await rows.insertCalls(tx, given)
    await rows.addTimes(tx, timesOf(given))
    return head
  })
  await noteUses(hub, calls).catch((error: unknown) =>
    hub.log.warn({ err: error }, 'when clients last called could not be written'),
  )
  const max = maxOf(hub)
  // A slice at a time: removing a few rows with each batch would write as many pages of the indexes
  // as removing a slice does.
  if (isOver(head, { ...max, rows: max.rows + pruneBatchSize }))
    await pruneCalls(hub).catch((error: unknown) =>
      hub.log.warn({ err: error }, 'the call log could not be pruned'),
    )
}

/** Removes old and surplus rows, and returns how many. */
export async function pruneCalls(hub: Hub, keep: number = limits.callLogRows): Promise<number> {
  const max = { ...maxOf(hub), rows: keep }
  const before = hub.clock.now() - limits.callLogMs
  let gone = 0
  for (;;) {
    const went = await hub.db.transact(async (tx) => {
      const head = await lockChain(tx, 'calls')
      let { bytes } = head
      let cut: rows.OldCall | undefined
      for (const row of await rows.selectOldest(tx, pruneBatchSize)) {
        if (row.called_at >= before && !isOver({ ...head, anchor: row.call_id - 1, bytes }, max))
          break
        bytes -= row.bytes
        cut = row
      }
      if (!cut) return 0
      await rows.deleteUpTo(tx, cut.call_id)
      await cutChain(hub, tx, head, {
        number: cut.call_id,
        hash: cut.hash,
        bytes: head.bytes - bytes,
      })
      return cut.call_id - head.anchor
    })
    gone += went
    // Many short transactions, so that others can write in between.
    if (went >= pruneBatchSize) continue
    await hub.db.transact((tx) => rows.forgetTimes(tx, dayOf(before)))
    return gone
  }
}

const dayOf = (time: number): number => Math.floor(time / 86_400_000)

/**
 * Calls of the console are left out: they are the hub's own. A row that stands for several calls
 * has the sum of their times.
 */
function timesOf(given: readonly CallRow[]): CallTimes[] {
  const all = new Map<string, CallTimes>()
  for (const { site_id, called_at, method, route: path, duration_us, count } of given) {
    if (!site_id || path.startsWith('/console/')) continue
    const [day, route, ms] = [
      dayOf(called_at),
      `${method} ${path}`,
      Math.round(duration_us / count / 1_000),
    ]
    const key = JSON.stringify([site_id, day, route, ms])
    const times = (all.get(key)?.times ?? 0) + count
    all.set(key, { site_id, day, route, ms, times })
  }
  return [...all.values()]
}

/** The chain sets number and hash. */
function rowOf(call: RecordedCall): CallRow {
  const ids = call.ids && Object.keys(call.ids).length > 0 ? JSON.stringify(call.ids) : null
  const [callBody, answerBody] = [plain(call.callBody), plain(call.answerBody)]
  return {
    call_id: 0,
    trace_id: call.traceId,
    called_at: whole(call.calledAt),
    method: call.method,
    route: call.route,
    ids,
    job_id: plain(call.jobId),
    site_id: plain(call.siteId),
    client_id: plain(call.clientId),
    address: plain(call.address),
    status: call.status,
    error_code: call.errorCode ?? null,
    duration_us: whole(call.durationUs),
    bytes_in: whole(call.bytesIn),
    bytes_out: whole(call.bytesOut),
    call_body: callBody,
    answer_body: answerBody,
    count: call.count ?? 1,
    bytes: rowBytes + sizeOf(ids) + sizeOf(callBody) + sizeOf(answerBody),
    hash: '',
    erased: null,
  }
}

const sizeOf = (text: string | null): number => (text === null ? 0 : Buffer.byteLength(text))

/**
 * As both databases return it: text that they would refuse or change would break the batch or the
 * chain.
 */
function plain(text: string): string
function plain(text: string | undefined): string | null
function plain(text: string | undefined): string | null {
  if (text === undefined) return null
  const isPlain = text.isWellFormed() && !text.includes('\0')
  return isPlain ? text : text.toWellFormed().replaceAll('\0', '\uFFFD')
}

const whole = (value: number): number =>
  Math.round(Math.min(Math.max(value, 0), Number.MAX_SAFE_INTEGER)) || 0
