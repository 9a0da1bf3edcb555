/** The plot of each report. Values only set lengths; every text is formatted as in the table. */
import type { ReportRow } from '@dragoman/contract/wire'
import type { Series } from '../../parts/plots/plot.tsx'
import { PlotColumns } from '../../parts/plots/plot-columns.tsx'
import { useWriters } from '../../times.ts'
import { useWords } from '../../words/words.ts'
import { addAmounts, heightOf } from './amounts.ts'
import { shareOf, useGroupName } from './columns.ts'
import { EnginePlots } from './engine-plots.tsx'
import type { Key } from './part.ts'
import { afterUnit, jobsHref, unitsIn } from './period.ts'
import { EffortPlot, LatencyPlot, type PlotProps, RejectPlot, TimePlot } from './row-plots.tsx'

const series = (fill: Series['fill'], pattern: Series['pattern']) => ({ fill, pattern })
/** Colour and pattern of each measure. */
const looks = {
  submitted: series('sent', 'plain'),
  delivered: series('review', 'up'),
  approved: series('approved', 'dots'),
  new: series('translating', 'plain'),
  fuzzy: series('review', 'up'),
  exact: series('sent', 'down'),
  context: series('sending', 'dots'),
  repetition: series('created', 'grid'),
  onTime: series('approved', 'plain'),
  late: series('review', 'up'),
  missing: series('rejected', 'grid'),
} as const
type Measure = keyof typeof looks

export function ReportPlot(props: PlotProps) {
  const { report } = props.report
  if (report === 'time-in-state') return <TimePlot {...props} />
  if (report === 'rejects') return <RejectPlot {...props} />
  if (report === 'effort') return <EffortPlot {...props} />
  if (report === 'latency') return <LatencyPlot {...props} />
  if (report === 'money') return <MoneyPlots {...props} />
  if (report === 'engines') return <EnginePlots {...props} />
  if (report === 'throughput')
    return (
      <UnitPlot
        {...props}
        measures={['submitted', 'delivered', 'approved']}
        line="backlog"
        field="submittedDate"
      />
    )
  if (report === 'on-time')
    return <UnitPlot {...props} measures={['onTime', 'late', 'missing']} stacked field="dueDate" />
  return (
    <UnitPlot
      {...props}
      measures={['new', 'fuzzy', 'exact', 'context', 'repetition']}
      stacked
      field="submittedDate"
    />
  )
}

type UnitProps = PlotProps & {
  readonly measures: readonly Measure[]
  readonly stacked?: boolean
  readonly line?: 'backlog'
  readonly field: 'submittedDate' | 'dueDate'
}

/** Rows of the same unit become one column: counts are added up over currencies and groups. */
function unitsOf(
  rows: readonly ReportRow[],
  names: readonly (Measure | 'backlog' | 'due')[],
): ReportRow[] {
  const units = new Map<string, ReportRow>()
  for (const row of rows) {
    const day = row.day ?? ''
    const before = units.get(day)
    const added = Object.fromEntries(
      names.map((name) => [name, (before?.[name] ?? 0) + (row[name] ?? 0)]),
    )
    units.set(day, { day, ...added })
  }
  return [...units.values()]
}

