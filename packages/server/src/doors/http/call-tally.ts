/**
 * Decides which calls get their own row in the call log and their own log line. Callers without a
 * token must not be able to fill the disk, so calls that fail without a known caller, and throttled
 * calls, share one row per address, route, status, code and minute. All other calls have a budget
 * of rows per minute, per address and per node; calls over the budget are counted in one row.
 */
import { limits } from '@dragoman/contract'
import { addressOf } from '../../domain/access/login-throttle.ts'
import type { RecordedCall } from '../../domain/views/history/record-calls.ts'
import type { Hub } from '../../hub.ts'

/** Rows a minute. */
export type RowBudget = { readonly address: number; readonly all: number }
type Counted = { -readonly [K in keyof RecordedCall]: RecordedCall[K] } & { count: number }

/**
 * `own`: a row and a log line. `first`: a log line now, the shared row when its minute ends.
 * `counted`: neither. `over`: counted in the row for calls over the budget.
 */
export type Fate = 'own' | 'first' | 'counted' | 'over'

export type CallTally = {
  take(call: RecordedCall): Fate
  /** Returns the rows whose minute has ended, or all of them. */
  release(all?: boolean): RecordedCall[]
  readonly isEmpty: boolean
}

const longestAddress = 64
/** Means "several" in the row for calls over the budget. */
const any = '*'

export const maxFor = (hub: Hub): RowBudget => {
  const { rateLimit } = hub.config
  const all = limits.callLogMinuteRows
  return {
    all,
    address: rateLimit === 'off' ? all : Math.max(limits.callLogAddressRows, rateLimit * 60),
  }
}

export function openTally(hub: Hub, most: RowBudget = maxFor(hub)): CallTally {
  let minute = 0
  let rows = 0
  let byAddress = new Map<string, number>()
  let groups = new Map<string, Counted>()
  let due: RecordedCall[] = []

  const turn = (): void => {
    const now = Math.floor(hub.clock.now() / 60_000)
    if (now === minute) return
    for (const one of groups.values()) due.push(one)
    minute = now
    rows = 0
    byAddress = new Map()
    groups = new Map()
  }

  /** Takes one row from the budget, if any is left. */
  const takeRow = (address: string): 'row' | 'over here' | 'over in all' => {
    if (rows >= most.all) return 'over in all'
    const many = byAddress.get(address) ?? 0
    if (many >= most.address) return 'over here'
    byAddress.set(address, many + 1)
    rows += 1
    return 'row'
  }

  const join = (key: string, call: RecordedCall): boolean => {
    const group = groups.get(key)
    if (!group) return false
    group.count += 1
    group.durationUs += call.durationUs
    group.bytesIn += call.bytesIn
    group.bytesOut += call.bytesOut
    return true
  }

  const countOver = (address: string, call: RecordedCall): Fate => {
    const key = `${any} ${address}`
    if (join(key, call)) return 'over'
    const { traceId, calledAt, durationUs, bytesIn, bytesOut } = call
    const numbers = { calledAt, durationUs, bytesIn, bytesOut, status: 0, count: 1 }
    groups.set(key, { traceId, method: any, route: any, address, ...numbers })
    return 'over'
  }

  return {
    take: (call) => {
      turn()
      const address = addressOf(call.address).slice(0, longestAddress)
      const key = isShared(call) ? keyOf(address, call) : undefined
      if (key !== undefined && join(key, call)) return 'counted'
      const room = takeRow(address)
      if (room !== 'row') return countOver(room === 'over here' ? address : any, call)
      if (key === undefined) return 'own'
      const {
        ids: _ids,
        jobId: _jobId,
        callBody: _callBody,
        answerBody: _answerBody,
        ...kept
      } = call
      groups.set(key, { ...kept, address, count: 1 })
      return 'first'
    },
    release: (all = false) => {
      turn()
      if (all) {
        for (const one of groups.values()) due.push(one)
        groups = new Map()
      }
      const released = due
      due = []
      return released
    },
    get isEmpty() {
      return groups.size === 0 && due.length === 0
    },
  }
}

/** Whether the row counts calls over the budget. */
export const isOver = ({ method }: RecordedCall): boolean => method === any

const isShared = ({ status, clientId }: RecordedCall): boolean =>
  status === 429 || (status >= 400 && clientId === undefined)

const keyOf = (
  address: string,
  { method, route, status, errorCode, clientId }: RecordedCall,
): string => JSON.stringify([address, method, route, status, errorCode, clientId])
