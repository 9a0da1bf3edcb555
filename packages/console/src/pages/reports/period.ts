/**
 * The period, the unit and the group of a report, as given in the URL. Days are UTC, as the hub
 * counts them.
 */
import {
  groupsOfReport,
  type ReportGroup,
  type ReportName,
  type ReportUnit,
  reportNames,
  reportUnits,
} from '@dragoman/contract/wire'
import type { Search } from '../../search.ts'

const day = 86_400_000
export const presets = ['4w', '12w', '26w', '52w'] as const
type Preset = (typeof presets)[number]

export type ReportQuery = {
  readonly from: string
  readonly to: string
  readonly unit: ReportUnit
  readonly by?: ReportGroup
}

export const dayOf = (time: number): string => new Date(time).toISOString().slice(0, 10)
const isDay = (text: string | undefined): text is string => /^\d{4}-\d\d-\d\d$/.test(text ?? '')

/** The first day of a preset that ends today. */
export const presetFrom = (preset: Preset, now: number): string =>
  dayOf(now - (Number.parseInt(preset, 10) * 7 - 1) * day)

/** The query for a report; twelve weeks by default, and by day if the period is short enough. */
export function askedIn(search: Search, report: ReportName, now: number): ReportQuery {
  const to = isDay(search.to) ? search.to : dayOf(now)
  const from = isDay(search.from) ? search.from : presetFrom('12w', Date.parse(to))
  const days = (Date.parse(to) - Date.parse(from)) / day + 1
  const usual = report === 'engines' ? 'month' : days <= 35 ? 'day' : 'week'
  const unit = reportUnits.find((one) => one === search.unit) ?? usual
  const by = groupsOfReport[report].find((group) => group === search.by)
  return { from, to, unit, ...(by && { by }) }
}

export const isReport = (name: string | undefined): name is ReportName =>
  (reportNames as readonly (string | undefined)[]).includes(name)

/** The day after the unit that begins on this day. */
export function afterUnit(first: string, unit: ReportUnit): string {
  if (unit === 'month')
    return `${dayOf(Date.parse(`${first.slice(0, 7)}-01`) + 31 * day).slice(0, 7)}-01`
  return dayOf(Date.parse(first) + (unit === 'day' ? day : 7 * day))
}

/** The first day of each unit in the period. */
export function unitsIn(from: string, to: string, unit: ReportUnit): string[] {
  const found: string[] = []
  for (let at = from; at <= to; at = afterUnit(at, unit)) found.push(at)
  return found
}

/** A link to the page Jobs with the jobs of a time span, in the filter language of the contract. */
export function jobsHref(
  field: 'submittedDate' | 'dueDate',
  from: string,
  until: string,
  more = '',
): string {
  const filter = `${field} ge '${from}' and ${field} lt '${until}'${more && ` and ${more}`}`
  return `/?${new URLSearchParams({ view: 'all', filter })}`
}
