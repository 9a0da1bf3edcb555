/**
 * How the last 24 hours went for some listeners of the site: deliveries by hour, how long attempts
 * took, the last error.
 */
import { formatTime, type ListenerStatistics, limits } from '@dragoman/contract'
import type { Hub } from '../../hub.ts'
import type { ListenerRow } from '../../store/tables.ts'
import type { Call } from '../access/caller.ts'
import { openSecrets } from './sign.ts'
import { type CauseRow, selectCauses } from './site-delivery-rows.ts'
import * as rows from './statistics-rows.ts'

const hourMs = 3_600_000
const hours = 24

export async function listListenerStatistics(
  hub: Hub,
  call: Call,
  asked: { readonly listenerId: readonly string[] },
): Promise<{ items: ListenerStatistics[] }> {
  const { siteId } = call.caller
  const db = hub.db.read
  const now = hub.clock.now()
  const listeners = await rows.selectSomeOfSite(db, siteId, [...new Set(asked.listenerId)])
  if (listeners.length === 0) return { items: [] }
  const listenerIds = listeners.map(({ listener_id }) => listener_id)
  // Whole hours that end with the present one.
  const since = Math.floor(now / hourMs) * hourMs - (hours - 1) * hourMs
  const sample = { listenerIds, since, limit: limits.listenerDeliveriesCounted }
  const [counts, durations, retried, failures, causes] = await Promise.all([
    rows.countByHour(db, siteId, sample, hourMs),
    rows.countDurations(db, siteId, sample),
    rows.countRetried(db, siteId, sample),
    rows.selectLastFailures(db, siteId, sample),
    selectCauses(db, siteId, limits.deliveryCauses),
  ])
  const of = <R extends { readonly listener_id: string }>(
    all: readonly R[],
    { listener_id }: ListenerRow,
  ): R[] => all.filter((row) => row.listener_id === listener_id)
  const items = listeners.map((row): ListenerStatistics => {
    const byHour = of(counts, row)
    const failing = of(causes, row)
    const p95 = percentile(of(durations, row), 95)
    const last = lastOf(of(failures, row)[0], failing)
    return {
      listenerId: row.listener_id,
      delivered: inHours(byHour.filter(({ state }) => state === 'DELIVERED')),
      failed: inHours(
        byHour.filter(
          ({ state, tried }) => state === 'PARKED' || (state === 'PENDING' && tried === 1),
        ),
      ),
      retried: of(retried, row)[0]?.count ?? 0,
      newest: byHour.reduce((sum, { count }) => sum + count, 0) >= sample.limit,
      ...(p95 !== undefined && { p95Ms: p95 }),
      failing: failing.reduce((sum, { count }) => sum + count, 0),
      ...(row.failing_since !== null && { failingSince: formatTime(row.failing_since) }),
      ...(last && { lastError: last }),
      oldSecrets: openSecrets(hub.vault, row).flatMap(({ until }) =>
        until !== undefined && until > now ? [formatTime(until)] : [],
      ),
    }
  })
  return { items }
}

function inHours(counted: readonly rows.HourRow[]): number[] {
  const all = new Array<number>(hours).fill(0)
  for (const { hour, count } of counted) {
    // A clock that was set back may leave deliveries in the future.
    const at = Math.min(hours - 1, Math.max(0, hour))
    all[at] = (all[at] ?? 0) + count
  }
  return all
}

/** The percentile of sorted values, each with how often it occurs. */
function percentile(counted: readonly rows.DurationRow[], percent: number): number | undefined {
  const total = counted.reduce((sum, { count }) => sum + count, 0)
  let before = 0
  return counted.find(({ count }) => {
    before += count
    return before * 100 >= total * percent
  })?.ms
}

/** What fails now may be older than the day that was looked at. */
function lastOf(
  failure: rows.FailureRow | undefined,
  causes: readonly CauseRow[],
): ListenerStatistics['lastError'] {
  const all = [
    ...(failure
      ? [{ at: failure.attempted_at, code: failure.response_code, error: failure.error }]
      : []),
    ...causes.map(({ last_at, last_code, last_error }) => ({
      at: last_at ?? 0,
      code: last_code,
      error: last_error,
    })),
  ].filter(({ at }) => at > 0)
  const [last] = all.sort((one, other) => other.at - one.at)
  if (!last) return undefined
  return {
    time: formatTime(last.at),
    ...(last.code !== null && { responseCode: last.code }),
    ...(last.error !== null && { error: last.error }),
  }
}
