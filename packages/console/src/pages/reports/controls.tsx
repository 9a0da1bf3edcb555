/** The period, its unit and the grouping of the report; all kept in the URL. */
import { groupsOfReport, type ReportName, reportUnits } from '@dragoman/contract/wire'
import { useNow } from '../../clock.ts'
import { Chip, Chips } from '../../parts/controls.tsx'
import { useCall } from '../../queries.ts'
import type { Search } from '../../search.ts'
import { useWords } from '../../words/words.ts'
import type { Key } from './part.ts'
import { dayOf, presetFrom, presets, type ReportQuery } from './period.ts'
import css from './reports.module.css'

type ControlsProps = {
  readonly report?: ReportName
  readonly asked: ReportQuery
  readonly change: (change: Search) => void
}

export function PeriodControls({ report, asked, change }: ControlsProps) {
  const t = useWords<Key>('reports')
  const today = dayOf(useNow())
  const { from, to, unit } = asked
  const hasUnit =
    report !== 'time-in-state' &&
    report !== 'rejects' &&
    report !== 'latency' &&
    report !== 'effort'
  const choose = (from: string) => change({ from, to: undefined, unit: undefined })
  return (
    <div className={css.controls}>
      <Chips label={t('period')}>
        {presets.map((preset) => {
          const first = presetFrom(preset, Date.parse(today))
          return (
            <Chip
              key={preset}
              pressed={from === first && to === today}
              onPress={() => choose(first)}
            >
              {t(`preset.${preset}`)}
            </Chip>
          )
        })}
      </Chips>
      <label>
        <span>{t('from')}</span>
        <input
          type="date"
          value={from}
          max={to}
          onChange={({ target }) => change({ from: target.value, to })}
        />
      </label>
      <label>
        <span>{t('to')}</span>
        <input
          type="date"
          value={to}
          max={today}
          onChange={({ target }) => change({ from, to: target.value })}
        />
      </label>
      {hasUnit && (
        <Chips label={t('unit')}>
          {reportUnits.map((one) => (
            <Chip key={one} pressed={unit === one} onPress={() => change({ unit: one })}>
              {t(`unit.${one}`)}
            </Chip>
          ))}
        </Chips>
      )}
      {report && groupsOfReport[report].length > 0 && (
        <By report={report} asked={asked} change={change} />
      )}
    </div>
  )
}

function By({ report, asked, change }: ControlsProps & { readonly report: ReportName }) {
  const t = useWords<Key>('reports')
  const groups = groupsOfReport[report]
  const hasCodes = groups.includes('code1')
  const codes = useCall('listAnalysisCodes', {}, { enabled: hasCodes })
  const levels = codes.data?.levels ?? []
  const names = groups.flatMap((group) => {
    if (!group.startsWith('code')) return [[group, t(`by.${group}` as Key)] as const]
    const level = Number(group.slice(4))
    const found = levels.find((one) => one.level === level)
    // Levels without codes cannot group anything.
    if (!found || found.codes.length === 0) return []
    return [
      [
        group,
        found.label ? t('by.code', { level, label: found.label }) : t('by.level', { level }),
      ] as const,
    ]
  })
  const isAlways = report !== 'on-time'
  return (
    <label>
      <span>{t('by')}</span>
      <select
        value={asked.by ?? (isAlways ? groups[0] : '')}
        onChange={({ target }) => change({ by: target.value || undefined })}
      >
        {!isAlways && <option value="">{t('by.none')}</option>}
        {names.map(([group, name]) => (
          <option key={group} value={group}>
            {name}
          </option>
        ))}
      </select>
    </label>
  )
}