function UnitPlot({
  report: { rows, totals, unit, report },
  label,
  height,
  href,
  measures,
  stacked,
  line,
  field,
}: UnitProps) {
  const t = useWords<Key>('reports')
  const { number, date, percent } = useWriters()
  const totalOf = (name: Measure) => totals.reduce((sum, row) => sum + (row[name] ?? 0), 0)
  const present = measures.filter((name) => !stacked || totalOf(name) > 0)
  const all = present.map(
    (name): Series => ({ name: t(name), ...looks[name], total: number(totalOf(name)) }),
  )
  const columns = unitsOf(rows, [...measures, 'backlog', 'due']).map((row) => {
    const day = row.day ?? ''
    const name = date(`${day}T12:00:00Z`)
    const parts = present.map((measure) => `${t(measure)} ${number(row[measure] ?? 0)}`)
    if (line) parts.push(`${t(line)} ${number(row[line] ?? 0)}`)
    const said = `${name}: ${parts.join(', ')}`
    return {
      name,
      values: present.map((measure) => row[measure] ?? 0),
      ...(line && { line: row[line] ?? 0 }),
      ...(report === 'on-time' && { top: percent(Number(shareOf(row)) / 100) }),
      ...(report === 'words' && {
        top: number(present.reduce((sum, measure) => sum + (row[measure] ?? 0), 0)),
      }),
      said: href ? t('openReport', { said }) : t('openJobs', { said }),
      href: href ?? jobsHref(field, day, afterUnit(day, unit)),
    }
  })
  return (
    <PlotColumns
      label={label}
      columns={columns}
      series={all}
      stacked={stacked ?? false}
      {...(line && { line: t(line) })}
      {...(height !== undefined && { height })}
      tick={number}
    />
  )
}

const moneyLooks = [
  series('sent', 'plain'),
  series('review', 'up'),
  series('translating', 'down'),
  series('sending', 'dots'),
  series('created', 'grid'),
] as const

/** One plot per currency, its largest groups stacked. */
function MoneyPlots({
  report: { rows, totals, unit, by, from, to },
  label,
  height,
  href,
}: PlotProps) {
  const t = useWords<Key>('reports')
  const { money, number, date } = useWriters()
  const groupName = useGroupName(by)
  const currencies = [...new Set(rows.map(({ currency = '' }) => currency))]
  return currencies.map((currency) => {
    const own = rows.filter((row) => row.currency === currency)
    const sizes = totals.filter((row) => row.currency === currency && row.amount !== undefined)
    const inOrder = sizes.sort(
      (one, other) => heightOf(other.amount ?? '0') - heightOf(one.amount ?? '0'),
    )
    const many = inOrder.length > moneyLooks.length ? moneyLooks.length - 1 : inOrder.length
    const shown = inOrder.slice(0, many)
    const rest = inOrder.slice(many)
    const isRest = (group: string | undefined) => rest.some((row) => row.group === group)
    const series: Series[] = [
      ...shown.map((row, at) => ({
        name: groupName(row),
        ...(moneyLooks[at] ?? moneyLooks[0]),
        total: money(row.amount ?? '0', currency),
      })),
      ...(rest.length > 0
        ? [
            {
              name: t('others'),
              ...moneyLooks[4],
              total: money(addAmounts(rest.map(({ amount = '0' }) => amount)), currency),
            },
          ]
        : []),
    ]
    // Every unit, so that a week without an amount appears as a gap.
    const days = unitsIn(from, to, unit)
    const columns = days.map((day) => {
      const here = own.filter((row) => row.day === day)
      const amountsOf = (keeps: (row: ReportRow) => boolean) =>
        addAmounts(here.filter(keeps).map(({ amount = '0' }) => amount))
      const total = money(addAmounts(here.map(({ amount = '0' }) => amount)), currency)
      const said = `${date(`${day}T12:00:00Z`)}: ${total}`
      return {
        name: date(`${day}T12:00:00Z`),
        values: [
          ...shown.map(({ group }) => heightOf(amountsOf((row) => row.group === group))),
          ...(rest.length > 0 ? [heightOf(amountsOf(({ group }) => isRest(group)))] : []),
        ],
        ...(here.length > 0 && { top: total }),
        said: href ? t('openReport', { said }) : t('openJobs', { said }),
        href: href ?? jobsHref('submittedDate', day, afterUnit(day, unit)),
      }
    })
    return (
      <PlotColumns
        key={currency}
        label={currencies.length > 1 ? `${label} ${currency}` : label}
        columns={columns}
        series={series}
        stacked
        {...(height !== undefined && { height })}
        tick={number}
      />
    )
  })
}
