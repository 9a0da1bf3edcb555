/**
 * What engines cost: one plot for characters and one for tokens, the largest providers or jobs
 * stacked.
 */
import type { ReportRow } from '@dragoman/contract/wire'
import type { Series } from '../../parts/plots/plot.tsx'
import { PlotColumns } from '../../parts/plots/plot-columns.tsx'
import { useWriters } from '../../times.ts'
import { useWords } from '../../words/words.ts'
import { useGroupName } from './columns.ts'
import type { Key } from './part.ts'
import { afterUnit, jobsHref, unitsIn } from './period.ts'
import type { PlotProps } from './row-plots.tsx'

const looks = [
  { fill: 'sent', pattern: 'plain' },
  { fill: 'review', pattern: 'up' },
  { fill: 'translating', pattern: 'down' },
  { fill: 'sending', pattern: 'dots' },
] as const
const others = { fill: 'created', pattern: 'grid' } as const
const used = (rows: readonly ReportRow[]): number =>
  rows.reduce((sum, { estimated = 0 }) => sum + estimated, 0)

export function EnginePlots({
  report: { rows, totals, unit, by, from, to },
  label,
  height,
  href,
}: PlotProps) {
  const t = useWords<Key>('reports')
  const { number, date } = useWriters()
  const groupName = useGroupName(by)
  const units = (['CHARACTERS', 'TOKENS'] as const).filter((one) =>
    totals.some((row) => row.countedIn === one),
  )
  return units.map((countedIn) => {
    const own = rows.filter((row) => row.countedIn === countedIn)
    const groups = totals
      .filter((row) => row.countedIn === countedIn)
      .sort((one, other) => (other.estimated ?? 0) - (one.estimated ?? 0))
    const shown = groups.slice(0, looks.length)
    const rest = groups.slice(looks.length)
    const series: Series[] = [
      ...shown.map((row, at) => ({
        name:
          units.length > 1 ? `${groupName(row)} (${t(`countedIn.${countedIn}`)})` : groupName(row),
        ...(looks[at] ?? others),
        total: number(row.estimated ?? 0),
      })),
      ...(rest.length > 0 ? [{ name: t('others'), ...others, total: number(used(rest)) }] : []),
    ]
    const columns = unitsIn(from, to, unit).map((day) => {
      const here = own.filter((row) => row.day === day)
      const said = `${date(`${day}T12:00:00Z`)}: ${t(`says.${countedIn}`, { count: used(here) })}`
      return {
        name: date(`${day}T12:00:00Z`),
        values: [
          ...shown.map(({ group }) => used(here.filter((row) => row.group === group))),
          ...(rest.length > 0
            ? [used(here.filter((row) => rest.some(({ group }) => group === row.group)))]
            : []),
        ],
        ...(here.length > 0 && { top: number(used(here)) }),
        said: href ? t('openReport', { said }) : t('openJobs', { said }),
        href: href ?? jobsHref('submittedDate', day, afterUnit(day, unit)),
      }
    })
    return (
      <PlotColumns
        key={countedIn}
        label={units.length > 1 ? `${label} ${t(`countedIn.${countedIn}`)}` : label}
        columns={columns}
        series={series}
        stacked
        {...(height !== undefined && { height })}
        tick={number}
      />
    )
  })
}
