export { checkBands, findBand, type Likeness } from './counting/bands.ts'
export {
  dayMs,
  dayOf,
  faultsOfPriceList,
  mustBePriceList,
  type Validity,
} from './counting/check-prices.ts'
export {
  addCounts,
  type Counts,
  countParts,
  countRule,
  noCounts,
  weightedWords,
} from './counting/count-words.ts'
export {
  type Decimal,
  decimal,
  nothing,
  placesOf,
  roundMoney,
  writeMoney,
} from './counting/money.ts'
export { findPriceLine, usualService } from './counting/price-lines.ts'
export {
  isCountable,
  type PricedLine,
  priceLine,
  type Tallies,
  type Tally,
  tallyBands,
  totalOf,
} from './counting/price-words.ts'
