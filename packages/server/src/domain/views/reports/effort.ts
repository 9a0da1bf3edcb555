/**
 * How much people changed in the suggestions of engines, and how long it took them: of what they
 * delivered in the period.
 */
import { findLanguage, type ReportGroup, type ReportRow } from '@dragoman/contract'
import type { PageBounds } from '../../../store/filtered-page.ts'
import { selectEffort } from './effort-rows.ts'
import { add, boundGroups, groupOfPair, namesOf } from './groups.ts'
import type { Period } from './report-period.ts'
import { parts, type Walk } from './walk.ts'

const rowsPerPart = 2_000
const nothing = { segments: 0, unedited: 0, characters: 0, editDistance: 0, timed: 0, spentMs: 0 }
type Sum = typeof nothing

export async function effort(walk: Walk, period: Period, by: ReportGroup) {
  const { hub, siteId } = walk
  const groups = new Map<string, Sum>()
  const select = (part: PageBounds) => selectEffort(hub.db.read, siteId, period, part)
  const keyOf = (row: Awaited<ReturnType<typeof select>>[0]) => [
    ...[Number(row.delivered_at), row.job_id, row.request_id, row.provider_id, row.engine],
  ]
  for await (const some of parts(walk, rowsPerPart, select, keyOf))
    for (const row of some) {
      const pair = [row.source_language, row.target_language].map(
        (one) => findLanguage(one) ?? one.toLowerCase(),
      )
      const group = groupOfPair(by, row.provider_id, pair)
      groups.set(group, add(groups.get(group) ?? { ...nothing }, sumOf(row)))
    }
  const keep = boundGroups(new Map([...groups].map(([group, { segments }]) => [group, segments])))
  const kept = new Map<string, Sum>()
  for (const [group, sum] of groups)
    kept.set(keep(group), add(kept.get(keep(group)) ?? { ...nothing }, sum))
  const named = await namesOf(walk, by, kept.keys())
  const rows: ReportRow[] = [...kept].map(([group, sum]) => ({ ...named(group), ...sum }))
  const totals = kept.size === 0 ? [] : [[...kept.values()].reduce(add, { ...nothing })]
  return { rows: rows.sort(byMost), totals }
}

type EffortRow = Awaited<ReturnType<typeof selectEffort>>[0]
const sumOf = ({ segments, unedited, characters, distance, timed, spent_ms }: EffortRow): Sum => ({
  segments: Number(segments),
  unedited: Number(unedited),
  characters: Number(characters),
  editDistance: Number(distance),
  timed: Number(timed),
  spentMs: Number(spent_ms),
})

const byMost = (one: ReportRow, other: ReportRow): number =>
  (other.segments ?? 0) - (one.segments ?? 0) ||
  ((one.groupName ?? '') < (other.groupName ?? '') ? -1 : 1)
