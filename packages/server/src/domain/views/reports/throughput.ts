/**
 * How many requests were submitted, delivered, approved in each unit, and how many waited at its
 * end.
 */
import type { ReportRow } from '@dragoman/contract'
import { add } from './groups.ts'
import { type Period, unitAt, unitsOf } from './report-period.ts'
import { histories, jobsAtWork, type Step, type Walk } from './walk.ts'

/** States in which a request waits for its provider. */
const owed: readonly string[] = [
  'SENDING',
  'SENT_TO_PROVIDER',
  'IN_TRANSLATION',
  'TRANSLATION_REJECTED',
]
const review = 'REVIEW_TRANSLATION'

/** What a move into a state counts as. */
const flows: Readonly<
  Record<string, 'submitted' | 'delivered' | 'approved' | 'rejected' | 'cancelled'>
> = {
  SENDING: 'submitted',
  REVIEW_TRANSLATION: 'delivered',
  TRANSLATION_APPROVED: 'approved',
  TRANSLATION_REJECTED: 'rejected',
  CANCELLED: 'cancelled',
}
const none = { submitted: 0, delivered: 0, approved: 0, rejected: 0, cancelled: 0 }
type Unit = typeof none
/** What waits, or how it has changed. */
type Waiting = { backlog: number; inReview: number }

export async function throughput(
  walk: Walk,
  period: Period,
): Promise<{ rows: ReportRow[]; totals: ReportRow[] }> {
  const days = unitsOf(period)
  const units: Unit[] = days.map(() => ({ ...none }))
  const start: Waiting = { backlog: 0, inReview: 0 }
  const changes: Waiting[] = days.map(() => ({ ...start }))
  for await (const jobs of jobsAtWork(walk, period))
    for await (const [, steps] of histories(walk, jobs)) {
      for (const { from, to, at, requestIds } of steps) {
        const flow = from === to ? undefined : flows[to]
        const unit = units[unitAt(period, at)]
        if (flow && unit) unit[flow] += requestIds.length
      }
      for (const { at, change } of waits(steps)) {
        const of = at < period.from ? start : changes[unitAt(period, at)]
        if (!of) continue
        of.backlog += change.backlog
        of.inReview += change.inReview
      }
    }
  let { backlog, inReview } = start
  const rows = days.map((day, at) => {
    backlog += changes[at]?.backlog ?? 0
    inReview += changes[at]?.inReview ?? 0
    return { day, ...(units[at] ?? none), backlog, inReview }
  })
  const sum = units.reduce(add, { ...none })
  return { rows, totals: [{ ...sum, backlog, inReview }] }
}

/**
 * How the number of waiting requests of a job changes. In a completed or archived job nothing
 * waits.
 */
function* waits(steps: readonly Step[]): Generator<{ at: number; change: Waiting }> {
  const counts = new Map<string, number>()
  let isCompleted = false
  let isArchived = false
  let before: Waiting = { backlog: 0, inReview: 0 }
  for (const { on, from, to, at, requestIds } of steps) {
    if (on === 'complete') isCompleted = true
    else if (on === 'reopen') isCompleted = false
    else if (on === 'archive') isArchived = true
    else if (on === 'unarchived') isArchived = false
    else {
      counts.set(from, (counts.get(from) ?? 0) - requestIds.length)
      counts.set(to, (counts.get(to) ?? 0) + requestIds.length)
    }
    const isClosed = isCompleted || isArchived
    const now = {
      backlog: isClosed ? 0 : owed.reduce((sum, state) => sum + (counts.get(state) ?? 0), 0),
      inReview: isClosed ? 0 : (counts.get(review) ?? 0),
    }
    yield {
      at,
      change: { backlog: now.backlog - before.backlog, inReview: now.inReview - before.inReview },
    }
    before = now
  }
}
