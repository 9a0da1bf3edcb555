/**
 * Money is exact: decimal text on the wire and in the database, big.js in between, never binary floating point. What is
 * rounded is rounded half to even, to the places of its currency, and only where decision 0021 says so.
 */
import { currencies } from '@dragoman/contract'
import Big from 'big.js'

export type Decimal = Big

/** The number that the text writes. */
export const decimal = (text: string): Decimal => new Big(text)
export const nothing: Decimal = new Big(0)

/** The decimal places of a currency of ISO 4217; one that is not in the list cannot have been saved. */
export function placesOf(currency: string): number {
  const places = currencies.get(currency)
  if (places === undefined) throw new Error(`${currency} is not an ISO 4217 currency code.`)
  return places
}

export const roundMoney = (amount: Decimal, currency: string): Decimal =>
  amount.round(placesOf(currency), Big.roundHalfEven)

/** An amount as it is shown: rounded, with all places of its currency (`12.50`, `1250`). */
export const writeMoney = (amount: Decimal, currency: string): string =>
  amount.toFixed(placesOf(currency), Big.roundHalfEven)
