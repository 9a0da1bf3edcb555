/** Money is text: it is compared and added as whole numbers of its smallest part, and never becomes a float that is shown. */
const places = 6

/** A decimal text as millionths. */
export function millionths(amount: string): bigint {
  const isBelow = amount.startsWith('-')
  const [whole = '0', rest = ''] = (isBelow ? amount.slice(1) : amount).split('.')
  const value = BigInt(whole + rest.padEnd(places, '0').slice(0, places))
  return isBelow ? -value : value
}

/** The same back, with the decimal places of the given text. */
export function decimalOf(value: bigint, like: string): string {
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

/** For the height of a bar alone. */
export const heightOf = (amount: string): number => Number(millionths(amount)) / 10 ** places

/** How much more or less than before, in whole per cent; undefined if there was nothing before. */
export function changeOf(now: string, before: string): number | undefined {
  const was = millionths(before)
  return was === 0n ? undefined : Number(((millionths(now) - was) * 1_000n) / was) / 10
}
