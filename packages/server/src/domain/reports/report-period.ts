/**
 * The period of a report: whole days or weeks in UTC, so that everyone reads the same figures, every day has 24 hours, and days
 * agree with those of price lists (decision 0059). Weeks begin on Monday.
 */
import { formatTime, HubError, limits, mustParseTime, type ReportQuery } from '@dragoman/contract'
import type { Span } from './report-rows.ts'

const dayMs = 86_400_000
const weekMs = 7 * dayMs
/** A Monday. */
const monday = Date.parse('1970-01-05T00:00:00Z')
const usualDays = 84

export type Period = Span & { readonly unit: 'day' | 'week'; readonly unitMs: number; readonly now: number }

export function periodOf(asked: Pick<ReportQuery, 'from' | 'to'>, unit: 'day' | 'week', now: number): Period {
  const today = dayAt(now)
  const last = Math.min(today, asked.to === undefined ? today : dayAt(mustParseTime(asked.to)))
  const first = asked.from === undefined ? last - (usualDays - 1) * dayMs : dayAt(mustParseTime(asked.from))
  if (first > last)
    throw new HubError('INVALID_PARAMETER', { because: `from (${dayText(first)}) is after to (${dayText(last)}).` })
  const days = (last - first) / dayMs + 1
  if (days > limits.reportDays)
    throw new HubError('INVALID_PARAMETER', {
      because: `the period has ${days} days; ask for at most ${limits.reportDays}.`,
    })
  if (unit === 'day') return { from: first, to: last + dayMs, unit, unitMs: dayMs, now }
  return { from: weekAt(first), to: weekAt(last) + weekMs, unit, unitMs: weekMs, now }
}

/** The period of the same length before. */
export const before = ({ from, to }: Period): Span => ({ from: from - (to - from), to: from })

/** The number of the unit that holds the time; outside the period it is below zero or too large. */
export const unitAt = ({ from, unitMs }: Period, time: number): number => Math.floor((time - from) / unitMs)

/** The first day of each unit that has begun. */
export function unitsOf({ from, to, unitMs, now }: Period): string[] {
  const begun = Math.min((to - from) / unitMs, Math.ceil((now + 1 - from) / unitMs))
  return Array.from({ length: begun }, (_, at) => dayText(from + at * unitMs))
}

export const dayText = (time: number): string => formatTime(time).slice(0, 10)

const dayAt = (time: number): number => Math.floor(time / dayMs) * dayMs
const weekAt = (time: number): number => Math.floor((time - monday) / weekMs) * weekMs + monday
