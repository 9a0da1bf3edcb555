/**
 * Money is text: it is compared and added as whole numbers of its smallest unit, and no displayed
 * amount is ever a float.
 */
const places = 6

/** A decimal text as millionths. */
function millionths(amount: string): bigint {
  const isBelow = amount.startsWith('-')
  const [whole = '0', rest = ''] = (isBelow ? amount.slice(1) : amount).split('.')
  const value = BigInt(whole + rest.padEnd(places, '0').slice(0, places))
  return isBelow ? -value : value
}

/** The reverse, with the decimal places of the given text. */
function decimalOf(value: bigint, like: string): string {
  const shown = like.split('.')[1]?.length ?? 0
  const isBelow = value < 0n
  const digits = String(isBelow ? -value : value).padStart(places + 1, '0')
  const whole = digits.slice(0, -places)
  const rest = digits.slice(-places).slice(0, shown)
  return `${isBelow ? '-' : ''}${whole}${rest && `.${rest}`}`
}

export const addAmounts = (amounts: readonly string[]): string =>
  decimalOf(
    amounts.reduce((sum, one) => sum + millionths(one), 0n),
    amounts[0] ?? '0',
  )

/** Only for the height of a bar. */
export const heightOf = (amount: string): number => Number(millionths(amount)) / 10 ** places

/** The change since the previous period, in per cent; undefined if there was nothing before. */
export function changeOf(now: string, before: string): number | undefined {
  const was = millionths(before)
  return was === 0n ? undefined : Number(((millionths(now) - was) * 1_000n) / was) / 10
}
