/**
 * Durations as operators and the sandbox clock write them: `90s 5m 2h 3d 6mo 1y` (contract, section
 * 11). Months and years are calendar units in UTC; if the month has no such day, its last day is
 * used.
 */
const fixed = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const
const months = { mo: 1, y: 12 } as const

export type DurationUnit = keyof typeof fixed | keyof typeof months
export type Duration = { readonly count: number; readonly unit: DurationUnit }

/** The longest duration accepted: a hundred years. */
const maxMonths = 1_200
const maxMs = 36_525 * fixed.d

/** Parses a duration; undefined if it is invalid (negative, fractional, without unit, too long). */
export function parseDuration(text: string): Duration | undefined {
  const found = /^(\d{1,10})(s|m|h|d|mo|y)$/.exec(text)
  if (!found?.[1]) return undefined
  const count = Number(found[1])
  const unit = found[2] as DurationUnit
  const fits = isCalendar(unit) ? count * months[unit] <= maxMonths : count * fixed[unit] <= maxMs
  return fits ? { count, unit } : undefined
}

/** Adds the duration to `ms`. */
export function addDuration(ms: number, { count, unit }: Duration): number {
  if (!isCalendar(unit)) return ms + count * fixed[unit]
  const date = new Date(ms)
  const day = date.getUTCDate()
  date.setUTCDate(1)
  date.setUTCMonth(date.getUTCMonth() + count * months[unit])
  date.setUTCDate(Math.min(day, daysInMonth(date.getUTCFullYear(), date.getUTCMonth() + 1)))
  return date.getTime()
}

export function formatDuration({ count, unit }: Duration): string {
  return `${count}${unit}`
}

/** Days of a month, counted from 1, in the Gregorian calendar. */
export function daysInMonth(year: number, month: number): number {
  if (month === 2) return (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0 ? 29 : 28
  return [4, 6, 9, 11].includes(month) ? 30 : 31
}

function isCalendar(unit: DurationUnit): unit is keyof typeof months {
  return unit in months
}
