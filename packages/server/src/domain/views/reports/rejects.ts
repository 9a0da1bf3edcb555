/**
 * How many requests were rejected in the period, against the words of those that were delivered for
 * the first time in it. The words are those of the kept quote, or those that the connector sent.
 */
import type { ReportGroup, ReportRow } from '@dragoman/contract'
import { add, boundGroups, groupOf, namesOf } from './groups.ts'
import type { Period } from './report-period.ts'
import {
  histories,
  jobsAtWork,
  quotesOf,
  type ReportJob,
  requestsOf,
  type Step,
  type Walk,
} from './walk.ts'

const nothing = { delivered: 0, rejected: 0, words: 0, withoutWords: 0 }
type Sum = typeof nothing

export async function rejects(walk: Walk, period: Period, by: ReportGroup) {
  const groups = new Map<string, Sum>()
  const sumOf = (group: string): Sum => {
    const sum = groups.get(group) ?? { ...nothing }
    groups.set(group, sum)
    return sum
  }
  for await (const jobs of jobsAtWork(walk, period)) {
    const requests = await requestsOf(walk, jobs)
    const quoted = await quotedWords(walk, jobs)
    for await (const [job, steps] of histories(walk, jobs))
      for (const { on, requestId } of eventsIn(steps, period)) {
        const request = requests.get(requestId)
        const sum = sumOf(groupOf(by, job, request))
        if (on === 'reject') {
          sum.rejected += 1
          continue
        }
        const words = quoted.get(requestId) ?? request?.words
        sum.delivered += 1
        sum.words += words ?? 0
        if (words === undefined) sum.withoutWords += 1
      }
  }
  const keep = boundGroups(new Map([...groups].map(([group, { delivered }]) => [group, delivered])))
  const kept = new Map<string, Sum>()
  for (const [group, sum] of groups)
    kept.set(keep(group), add(kept.get(keep(group)) ?? { ...nothing }, sum))
  const named = await namesOf(walk, by, kept.keys())
  const rows: ReportRow[] = [...kept].map(([group, sum]) => ({ ...named(group), ...sum }))
  return { rows: rows.sort(byRejected), totals: [[...kept.values()].reduce(add, { ...nothing })] }
}

const byRejected = (one: ReportRow, other: ReportRow): number =>
  (other.rejected ?? 0) - (one.rejected ?? 0) ||
  ((one.groupName ?? '') < (other.groupName ?? '') ? -1 : 1)

/** Rejections and first deliveries in the period. */
function* eventsIn(
  steps: readonly Step[],
  { from, to }: Period,
): Generator<{ on: string; requestId: string }> {
  const delivered = new Set<string>()
  for (const { on, at, requestIds } of steps) {
    if (on !== 'deliver' && on !== 'reject') continue
    for (const requestId of requestIds) {
      const isAgain = on === 'deliver' && delivered.has(requestId)
      if (on === 'deliver') delivered.add(requestId)
      if (!isAgain && at >= from && at < to) yield { on, requestId }
    }
  }
}

async function quotedWords(walk: Walk, jobs: readonly ReportJob[]): Promise<Map<string, number>> {
  const words = new Map<string, number>()
  for await (const [, quote] of quotesOf(walk, jobs))
    for (const { requestId, bands } of quote?.lines ?? [])
      words.set(
        requestId,
        bands.reduce((sum, band) => sum + band.words, 0),
      )
  return words
}
