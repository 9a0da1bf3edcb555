/**
 * Reports by group: how long requests stay in a state, how many are rejected, and how long
 * responses take.
 */
import type { Report, ReportName, ReportRow } from '@dragoman/contract/wire'
import { useStateWord } from '../../look/states.tsx'
import type { Series } from '../../parts/plots/plot.tsx'
import { PlotRows } from '../../parts/plots/plot-rows.tsx'
import { useWriters } from '../../times.ts'
import { useWords } from '../../words/words.ts'
import { editedOf, rateOf, uneditedOf, useGroupName } from './columns.ts'
import type { Key } from './part.ts'
import { afterUnit, jobsHref } from './period.ts'

export type PlotProps = {
  readonly report: Report
  /** The sentence of the report. */
  readonly label: string
  readonly height?: number
  /** In the overview, a plot links to its report. */
  readonly href?: string
}

/** Further rows are only in the table. */
export const maxRows = 12

/** The reports that are drawn as rows. */
export const rowPlots: readonly ReportName[] = ['time-in-state', 'rejects', 'latency', 'effort']

const states = ['SENT_TO_PROVIDER', 'IN_TRANSLATION', 'REVIEW_TRANSLATION'] as const

export function TimePlot({ report: { rows, by, from, to }, label, href }: PlotProps) {
  const t = useWords<Key>('reports')
  const word = useStateWord()
  const { duration } = useWriters()
  const groupName = useGroupName(by)
  const series: Series[] = [
    { name: word('SENT_TO_PROVIDER'), fill: 'sent', pattern: 'plain' },
    { name: word('IN_TRANSLATION'), fill: 'translating', pattern: 'down' },
    { name: word('REVIEW_TRANSLATION'), fill: 'review', pattern: 'up' },
  ]
  const groups = [...new Map(rows.map((row) => [row.group, row])).values()]
  const stays = (group: string | undefined) =>
    rows.filter((row) => row.group === group).reduce((sum, { count = 0 }) => sum + count, 0)
  const largest = groups
    .sort((one, other) => stays(other.group) - stays(one.group))
    .slice(0, maxRows)
  return (
    <PlotRows
      label={label}
      series={series}
      tick={(value) => (value === 0 ? '0' : duration(value))}
      ticks={hourTicks}
      rows={largest.map((group) => {
        const own = states.map((state) =>
          rows.find((row) => row.group === group.group && row.state === state),
        )
        const said = `${groupName(group)}: ${own
          .flatMap((row, at) => (row ? [`${series[at]?.name} ${duration(row.medianMs ?? 0)}`] : []))
          .join(', ')}`
        return {
          name: groupName(group),
          bars: own.map(
            (row) =>
              row && {
                value: row.medianMs ?? 0,
                wider: [row.p75Ms ?? 0, row.p95Ms ?? 0] as const,
                text: duration(row.medianMs ?? 0),
              },
          ),
          said: href ? t('openReport', { said }) : t('openJobs', { said }),
          href:
            href ??
            jobsHref('submittedDate', from, afterUnit(to, 'day'), providerTerm(by, group.group)),
        }
      })}
    />
  )
}

/** The filter for one provider. */
const providerTerm = (by: Report['by'], group = ''): string =>
  by === 'provider' && group !== '' && group !== '*' ? `providerId eq '${group}'` : ''

/** Tick marks at round numbers of minutes, hours or days. */
function hourTicks(largest: number): number[] {
  const minute = 60_000
  const steps = [1, 5, 15, 30, 60, 120, 360, 720, 1_440, 2_880, 7_200, 14_400, 43_200, 144_000].map(
    (one) => one * minute,
  )
  const step = steps.find((one) => largest / one <= 4) ?? largest / 4
  return Array.from({ length: Math.max(1, Math.ceil(largest / step)) + 1 }, (_, at) => at * step)
}

