/**
 * The quotes of the jobs submitted in each unit, by provider or analysis code, one row for each
 * currency, and against the period before. Fees and minimums belong to a job as a whole, so a quote
 * is never divided.
 */
import type { ReportGroup, ReportRow } from '@dragoman/contract'
import { type Decimal, decimal, nothing, writeMoney } from '@dragoman/text/counting'
import { boundGroups, groupsOfJobs, namesOf } from './groups.ts'
import { before, type Period, unitAt, unitsOf } from './report-period.ts'
import type { Span } from './report-rows.ts'
import { quotesOf, submittedJobs, type Walk } from './walk.ts'

type Paid = {
  readonly group: string
  readonly currency: string
  readonly amount: Decimal
  readonly isCancelled: boolean
  readonly submittedAt: number
}
type Sum = { jobs: number; amount: Decimal; cancelled: Decimal; before: Decimal }
type Named = (group: string) => { group: string; groupName: string }
const noSum = (): Sum => ({ jobs: 0, amount: nothing, cancelled: nothing, before: nothing })

export async function money(walk: Walk, period: Period, by: ReportGroup) {
  const now = await readQuotes(walk, period, by)
  const past = await readQuotes(walk, before(period), by)
  const sizes = new Map<string, number>()
  for (const { group } of [...now.paid, ...past.paid]) sizes.set(group, (sizes.get(group) ?? 0) + 1)
  const keep = boundGroups(sizes)
  const days = unitsOf(period)
  const sums = new Map<string, Sum>()
  const totals = new Map<string, Sum>()
  for (const { group, currency, amount, isCancelled, submittedAt } of now.paid) {
    const key = `${keep(group)} ${currency}`
    for (const [all, name] of [
      [sums, `${days[unitAt(period, submittedAt)]} ${key}`],
      [totals, key],
    ] as const) {
      const sum = all.get(name) ?? noSum()
      all.set(name, sum)
      sum.jobs += 1
      if (isCancelled) sum.cancelled = sum.cancelled.plus(amount)
      else sum.amount = sum.amount.plus(amount)
    }
  }
  for (const { group, currency, amount, isCancelled } of past.paid) {
    const key = `${keep(group)} ${currency}`
    const sum = totals.get(key) ?? noSum()
    totals.set(key, sum)
    if (!isCancelled) sum.before = sum.before.plus(amount)
  }
  const named = await namesOf(walk, by, [...sizes.keys()].map(keep))
  return {
    rows: [...sums].sort(byKey).map(([key, sum]) => {
      const [day = '', group = '', currency = ''] = key.split(' ')
      return { day, ...describe(named, group, currency, sum) }
    }),
    totals: [...totals].sort(byKey).map(([key, sum]) => {
      const [group = '', currency = ''] = key.split(' ')
      return {
        ...describe(named, group, currency, sum),
        amountBefore: writeMoney(sum.before, currency),
      }
    }),
    jobsWithoutQuote: now.withoutQuote,
    incompleteQuotes: now.incomplete,
  }
}

async function readQuotes(walk: Walk, span: Span, by: ReportGroup) {
  const paid: Paid[] = []
  let withoutQuote = 0
  let incomplete = 0
  for await (const jobs of submittedJobs(walk, span)) {
    const groupOf = await groupsOfJobs(walk, by, jobs)
    for await (const [job, quote] of quotesOf(walk, jobs)) {
      if (!quote) {
        withoutQuote += 1
        continue
      }
      if (!quote.complete) incomplete += 1
      const isCancelled = job.status === 'CANCELLED'
      const { currency, total } = quote
      const submittedAt = job.submitted_at ?? 0
      paid.push({ group: groupOf(job), currency, amount: decimal(total), isCancelled, submittedAt })
    }
  }
  return { paid, withoutQuote, incomplete }
}

const byKey = ([one]: [string, unknown], [other]: [string, unknown]): number =>
  one < other ? -1 : 1

const describe = (
  named: Named,
  group: string,
  currency: string,
  { jobs, amount, cancelled }: Sum,
): ReportRow => ({
  ...named(group),
  currency,
  jobs,
  amount: writeMoney(amount, currency),
  cancelledAmount: writeMoney(cancelled, currency),
})
