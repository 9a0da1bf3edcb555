/**
 * Of the requests that were due in each unit, how many had been delivered by then. It goes by the
 * due date, not by the delivery: a request that was never delivered counts as well. The first
 * delivery decides. A request that was cancelled before it was delivered is not due.
 */
import type { ReportGroup, ReportRow } from '@dragoman/contract'
import { add, boundGroups, groupOf, namesOf } from './groups.ts'
import { type Period, unitAt, unitsOf } from './report-period.ts'
import { dueJobs, histories, type Step, type Walk } from './walk.ts'

const nothing = { due: 0, onTime: 0, late: 0, missing: 0 }
type Sum = typeof nothing

export async function onTime(walk: Walk, period: Period, by: ReportGroup | undefined) {
  const days = unitsOf(period)
  /** Each group has one sum for each unit. */
  const groups = new Map<string, Sum[]>()
  const past = { from: period.from, to: Math.min(period.to, period.now + 1) }
  for await (const jobs of dueJobs(walk, past))
    for await (const [job, steps] of histories(walk, jobs)) {
      const group = by ? groupOf(by, job) : ''
      const units = groups.get(group) ?? days.map(() => ({ ...nothing }))
      groups.set(group, units)
      const unit = units[unitAt(period, job.due_at ?? 0)]
      if (unit) add(unit, judged(steps, job.due_at ?? 0))
    }
  const keep = boundGroups(new Map([...groups].map(([group, units]) => [group, total(units).due])))
  const kept = new Map<string, Sum[]>()
  for (const [group, units] of groups) {
    const of = kept.get(keep(group)) ?? days.map(() => ({ ...nothing }))
    kept.set(keep(group), of)
    of.forEach((sum, at) => void add(sum, units[at] ?? nothing))
  }
  const named = by ? await namesOf(walk, by, kept.keys()) : () => ({})
  const inOrder = [...kept].sort(([one], [other]) => (one < other ? -1 : 1))
  const rows = days.flatMap((day, at): ReportRow[] =>
    inOrder.flatMap(([group, units]) =>
      units[at]?.due ? [{ day, ...named(group), ...units[at] }] : [],
    ),
  )
  return { rows, totals: inOrder.map(([group, units]) => ({ ...named(group), ...total(units) })) }
}

function judged(steps: readonly Step[], dueAt: number): Sum {
  const first = new Map<string, number>()
  const open = new Set<string>()
  for (const { on, at, requestIds } of steps)
    for (const id of requestIds) {
      if (on === 'submit') open.add(id)
      else if (on === 'deliver' && !first.has(id)) first.set(id, at)
      else if (on === 'cancel' && !first.has(id)) open.delete(id)
    }
  const times = [...open].map((id) => first.get(id))
  const onTime = times.filter((at) => at !== undefined && at <= dueAt).length
  const missing = times.filter((at) => at === undefined).length
  return { due: times.length, onTime, late: times.length - onTime - missing, missing }
}

const total = (units: readonly Sum[]): Sum => units.reduce(add, { ...nothing })