export function RejectPlot({ report: { rows, by, from, to }, label, href }: PlotProps) {
  const t = useWords<Key>('reports')
  const { number } = useWriters()
  const groupName = useGroupName(by)
  // Where nobody has counted words there is no rate, only how many were rejected.
  const hasWords = rows.some(({ words = 0 }) => words > 0)
  const value = ({ words = 0, rejected = 0 }: ReportRow) =>
    !hasWords ? rejected : words > 0 ? (1000 * rejected) / words : 0
  const text = (row: ReportRow) => (hasWords ? rateOf(row) || '–' : number(row.rejected ?? 0))
  const shown = [...rows].sort((one, other) => value(other) - value(one)).slice(0, maxRows)
  return (
    <PlotRows
      label={label}
      series={[{ name: t(hasWords ? 'perThousand' : 'rejected'), fill: 'rejected', pattern: 'up' }]}
      tick={number}
      rows={shown.map((row) => {
        const said = `${groupName(row)}: ${t('perThousand')} ${rateOf(row) || '–'}, ${t('rejected')} ${number(row.rejected ?? 0)}`
        return {
          name: groupName(row),
          bars: [{ value: value(row), text: text(row) }],
          said: href ? t('openReport', { said }) : t('openJobs', { said }),
          href:
            href ??
            jobsHref('submittedDate', from, afterUnit(to, 'day'), providerTerm(by, row.group)),
        }
      })}
    />
  )
}

/** How much of the drafts people changed: long bars are engines that cost work. */
export function EffortPlot({ report: { rows, by, from, to }, label, href }: PlotProps) {
  const t = useWords<Key>('reports')
  const { percent } = useWriters()
  const groupName = useGroupName(by)
  const share = (plain: string) => (plain === '' ? '–' : percent(Number(plain) / 100))
  return (
    <PlotRows
      label={label}
      series={[{ name: t('editShare'), fill: 'review', pattern: 'up' }]}
      tick={(value) => percent(value / 100)}
      rows={rows.slice(0, maxRows).map((row) => {
        const said = `${groupName(row)}: ${t('editShare')} ${share(editedOf(row))}, ${t('uneditedShare')} ${share(uneditedOf(row))}`
        return {
          name: groupName(row),
          bars: [{ value: Number(editedOf(row)), text: share(editedOf(row)) }],
          said: href ? t('openReport', { said }) : t('openJobs', { said }),
          href: href ?? jobsHref('submittedDate', from, afterUnit(to, 'day')),
        }
      })}
    />
  )
}

export function LatencyPlot({ report: { rows, by, from }, label, href }: PlotProps) {
  const t = useWords<Key>('reports')
  const { duration, number } = useWriters()
  const groupName = useGroupName(by)
  const isCalls = by === 'route'
  return (
    <PlotRows
      label={label}
      series={[{ name: t('medianMs'), fill: 'sent', pattern: 'plain' }]}
      tick={(value) => (value === 0 ? '0' : duration(value))}
      rows={rows.slice(0, maxRows).map((row) => {
        const { count = 0, medianMs = 0, p95Ms = 0, p99Ms = 0 } = row
        const times = [
          `${t('times')} ${number(count)}`,
          `${t('medianMs')} ${duration(medianMs)}`,
          `${t('p95Ms')}: ${duration(p95Ms)}`,
        ]
        const said = `${groupName(row)}: ${times.join(', ')}`
        const open = isCalls ? t('openCalls', { said }) : t('openDeliveries', { said })
        return {
          name: groupName(row),
          bars: [{ value: medianMs, wider: [p95Ms, p99Ms] as const, text: duration(medianMs) }],
          said: href ? t('openReport', { said }) : open,
          href: href ?? hrefOf(isCalls, row.group, from),
        }
      })}
    />
  )
}

/** The calls of a route, or the deliveries to a listener. */
function hrefOf(isCalls: boolean, group = '', from: string): string {
  const since = `${from}T00:00:00.000Z`
  const one =
    group === '*' ? {} : isCalls ? { route: group.split(' ')[1] ?? '' } : { listener: group }
  return `/${isCalls ? 'calls' : 'deliveries'}?${new URLSearchParams({ ...one, since })}`
}
