/**
 * Money is exact: decimal text in the API and the database, big.js in between, never binary
 * floating point. Amounts are rounded half to even, to the places of their currency, and only at
 * each band, the minimum of a line, the fee and the minimum of the list.
 */
import { currencies } from '@dragoman/contract'
import Big from 'big.js'

export type Decimal = Big

/** Parses a decimal. */
export const decimal = (text: string): Decimal => new Big(text)
export const nothing: Decimal = new Big(0)

/** The decimal places of an ISO 4217 currency. A saved list always has a known one. */
export function placesOf(currency: string): number {
  const places = currencies.get(currency)
  if (places === undefined) throw new Error(`${currency} is not an ISO 4217 currency code.`)
  return places
}

export const roundMoney = (amount: Decimal, currency: string): Decimal =>
  amount.round(placesOf(currency), Big.roundHalfEven)

/** An amount as shown: rounded, with all places of its currency (`12.50`, `1250`). */
export const writeMoney = (amount: Decimal, currency: string): string =>
  amount.toFixed(placesOf(currency), Big.roundHalfEven)
