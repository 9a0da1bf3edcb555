/** One report: its sentence, its plot or table, its download. */
import type { ReportName } from '@dragoman/contract/wire'
import type { CallAnswer } from '../../hub.ts'
import { useKeys } from '../../keys.ts'
import { Button, Chip, Chips } from '../../parts/controls.tsx'
import { csvOf } from '../../parts/csv.ts'
import { saveFile } from '../../parts/download.tsx'
import { Empty, Shown } from '../../parts/said.tsx'
import { useCall } from '../../queries.ts'
import { useSearchState } from '../../search.ts'
import { useWords } from '../../words/words.ts'
import { useFigures } from './columns.ts'
import type { Key } from './part.ts'
import type { ReportQuery } from './period.ts'
import { ReportPlot } from './plots.tsx'
import css from './reports.module.css'
import { maxRows, rowPlots } from './row-plots.tsx'
import { isEmpty, useSummary } from './summary.ts'
import { ReportTable } from './table.tsx'

type Answer = CallAnswer<'findReport'>

export function OneReport({
  report,
  asked,
}: {
  readonly report: ReportName
  readonly asked: ReportQuery
}) {
  const found = useCall('findReport', { params: { report }, query: asked })
  return (
    <Shown of={found} rows={8}>
      {(answer) => (answer.report === report ? <Told report={answer} /> : null)}
    </Shown>
  )
}

function Told({ report }: { readonly report: Answer }) {
  const t = useWords<Key>('reports')
  const [search, change] = useSearchState()
  const asTable = search.view === 'table'
  const said = useSummary(report)
  const figures = useFigures(report)
  const flip = () => change({ view: asTable ? undefined : 'table' })
  const save = () => {
    const head = figures.map(({ name }) => name)
    const rows = report.rows.map((row) => figures.map(({ plain }) => plain(row)))
    saveFile(
      `${report.report}-${report.from}-${report.to}.csv`,
      new Blob([csvOf([head, ...rows])], { type: 'text/csv' }),
    )
  }
  useKeys([
    { keys: 't', says: t('table'), act: flip },
    { keys: 'e', says: t('csv'), act: save },
  ])
  const groups = new Set(report.rows.map(({ group }) => group)).size
  const isCut = rowPlots.includes(report.report) && groups > maxRows
  return (
    <article className={css.report}>
      <div className={css.head}>
        <p className={css.said} role="status">
          {said}
        </p>
        <div className={css.acts}>
          <Chips label={t('shown')}>
            <Chip pressed={!asTable} onPress={() => change({ view: undefined })}>
              {t('plot')}
            </Chip>
            <Chip pressed={asTable} onPress={() => change({ view: 'table' })}>
              {t('table')}
            </Chip>
          </Chips>
          <Button small glyph="download" onClick={save}>
            {t('csv')}
          </Button>
          <Button small onClick={() => print()}>
            {t('print')}
          </Button>
        </div>
      </div>
      {isEmpty(report) ? (
        <Empty glyph="reports" title={t('says.nothing')}>
          <p>{t('nothingBody')}</p>
        </Empty>
      ) : asTable ? (
        <ReportTable report={report} label={said} />
      ) : (
        <ReportPlot report={report} label={said} height={300} />
      )}
      <Notes report={report} />
      {isCut && !asTable && <p className={css.note}>{t('more', { count: maxRows })}</p>}
      <p className={css.note}>
        {t(`about.${report.report}`)} {t('utc')}
      </p>
    </article>
  )
}

/** What the figures do not include. */
export function Notes({
  report: { jobsWithoutQuote = 0, incompleteQuotes = 0 },
}: {
  readonly report: Answer
}) {
  const t = useWords<Key>('reports')
  return (
    <>
      {jobsWithoutQuote > 0 && (
        <p className={css.note}>{t('noQuote', { count: jobsWithoutQuote })}</p>
      )}
      {incompleteQuotes > 0 && (
        <p className={css.note}>{t('incomplete', { count: incompleteQuotes })}</p>
      )}
    </>
  )
}
