/**
 * Words of the jobs submitted in each unit, by band, from the quotes they keep; and what matches
 * saved.
 */
import type { PriceList, ReportRow } from '@dragoman/contract'
import { type Decimal, nothing, writeMoney } from '@dragoman/text/counting'
import { findPriceList } from '../../settings/price-lists.ts'
import { kindsOf, savedBy } from './price-without-matches.ts'
import { type Period, unitAt, unitsOf } from './report-period.ts'
import { quotesOf, submittedJobs, type Walk } from './walk.ts'

const fields = {
  Repetition: 'repetition',
  Context: 'context',
  Exact: 'exact',
  Fuzzy: 'fuzzy',
  New: 'new',
} as const
const noWords = { repetition: 0, context: 0, exact: 0, fuzzy: 0, new: 0, words: 0, jobs: 0 }
type Sum = { -readonly [K in keyof typeof noWords]: number } & {
  byMemory: Decimal
  byRepetition: Decimal
}
const noSum = (): Sum => ({ ...noWords, byMemory: nothing, byRepetition: nothing })

export async function words(walk: Walk, period: Period) {
  const lists = new Map<string, PriceList>()
  const listOf = async (id: string): Promise<PriceList> => {
    const list = lists.get(id) ?? (await findPriceList(walk.hub, walk.siteId, id))
    lists.set(id, list)
    return list
  }
  const days = unitsOf(period)
  /** The keys are unit and currency, or the currency alone. */
  const sums = new Map<string, Sum>()
  const totals = new Map<string, Sum>()
  let jobsWithoutQuote = 0
  let incompleteQuotes = 0
  for await (const jobs of submittedJobs(walk, period))
    for await (const [job, quote] of quotesOf(walk, jobs)) {
      if (!quote) {
        jobsWithoutQuote += 1
        continue
      }
      if (!quote.complete) incompleteQuotes += 1
      const list = await listOf(quote.priceListId)
      const kinds = kindsOf(list)
      const saved = savedBy(list, quote)
      const day = days[unitAt(period, job.submitted_at ?? 0)]
      for (const [all, key] of [
        [sums, `${day} ${quote.currency}`],
        [totals, quote.currency],
      ] as const) {
        const sum = all.get(key) ?? noSum()
        all.set(key, sum)
        sum.jobs += 1
        for (const { bands } of quote.lines)
          for (const band of bands) {
            sum[fields[kinds.get(band.name) ?? 'New']] += band.words
            sum.words += band.words
          }
        sum.byMemory = sum.byMemory.plus(saved.byMemory)
        sum.byRepetition = sum.byRepetition.plus(saved.byRepetition)
      }
    }
  const rows = [...sums].sort(([one], [other]) => (one < other ? -1 : 1))
  return {
    rows: rows.map(([key, sum]) => {
      const [day = '', currency = ''] = key.split(' ')
      return { day, ...describe(currency, sum) }
    }),
    totals: [...totals].map(([currency, sum]) => describe(currency, sum)),
    jobsWithoutQuote,
    incompleteQuotes,
  }
}

function describe(currency: string, { byMemory, byRepetition, ...counts }: Sum): ReportRow {
  return {
    currency,
    ...counts,
    savedByMemory: writeMoney(byMemory, currency),
    savedByRepetition: writeMoney(byRepetition, currency),
  }
}
