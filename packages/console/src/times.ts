/**
 * Formats times, numbers, languages and money for the person. Times are in the person's time zone,
 * and near or far by the hub's clock. Nothing else in the console formats a time.
 */
import { useLanguage } from './words/words.ts'
import { zone } from './zone.ts'

const localeOf = (language: string): string =>
  language === 'en-XA' ? 'en-GB' : language === 'en' ? 'en-GB' : language
const minute = 60_000
const hour = 60 * minute
const day = 24 * hour

const latinSigns = { millisecond: 'ms', second: 's', minute: 'min', hour: 'h', day: 'd' }
type SpanUnit = keyof typeof latinSigns

function once<T>(make: () => T): () => T {
  let made: T | undefined
  return () => {
    made ??= make()
    return made
  }
}

export type Writers = ReturnType<typeof writersFor>

export function writersFor(language: string, timeZone: string) {
  const locale = localeOf(language)
  // Each formatter is created when first used: creating one costs as much as rendering several
  // rows.
  const make = (options: Intl.DateTimeFormatOptions) =>
    once(() => new Intl.DateTimeFormat(locale, { timeZone, ...options }))
  const clock = make({ hour: '2-digit', minute: '2-digit', second: '2-digit', hourCycle: 'h23' })
  const shortClock = make({ hour: '2-digit', minute: '2-digit', hourCycle: 'h23' })
  const date = make({ day: 'numeric', month: 'short' })
  const dateYear = make({ day: 'numeric', month: 'short', year: 'numeric' })
  const long = make({ weekday: 'long', day: 'numeric', month: 'long', year: 'numeric' })
  const zoneName = make({ timeZoneName: 'short' })
  const full = make({ dateStyle: 'medium', timeStyle: 'medium', hourCycle: 'h23' })
  const relativeTime = once(() => new Intl.RelativeTimeFormat(locale, { numeric: 'auto' }))
  const number = once(() => new Intl.NumberFormat(locale))
  const inBytes = once(
    () => new Intl.NumberFormat(locale, { style: 'unit', unit: 'byte', unitDisplay: 'long' }),
  )
  const languageNames = once(() => new Intl.DisplayNames(locale, { type: 'language' }))
  const list = once(() => new Intl.ListFormat(locale))
  const either = once(() => new Intl.ListFormat(locale, { type: 'disjunction' }))
  const named = new Map<string, string>()
  const nameLanguage = (code: string): string => {
    try {
      return languageNames().of(code) ?? code
    } catch {
      return code
    }
  }
  const numbers = new Map<string, Intl.NumberFormat>()
  const digitsOf = (value: number, digits: number, name?: string): string => {
    const key = `${name}/${digits}`
    const style =
      name === undefined
        ? {}
        : name === 'percent'
          ? ({ style: 'percent' } as const)
          : ({ style: 'unit', unit: name, unitDisplay: 'short' } as const)
    const format =
      numbers.get(key) ?? new Intl.NumberFormat(locale, { ...style, maximumFractionDigits: digits })
    numbers.set(key, format)
    return format.format(value)
  }
  const unit = (value: number, name: string, digits = 0) => digitsOf(value, digits, name)
  // In Latin script the unit symbols are the same everywhere, and shorter than what Intl writes.
  const signs = /^(en|de|fr|es)\b/.test(locale)
    ? { ...latinSigns, ...(locale.startsWith('fr') && { day: 'j' }) }
    : undefined
  const span = (value: number, name: SpanUnit, digits = 0): string =>
    signs ? `${digitsOf(value, digits)}\u00a0${signs[name]}` : unit(value, name, digits)
  const both = (large: number, of: SpanUnit, small: number, rest: SpanUnit): string =>
    small === 0 ? span(large, of) : `${span(large, of)} ${span(small, rest)}`
  return {
    clock: (at: number | string) => clock().format(new Date(at)),
    shortClock: (at: number | string) => shortClock().format(new Date(at)),
    date: (at: number | string) => date().format(new Date(at)),
    dateYear: (at: number | string) => dateYear().format(new Date(at)),
    longDate: (at: number | string) => long().format(new Date(at)),
    full: (at: number | string) => full().format(new Date(at)),
    /** The zone, as it is called at that time: "CET". */
    zoneName: (at: number | string) =>
      zoneName()
        .formatToParts(new Date(at))
        .find(({ type }) => type === 'timeZoneName')?.value ?? timeZone,
    /** The time alone on the day of `now`, else with its date. */
    near(at: number | string, now: number, as: 'clock' | 'shortClock'): string {
      const time = (as === 'clock' ? clock() : shortClock()).format(new Date(at))
      const [day, today] = [at, now].map((one) => dateYear().format(new Date(one)))
      return day === today ? time : `${date().format(new Date(at))} ${time}`
    },
    /** "in 6 days", "2 hours ago". */
    relative(at: number | string, now: number): string {
      const ms = new Date(at).getTime() - now
      const size = Math.abs(ms)
      if (size < minute) return relativeTime().format(Math.round(ms / 1_000), 'second')
      if (size < hour) return relativeTime().format(Math.round(ms / minute), 'minute')
      if (size < day) return relativeTime().format(Math.round(ms / hour), 'hour')
      return relativeTime().format(Math.round(ms / day), 'day')
    },
    /** "16 h 20 min", "0.6 s". */
    duration(ms: number): string {
      if (ms < 999.5) return span(Math.round(ms), 'millisecond')
      if (ms < minute - 500) return span(ms / 1_000, 'second', ms < 10_000 ? 1 : 0)
      const minutes = Math.round(ms / minute)
      if (minutes < 60) return span(minutes, 'minute')
      if (minutes < 24 * 60) return both(Math.floor(minutes / 60), 'hour', minutes % 60, 'minute')
      const hours = Math.round(ms / hour)
      return both(Math.floor(hours / 24), 'day', hours % 24, 'hour')
    },
    bytes(count: number): string {
      const names = ['byte', 'kilobyte', 'megabyte', 'gigabyte', 'terabyte'] as const
      const power = Math.min(
        names.length - 1,
        count < 1_000 ? 0 : Math.floor(Math.log10(count) / 3),
      )
      // Its short form has no plural in English: "66 byte".
      if (power === 0) return inBytes().format(count)
      return unit(count / 1_000 ** power, names[power] ?? 'byte', 1)
    },
    number: (value: number) => number().format(value),
    /** A share between 0 and 1, as a percentage. */
    percent: (share: number, digits = 1) => digitsOf(share, digits, 'percent'),
    list: (items: readonly string[]) => list().format(items),
    /** The same in parts, for items that need their own elements. */
    listParts: (items: readonly string[]) =>
      list()
        .formatToParts(items)
        .map(({ type, value }) => ({ isItem: type === 'element', value })),
    /** "A, B or C". */
    either: (items: readonly string[]) => either().format(items),
    language(code: string): string {
      const name = named.get(code) ?? nameLanguage(code)
      named.set(code, name)
      return name
    },
    /** Money stays text: the hub's digits, with the grouping separators of the language. */
    money(amount: string, currency: string): string {
      const [, sign = '', whole = '', rest = ''] = /^(-?)(\d+)(?:\.(\d+))?$/.exec(amount) ?? []
      if (!whole) return `${amount} ${currency}`
      const parts = number().formatToParts(1_234_567.5)
      const group = parts.find(({ type }) => type === 'group')?.value ?? ','
      const point = parts.find(({ type }) => type === 'decimal')?.value ?? '.'
      const grouped = whole.replace(/\B(?=(\d{3})+$)/g, group)
      return `${sign}${grouped}${rest && point + rest} ${currency}`
    },
  }
}

const made = new Map<string, Writers>()

/** Many cells of a list use them, so they share one set. */
export function useWriters(): Writers {
  const language = useLanguage()
  const timeZone = zone()
  const key = `${language} ${timeZone}`
  const writers = made.get(key) ?? writersFor(language, timeZone)
  made.set(key, writers)
  return writers
}
