/**
 * Times on the wire (contract, section 3): responses are UTC with milliseconds and `Z`; input is a
 * date or a date-time, with or without seconds and fraction, with `T` or a blank before the hour,
 * with or without a zone (then UTC). Internally a time is an integer of milliseconds.
 */
import { daysInMonth } from './durations.ts'

const pattern =
  /^(\d{4})-(\d{2})-(\d{2})(?:[Tt ](\d{2}):(\d{2})(?::(\d{2})(?:\.(\d{1,9}))?)?(?:([Zz])|([+-])(\d{2}):?(\d{2}))?)?$/

const first = Date.parse('0001-01-01T00:00:00.000Z')
const last = Date.parse('9999-12-31T23:59:59.999Z')

/** Parses a time; undefined if there is no such moment, such as 30 February. */
export function parseTime(text: string): number | undefined {
  const found = pattern.exec(text)
  if (!found) return undefined
  const part = (index: number) => Number(found[index] ?? 0)
  const [year, month, day, hour, minute, second] = [1, 2, 3, 4, 5, 6].map(part) as Clockface
  if (month < 1 || month > 12 || day < 1 || day > daysInMonth(year, month)) return undefined
  if (hour > 23 || minute > 59 || second > 59) return undefined
  const [zoneHours, zoneMinutes] = [part(10), part(11)]
  if (zoneHours > 14 || zoneMinutes > 59) return undefined

  const date = new Date(0)
  date.setUTCFullYear(year, month - 1, day)
  const thousandths = Number((found[7] ?? '').slice(0, 3).padEnd(3, '0'))
  date.setUTCHours(hour, minute, second, thousandths)
  const ahead = (zoneHours * 60 + zoneMinutes) * 60_000 * (found[9] === '-' ? -1 : 1)
  const ms = date.getTime() - ahead
  return ms >= first && ms <= last ? ms : undefined
}

/** Parses a time that a schema has already checked; throws if it is invalid. */
export function mustParseTime(text: string): number {
  const time = parseTime(text)
  if (time === undefined) throw new Error(`"${text}" is not a time, and no schema refused it.`)
  return time
}

type Clockface = [number, number, number, number, number, number]

const dayMs = 86_400_000
/**
 * Formatted days, cached because a list repeats the same few days: `toISOString` costs ten times as
 * much.
 */
const days = new Map<number, string>()
const pad = (value: number, width: number): string => String(value).padStart(width, '0')

/** The last result: rows that were written together have the same time. */
let known = { ms: Number.NaN, text: '' }

export function formatTime(ms: number): string {
  if (ms !== known.ms) known = { ms, text: textOf(ms) }
  return known.text
}

function textOf(ms: number): string {
  const day = Math.floor(ms / dayMs)
  let date = days.get(day)
  if (date === undefined) {
    date = new Date(day * dayMs).toISOString().slice(0, -13)
    if (days.size >= 1_000) days.clear()
    days.set(day, date)
  }
  const rest = ms - day * dayMs
  const [hours, minutes, seconds] = [
    Math.floor(rest / 3_600_000),
    Math.floor(rest / 60_000) % 60,
    Math.floor(rest / 1000) % 60,
  ]
  return `${date}${pad(hours, 2)}:${pad(minutes, 2)}:${pad(seconds, 2)}.${pad(rest % 1000, 3)}Z`
}
