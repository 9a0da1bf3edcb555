/** Adds amounts of money exactly: decimal texts, as whole numbers of their smallest unit. */
export function addMoney(amounts: readonly string[]): string {
  const places = Math.max(0, ...amounts.map((amount) => (amount.split('.')[1] ?? '').length))
  const sum = amounts.reduce((total, amount) => {
    const [whole = '0', rest = ''] = amount.split('.')
    return total + BigInt(whole + rest.padEnd(places, '0'))
  }, 0n)
  if (places === 0) return String(sum)
  const sign = sum < 0n ? '-' : ''
  const digits = String(sum < 0n ? -sum : sum).padStart(places + 1, '0')
  return `${sign}${digits.slice(0, -places)}.${digits.slice(-places)}`
}
