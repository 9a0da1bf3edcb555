/**
 * How long attempts to deliver took, by listener, or how long the hub took to answer, by call.
 * Attempts count in the period in which their delivery was created. Calls of the console are left
 * out: they are the hub's own.
 */
import type { ReportGroup, ReportRow } from '@dragoman/contract'
import type { PageBounds } from '../../../store/filtered-page.ts'
import { boundGroups, namesOf } from './groups.ts'
import * as rows from './latency-rows.ts'
import type { Period } from './report-period.ts'
import { parts, type Walk } from './walk.ts'

const deliveriesPerPart = 500
const states = ['DELIVERED', 'PENDING', 'PARKED'] as const

/** How often each number of milliseconds occurs, by group: far fewer numbers than calls. */
type Counts = Map<string, Map<number, number>>
type Took = { readonly group: string; readonly ms: number; readonly times: number }

export async function latency(
  walk: Walk,
  period: Period,
  by: ReportGroup,
): Promise<{ rows: ReportRow[]; totals: ReportRow[] }> {
  const all: Counts = new Map()
  const found = by === 'route' ? callsIn(walk, period) : attemptsIn(walk, period)
  for await (const some of found)
    for (const { group, ms, times } of some) add(all, group, ms, times)
  const keep = boundGroups(new Map([...all].map(([group, counts]) => [group, sumOf(counts)])))
  const kept: Counts = new Map()
  const whole: Counts = new Map()
  for (const [group, counts] of all)
    for (const [ms, times] of counts) {
      add(kept, keep(group), ms, times)
      add(whole, '', ms, times)
    }
  const named = await namesOf(walk, by, kept.keys())
  const measuredRows = [...kept].map(([group, counts]) => ({
    ...named(group),
    ...measured(counts),
  }))
  return { rows: measuredRows.sort(bySlowest), totals: [...whole.values()].map(measured) }
}

async function* attemptsIn(walk: Walk, period: Period): AsyncGenerator<Took[]> {
  const { hub, siteId } = walk
  for (const state of states) {
    const select = (part: PageBounds) =>
      rows.selectCreated(hub.db.read, siteId, { ...period, state }, part)
    for await (const some of parts(walk, deliveriesPerPart, select, (row) => [
      row.created_at,
      row.position,
    ])) {
      const listeners = new Map(some.map(({ position, listener_id }) => [position, listener_id]))
      const attempts = await rows.selectDurations(hub.db.read, [...listeners.keys()])
      yield attempts.map(({ position, duration_ms: ms }) => ({
        group: listeners.get(position) ?? '',
        ms,
        times: 1,
      }))
    }
  }
}

/** From sums that are kept as calls are recorded: a full log has a million rows. */
async function* callsIn({ hub, siteId }: Walk, period: Period): AsyncGenerator<Took[]> {
  const found = await rows.selectTimes(hub.db.read, siteId, period)
  yield found.map(({ route: group, ms, times }) => ({ group, ms, times: Number(times) }))
}

function add(counts: Counts, group: string, ms: number, times: number): void {
  const of = counts.get(group) ?? new Map<number, number>()
  counts.set(group, of)
  of.set(ms, (of.get(ms) ?? 0) + times)
}

const sumOf = (counts: ReadonlyMap<number, number>): number =>
  [...counts.values()].reduce((sum, one) => sum + one, 0)

/** Values that occur: the smallest that the share of all does not exceed. */
function measured(counts: ReadonlyMap<number, number>): ReportRow {
  const count = sumOf(counts)
  const inOrder = [...counts].sort(([one], [other]) => one - other)
  const at = (share: number): number => {
    let before = 0
    return (
      inOrder.find(([, times]) => {
        before += times
        return before >= share * count
      })?.[0] ?? 0
    )
  }
  return { count, medianMs: at(0.5), p95Ms: at(0.95), p99Ms: at(0.99) }
}

const bySlowest = (one: ReportRow, other: ReportRow): number =>
  (other.p95Ms ?? 0) - (one.p95Ms ?? 0) ||
  ((one.groupName ?? '') < (other.groupName ?? '') ? -1 : 1)
