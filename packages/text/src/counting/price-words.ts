/**
 * Prices words (contract, section 11). Amounts are rounded half to even, to the places of the
 * currency, in four places only: each band's amount, the minimum of a line, the management fee, the
 * minimum of the list.
 */
import type { PriceLine, PriceList } from '@dragoman/contract'
import { findBand, type Likeness } from './bands.ts'
import { addCounts, type Counts, noCounts, weightedWords } from './count-words.ts'
import { type Decimal, decimal, nothing, roundMoney } from './money.ts'

/** The segments of one request in one band. */
export type Tally = { readonly segments: number; readonly counts: Counts }
/** The keys are the names of bands. */
export type Tallies = ReadonlyMap<string, Tally>

export type PricedBand = {
  readonly name: string
  readonly factor: string
  readonly tally: Tally
  readonly amount: Decimal
}
export type PricedLine = {
  readonly bands: readonly PricedBand[]
  readonly minimumApplied: boolean
  readonly amount: Decimal
}
export type Totals = {
  readonly subtotal: Decimal
  readonly managementFee: Decimal
  readonly minimumFeeApplied: boolean
  readonly total: Decimal
}

const noTally: Tally = { segments: 0, counts: noCounts }

/** Sorts counted segments into the bands of a list; `before` are those of earlier segments. */
export function tallyBands(
  list: Pick<PriceList, 'bands'>,
  segments: Iterable<{ readonly counts: Counts; readonly likeness: Likeness }>,
  before: Tallies = new Map(),
): Tallies {
  const tallies = new Map(before)
  for (const { counts, likeness } of segments) {
    const { name } = findBand(list.bands, likeness)
    const { segments, counts: sum } = tallies.get(name) ?? noTally
    tallies.set(name, { segments: segments + 1, counts: addCounts(sum, counts) })
  }
  return tallies
}

/** Units that can be counted in a text; pages and hours cannot. */
export const isCountable = ({ unit }: PriceLine): boolean => unit === 'Word' || unit === 'Character'

const countedIn = (unit: PriceLine['unit'], { counts }: Tally): number =>
  unit === 'Character' ? counts.characters : weightedWords(counts)

export function priceLine(list: PriceList, line: PriceLine, tallies: Tallies): PricedLine {
  const { currency } = list
  const bands = list.bands.map(({ name, factor }): PricedBand => {
    const tally = tallies.get(name) ?? noTally
    const exact = decimal(line.unitPrice).times(decimal(factor)).times(countedIn(line.unit, tally))
    return { name, factor, tally, amount: roundMoney(exact, currency) }
  })
  const sum = bands.reduce((before, { amount }) => before.plus(amount), nothing)
  const minimum = roundMoney(decimal(line.minimumFee ?? '0'), currency)
  const minimumApplied = minimum.gt(sum)
  return { bands, minimumApplied, amount: minimumApplied ? minimum : sum }
}

/** A job without any priced line costs nothing: its minimum fee would be a guess. */
export function totalOf(list: PriceList, amounts: readonly Decimal[]): Totals {
  const { currency } = list
  const subtotal = amounts.reduce((before, amount) => before.plus(amount), nothing)
  const percent = decimal(list.managementFeePercent ?? '0')
  const managementFee = roundMoney(subtotal.times(percent).div(100), currency)
  const sum = subtotal.plus(managementFee)
  const minimum = roundMoney(decimal(list.minimumFee ?? '0'), currency)
  const minimumFeeApplied = amounts.length > 0 && minimum.gt(sum)
  return { subtotal, managementFee, minimumFeeApplied, total: minimumFeeApplied ? minimum : sum }
}
