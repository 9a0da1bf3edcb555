/**
 * The period of a report: whole days, weeks or months in UTC, so that everyone reads the same
 * figures, every day has 24 hours, and days agree with those of price lists. Weeks
 * begin on Monday.
 */
import {
  formatTime,
  HubError,
  limits,
  mustParseTime,
  type ReportQuery,
  type ReportUnit,
} from '@dragoman/contract'
import { dayMs, dayOf } from '@dragoman/text/counting'
import type { Span } from './report-rows.ts'

const weekMs = 7 * dayMs
/** Weeks are counted from this Monday. */
const monday = Date.parse('1970-01-05T00:00:00Z')
const usualDays = 84

export type Period = Span & {
  readonly unit: ReportUnit
  /** When each unit begins. */
  readonly starts: readonly number[]
  readonly now: number
}

export function periodOf(
  asked: Pick<ReportQuery, 'from' | 'to'>,
  unit: ReportUnit,
  now: number,
): Period {
  const today = dayOf(now)
  const last = Math.min(today, asked.to === undefined ? today : dayOf(mustParseTime(asked.to)))
  const first =
    asked.from === undefined ? last - (usualDays - 1) * dayMs : dayOf(mustParseTime(asked.from))
  if (first > last)
    throw new HubError('INVALID_PARAMETER', {
      because: `from (${dayText(first)}) is after to (${dayText(last)}).`,
    })
  const days = (last - first) / dayMs + 1
  if (days > limits.reportDays)
    throw new HubError('INVALID_PARAMETER', {
      because: `the period has ${days} days; ask for at most ${limits.reportDays}.`,
    })
  const from = beginOf[unit](first)
  const to = after(beginOf[unit](last), unit)
  const starts: number[] = []
  for (let at = from; at < to; at = after(at, unit)) starts.push(at)
  return { from, to, unit, starts, now }
}

/** The period of the same length before. */
export const before = ({ from, to }: Period): Span => ({ from: from - (to - from), to: from })

/** The number of the unit that holds the time; outside the period it is below zero or too large. */
export function unitAt({ from, to, starts }: Period, time: number): number {
  if (time >= to) return starts.length
  // Months differ in length: the guess is at most a few units off.
  let at = Math.floor(((time - from) / (to - from)) * starts.length)
  while (at > 0 && (starts[at] ?? 0) > time) at -= 1
  while (at >= 0 && (starts[at + 1] ?? to) <= time) at += 1
  return at
}

/** The first day of each unit that has begun. */
export const unitsOf = ({ starts, now }: Period): string[] =>
  starts.filter((start) => start <= now).map(dayText)

export const dayText = (time: number): string => formatTime(time).slice(0, 10)

const weekAt = (time: number): number => Math.floor((time - monday) / weekMs) * weekMs + monday
const monthAt = (time: number): number => Date.parse(`${dayText(time).slice(0, 7)}-01T00:00:00Z`)
const beginOf: Readonly<Record<ReportUnit, (time: number) => number>> = {
  day: dayOf,
  week: weekAt,
  month: monthAt,
}
/** No month has more than 31 days, and none has fewer than 28. */
const after = (start: number, unit: ReportUnit): number =>
  unit === 'month' ? monthAt(start + 31 * dayMs) : start + (unit === 'day' ? dayMs : weekMs)
