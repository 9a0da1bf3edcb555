/** Reports: words, money and speed of the site. */
import { reportNames } from '@dragoman/contract/wire'
import { useParams, useSearch } from 'wouter'
import { useNow } from '../../clock.ts'
import { Page, Tabs } from '../../parts/page.tsx'
import { Empty } from '../../parts/said.tsx'
import { useSearchState } from '../../search.ts'
import { useMay } from '../../session.tsx'
import { useWords } from '../../words/words.ts'
import { PeriodControls } from './controls.tsx'
import { Overview } from './overview.tsx'
import type { Key } from './part.ts'
import { askedIn, dayOf, isReport } from './period.ts'
import { OneReport } from './report.tsx'
import css from './reports.module.css'

/** The period is kept when another report is opened. */
const shared = ['from', 'to', 'unit'] as const

export default function ReportsPage() {
  const t = useWords<Key>('reports')
  const { report } = useParams<{ report?: string }>()
  const [search, change] = useSearchState()
  const text = useSearch()
  // Rounded to the day, or the reports would be read again every second.
  const today = Date.parse(dayOf(useNow()))
  const chosen = isReport(report) ? report : undefined
  const asked = askedIn(search, chosen ?? 'throughput', today)
  const mayRead = useMay('manager')
  const kept = new URLSearchParams(
    [...new URLSearchParams(text)].filter(([name]) => (shared as readonly string[]).includes(name)),
  )
  const end = kept.size > 0 ? `?${kept}` : ''
  const tabs = [
    { name: '', href: `/reports${end}`, title: t('all') },
    ...reportNames.map((name) => ({
      name,
      href: `/reports/${name}${end}`,
      title: t(`name.${name}`),
    })),
  ]
  const title = chosen ? t(`name.${chosen}`) : t('title')
  return (
    <Page
      title={title}
      {...(chosen && { above: { href: `/reports${end}`, text: t('title') } })}
      head={<Tabs label={t('reports')} tabs={tabs} at={chosen ?? ''} />}
    >
      {mayRead ? (
        <div className={css.all}>
          <PeriodControls {...(chosen && { report: chosen })} asked={asked} change={change} />
          {chosen ? (
            <OneReport key={chosen} report={chosen} asked={asked} />
          ) : (
            <Overview asked={asked} />
          )}
        </div>
      ) : (
        <Empty glyph="lock" title={t('forbidden')}>
          <p>{t('forbiddenBody')}</p>
        </Empty>
      )}
    </Page>
  )
}
