/**
 * The order in which languages are offered: what the site uses and prices comes first; of each
 * language the plain one, which is the site's own, before its regions. Pure.
 */
export type Use = {
  /** How many jobs use a code, by the code in small letters. */
  readonly used: ReadonlyMap<string, number>
  /** The codes that the price list names, in small letters. */
  readonly priced: ReadonlySet<string>
}
export type Offered = {
  readonly code: string
  readonly name: string
  /** The name without a region, for the site's own variant of the language: English. */
  readonly plain?: string
}
type NameOf = (code: string) => string

const baseOf = (code: string): string => code.toLowerCase().split('-')[0] ?? ''

/** The region in which most people speak it: en-US for en. */
function isLikely(code: string): boolean {
  try {
    const region = new Intl.Locale(baseOf(code)).maximize().region
    return region !== undefined && code.toLowerCase() === `${baseOf(code)}-${region.toLowerCase()}`
  } catch {
    return false
  }
}

export function offer(codes: readonly string[], { used, priced }: Use, nameOf: NameOf): Offered[] {
  const all = codes.map((code) => {
    const key = code.toLowerCase()
    return {
      code,
      name: nameOf(code),
      base: nameOf(baseOf(code)),
      jobs: used.get(key) ?? 0,
      isPriced: priced.has(key),
      isLikely: isLikely(code),
    }
  })
  type One = (typeof all)[number]
  const isOwn = ({ jobs, isPriced }: One) => jobs > 0 || isPriced
  const byUse = (one: One, other: One): number =>
    other.jobs - one.jobs ||
    Number(other.isPriced) - Number(one.isPriced) ||
    Number(other.isLikely) - Number(one.isLikely) ||
    one.name.localeCompare(other.name)
  const plain = new Map<string, string>()
  const sorted = all.toSorted(byUse)
  for (const one of sorted) if (!plain.has(baseOf(one.code))) plain.set(baseOf(one.code), one.code)
  const own = sorted.filter(isOwn)
  const rest = sorted
    .filter((one) => !isOwn(one))
    .toSorted((one, other) => one.base.localeCompare(other.base))
  return [...own, ...rest].map(({ code, name, base }) => ({
    code,
    name,
    ...(plain.get(baseOf(code)) === code && base !== name && { plain: base }),
  }))
}

/**
 * Those that match the text: an exact code or name first, then what begins with it, each in the
 * order they are offered in.
 */
export function search(offered: readonly Offered[], text: string): Offered[] {
  const wanted = text.trim().toLowerCase()
  if (!wanted) return [...offered]
  const rank = ({ code, name, plain = '' }: Offered): number => {
    const texts = [code, name, plain].map((one) => one.toLowerCase())
    if (texts.includes(wanted)) return 0
    if (texts.some((one) => one.startsWith(wanted))) return 1
    return texts.slice(1).some((one) => one.includes(wanted)) ? 2 : 3
  }
  return offered.filter((one) => rank(one) < 3).toSorted((one, other) => rank(one) - rank(other))
}
