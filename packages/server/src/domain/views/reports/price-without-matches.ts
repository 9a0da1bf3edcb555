/**
 * What a kept quote would cost without its matches: priced again by the same list, with the same
 * rounding, fees and minimums, with the words of its matches in the band New.
 */
import type { PriceLine, PriceList, Quote, QuoteLine } from '@dragoman/contract'
import {
  type Decimal,
  decimal,
  noCounts,
  priceLine,
  type Tally,
  totalOf,
} from '@dragoman/text/counting'

type Kind = PriceList['bands'][number]['kind']
export type Saved = { readonly byMemory: Decimal; readonly byRepetition: Decimal }

/** Kinds of the bands of a list, by name. */
export const kindsOf = ({ bands }: PriceList): ReadonlyMap<string, Kind> =>
  new Map(bands.map(({ name, kind }) => [name, kind]))

/**
 * First the matches of the memory become new, then repetitions too; both differences together are
 * the whole saving.
 */
export function savedBy(list: PriceList, quote: Quote): Saved {
  const withoutMemory = totalWith(list, quote, (kind) => kind !== 'Repetition')
  const allNew = totalWith(list, quote, () => true)
  return {
    byMemory: withoutMemory.minus(decimal(quote.total)),
    byRepetition: allNew.minus(withoutMemory),
  }
}

function totalWith(list: PriceList, { lines }: Quote, isNew: (kind: Kind) => boolean): Decimal {
  const kinds = kindsOf(list)
  const last = list.bands.at(-1)?.name ?? ''
  const amounts = lines.map((line) => {
    const tallies = new Map<string, Tally>()
    for (const band of line.bands) {
      const name = isNew(kinds.get(band.name) ?? 'New') ? last : band.name
      const { segments, counts } = tallies.get(name) ?? { segments: 0, counts: noCounts }
      // The words of a band already have the weight of ideographs in them.
      const words = counts.words + band.words
      const characters = counts.characters + band.characters
      tallies.set(name, {
        segments: segments + band.segments,
        counts: { ...noCounts, words, characters },
      })
    }
    return priceLine(list, lineOf(line), tallies).amount
  })
  return totalOf(list, amounts).total
}

const lineOf = ({ service, unit, unitPrice, priceLine: found }: QuoteLine): PriceLine => ({
  service,
  unit,
  unitPrice,
  ...found,
})
