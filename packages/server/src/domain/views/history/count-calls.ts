/**
 * How many calls of the log match a filter, and how many of them failed, by code. An entry may
 * stand for several calls.
 */
import { type CallCounts, type CallCountsQuery, limits } from '@dragoman/contract'
import type { Hub } from '../../../hub.ts'
import { type Call, sightOf } from '../../access/caller.ts'
import { type CountedCalls, countNewest } from './call-list-rows.ts'
import { filterOf } from './list-calls.ts'

export async function countCalls(
  hub: Hub,
  call: Call,
  asked: CallCountsQuery,
): Promise<CallCounts> {
  const siteId = sightOf(call, asked.siteId)
  const filter = filterOf(asked)
  const limit = limits.callsCounted
  const all = await countNewest(hub.db.read, siteId, filter, limit)
  // By the index on the status, so that failures older than the calls counted above are in it.
  const failures = { ...filter, statusClass: filter.statusClass ?? 'failed' } as const
  const failed = await countNewest(hub.db.read, siteId, failures, limit)
  const codes = new Map<string, CallCounts['codes'][number]>()
  for (const { status, error_code: code, calls } of failed.counted) {
    const name = code ?? String(status)
    const before = codes.get(name)?.calls ?? 0
    codes.set(name, {
      ...(code === null ? { statusCode: status } : { code }),
      calls: before + calls,
    })
  }
  return {
    calls: Math.max(callsIn(all.counted), callsIn(failed.counted)),
    failed: callsIn(failed.counted),
    codes: [...codes.values()].sort((one, other) => other.calls - one.calls),
    atLeast: [
      ...(all.isMore ? (['calls'] as const) : []),
      ...(failed.isMore ? (['failed'] as const) : []),
    ],
  }
}

const callsIn = (counted: readonly CountedCalls[]): number =>
  counted.reduce((sum, { calls }) => sum + calls, 0)
