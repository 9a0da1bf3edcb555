/**
 * Which calls get a row of their own in the call log and a line in the log. Whoever has no token must not be able to fill a
 * disk: calls that fail without a known caller, and those that are throttled, share a row by address, route, status, code
 * and minute. Of all others an address gets so many rows a minute, and so does the node; what is over is counted in one row.
 */
import { limits } from '@dragoman/contract'
import { addressOf } from '../../domain/access/login-throttle.ts'
import type { RecordedCall } from '../../domain/upkeep/record-calls.ts'
import type { Hub } from '../../hub.ts'

/** Rows a minute. */
export type Most = { readonly address: number; readonly all: number }
type Counted = { -readonly [K in keyof RecordedCall]: RecordedCall[K] } & { count: number }

/** `own`: a row and a line. `first`: a line now, the row when its minute is over. `counted`: neither. `over`: nor a row of its own kind. */
export type Fate = 'own' | 'first' | 'counted' | 'over'

export type CallTally = {
  take(call: RecordedCall): Fate
  /** The rows of minutes that are over, or of all. */
  release(all?: boolean): RecordedCall[]
  readonly isEmpty: boolean
}

const longestAddress = 64
/** What stands for "several" in the row of calls that were over. */
const any = '*'

export const mostFor = (hub: Hub): Most => {
  const { rateLimit } = hub.config
  const all = limits.callLogMinuteRows
  return { all, address: rateLimit === 'off' ? all : Math.max(limits.callLogAddressRows, rateLimit * 60) }
}

export function openTally(hub: Hub, most: Most = mostFor(hub)): CallTally {
  let minute = 0
  let rows = 0
  let byAddress = new Map<string, number>()
  let groups = new Map<string, Counted>()
  let due: RecordedCall[] = []

  const turn = (): void => {
    const now = Math.floor(hub.clock.now() / 60_000)
    if (now === minute) return
    due.push(...groups.values())
    minute = now
    rows = 0
    byAddress = new Map()
    groups = new Map()
  }

  /** Whether the address still gets a row; takes it. */
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
      const { ids: _ids, callBody: _callBody, answerBody: _answerBody, ...kept } = call
      groups.set(key, { ...kept, address, count: 1 })
      return 'first'
    },
    release: (all = false) => {
      turn()
      if (all) {
        due.push(...groups.values())
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

/** Whether a row stands for what was over. */
export const isOver = ({ method }: RecordedCall): boolean => method === any

const isShared = ({ status, clientId }: RecordedCall): boolean =>
  status === 429 || (status >= 400 && clientId === undefined)

const keyOf = (address: string, { method, route, status, errorCode, clientId }: RecordedCall): string =>
  JSON.stringify([address, method, route, status, errorCode, clientId])
