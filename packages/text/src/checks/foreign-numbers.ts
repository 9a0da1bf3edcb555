/**
 * Numbers in a form that the language does not have. One mark alone may be a version, a section or
 * a time, so it counts only beside a unit or a currency.
 */
import type { Language } from './language.ts'

type Written = { readonly raw: string; readonly at?: number; readonly digits?: string }

const currency = /[\p{Sc}%‰°]/u
const unitAfter =
  /^[\s\u00a0\u202f]?(?:\p{Sc}|[%‰°]|(?:[KMGTPkmn]i?[Bb](?:it|yte)?s?|Bytes?|k?Hz|MHz|GHz|[kmµ]?[gmlsWVA]|[cdn]m|kW|MW|GW|kWh|mAh|dpi|px|pt|em|EUR|USD|GBP|CHF|Euro|Dollar)(?![\p{L}\p{N}]))/u

export function foreignNumbers<Found extends Written>(
  numbers: readonly Found[],
  text: string,
  { decimal }: Language,
): Found[] {
  const other = decimal === ',' ? '.' : ','
  return numbers.filter(({ raw, at, digits }) => {
    if (at === undefined || digits !== undefined) return false
    const marks = raw.replace(/[^.,]/g, '')
    if (marks === '') return false
    if (marks.length > 1) {
      const last = marks.slice(-1)
      const isMixed = marks
        .slice(0, -1)
        .split('')
        .every((mark) => mark !== last)
      return isMixed ? last === other : last === decimal && raw.split(decimal).length > 2
    }
    if (marks !== other || /[.,]\d{3}$/.test(raw)) return false
    const before = text
      .slice(Math.max(0, at - 2), at)
      .trimEnd()
      .slice(-1)
    return (
      currency.test(before) || unitAfter.test(text.slice(at + raw.length, at + raw.length + 12))
    )
  })
}
