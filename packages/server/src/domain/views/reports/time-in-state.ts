/**
 * How long requests stayed at their provider, in translation and in review, for those that left the
 * state in the period.
 */
import type { ReportGroup, ReportRow } from '@dragoman/contract'
import { boundGroups, groupOf, isByLanguage, namesOf } from './groups.ts'
import type { Period } from './report-period.ts'
import {
  histories,
  jobsAtWork,
  type ReportRequest,
  requestsOf,
  type Step,
  type Walk,
} from './walk.ts'

const states = ['SENT_TO_PROVIDER', 'IN_TRANSLATION', 'REVIEW_TRANSLATION'] as const
type State = (typeof states)[number]
const isState = (status: string): status is State => (states as readonly string[]).includes(status)

type Stay = { readonly state: State; readonly ms: number; readonly requestId: string }
/** The lengths of stays by group and state. */
type Stays = Map<string, Record<State, number[]>>

const noStays = (): Record<State, number[]> => ({
  SENT_TO_PROVIDER: [],
  IN_TRANSLATION: [],
  REVIEW_TRANSLATION: [],
})

export async function timeInState(
  walk: Walk,
  period: Period,
  by: ReportGroup,
): Promise<{ rows: ReportRow[]; totals: ReportRow[] }> {
  const all: Stays = new Map()
  for await (const jobs of jobsAtWork(walk, period)) {
    const requests: ReadonlyMap<string, ReportRequest> = isByLanguage(by)
      ? await requestsOf(walk, jobs)
      : new Map()
    for await (const [job, steps] of histories(walk, jobs))
      for (const { state, ms, requestId } of staysIn(steps, period)) {
        const group = groupOf(by, job, requests.get(requestId))
        const of = all.get(group) ?? noStays()
        of[state].push(ms)
        all.set(group, of)
      }
  }
  const sizes = new Map(
    [...all].map(([group, of]) => [group, states.reduce((sum, one) => sum + of[one].length, 0)]),
  )
  const kept: Stays = new Map()
  const keep = boundGroups(sizes)
  for (const [group, of] of all) addTo(kept, keep(group), of)
  const named = await namesOf(walk, by, kept.keys())
  const whole: Stays = new Map()
  for (const of of kept.values()) addTo(whole, '', of)
  const rows: ReportRow[] = []
  for (const [group, of] of kept) {
    rows.push(...measured(of).map((row) => ({ ...named(group), ...row })))
    await walk.pause()
  }
  return { rows: rows.sort(byName), totals: measured(whole.get('') ?? noStays()) }
}

const byName = (one: ReportRow, other: ReportRow): number =>
  compare(one.groupName, other.groupName) || compare(one.group, other.group)
const compare = (one = '', other = ''): number => (one < other ? -1 : one > other ? 1 : 0)

function addTo(stays: Stays, group: string, more: Record<State, number[]>): void {
  const of = stays.get(group) ?? noStays()
  stays.set(group, of)
  // Not by spreading: the list can be longer than a call may have arguments.
  for (const state of states) of[state] = of[state].concat(more[state])
}

/** The stays that ended in the period. An error or a second delivery does not end one. */
function* staysIn(steps: readonly Step[], { from, to }: Period): Generator<Stay> {
  const entered = new Map<string, number>()
  for (const step of steps) {
    if (step.from === step.to) continue
    for (const requestId of step.requestIds) {
      const since = entered.get(`${step.from} ${requestId}`)
      if (since !== undefined && isState(step.from) && step.at >= from && step.at < to)
        yield { state: step.from, ms: step.at - since, requestId }
      if (isState(step.to)) entered.set(`${step.to} ${requestId}`, step.at)
    }
  }
}

function measured(of: Record<State, number[]>): ReportRow[] {
  return states.flatMap((state) => {
    if (of[state].length === 0) return []
    const sorted = Float64Array.from(of[state]).sort()
    const at = (share: number) => sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? 0
    return [{ state, count: sorted.length, medianMs: at(0.5), p75Ms: at(0.75), p95Ms: at(0.95) }]
  })
}
