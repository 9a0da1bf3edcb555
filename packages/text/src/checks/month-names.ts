/** The months that a text names: `December` is 12 in `12月`. */
import type { Language } from './language.ts'

const names = new Map<string, ReadonlyMap<string, string>>()
const mostLanguages = 200

export function monthsIn(text: string, { code, base }: Language): ReadonlySet<string> {
  const months = monthsOf(code) ?? monthsOf(base)
  const said = new Set<string>()
  if (!months || months.size === 0) return said
  for (const [word] of text.toLowerCase().matchAll(/[\p{L}\p{M}]{3,30}/gu)) {
    const month = months.get(word)
    if (month !== undefined) said.add(month)
  }
  return said
}

/** As the language names them alone, in a date, and short. */
function monthsOf(code: string): ReadonlyMap<string, string> | undefined {
  const known = names.get(code)
  if (known) return known
  const found = new Map<string, string>()
  try {
    for (const options of [
      { month: 'long' },
      { month: 'long', day: 'numeric' },
      { month: 'short' },
    ] as const) {
      const format = new Intl.DateTimeFormat(code, {
        ...options,
        timeZone: 'UTC',
        calendar: 'gregory',
      })
      for (let month = 1; month <= 12; month += 1) {
        const parts = format.formatToParts(Date.UTC(2020, month - 1, 15))
        const name = parts.find(({ type }) => type === 'month')?.value.toLowerCase() ?? ''
        if (!/\p{N}/u.test(name)) found.set(name.replace(/\.$/, ''), String(month))
      }
    }
  } catch {
    return undefined
  }
  if (names.size < mostLanguages) names.set(code, found)
  return found
}
