/** All reports for one period, each with its sentence and a small plot. */
import { type ReportName, reportNames } from '@dragoman/contract/wire'
import { Link, useSearch } from 'wouter'
import type { CallAnswer } from '../../hub.ts'
import { Panel } from '../../parts/page.tsx'
import { Shown } from '../../parts/said.tsx'
import { useCall } from '../../queries.ts'
import { useWords } from '../../words/words.ts'
import type { Key } from './part.ts'
import type { ReportQuery } from './period.ts'
import { ReportPlot } from './plots.tsx'
import css from './reports.module.css'
import { isEmpty, useSummary } from './summary.ts'

export function Overview({ asked }: { readonly asked: ReportQuery }) {
  return (
    <div className={css.cards}>
      {reportNames.map((report) => (
        <Card key={report} report={report} asked={asked} />
      ))}
    </div>
  )
}

function Card({ report, asked }: { readonly report: ReportName; readonly asked: ReportQuery }) {
  const t = useWords<Key>('reports')
  const search = useSearch()
  const found = useCall('findReport', { params: { report }, query: asked })
  const href = `/reports/${report}${search && `?${search}`}`
  return (
    <Panel title={<Link href={href}>{t(`name.${report}`)}</Link>}>
      <Shown of={found} rows={4}>
        {(answer) => <Told report={answer} href={href} />}
      </Shown>
    </Panel>
  )
}

function Told({
  report,
  href,
}: {
  readonly report: CallAnswer<'findReport'>
  readonly href: string
}) {
  const said = useSummary(report)
  return (
    <>
      <p className={css.short}>{said}</p>
      {!isEmpty(report) && <ReportPlot report={report} label={said} height={150} href={href} />}
    </>
  )
}
