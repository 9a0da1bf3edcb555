/** The columns of the work of a team: the text, who has it, how far it is, when it is due. */
import { useMemo } from 'react'
import { Link } from 'wouter'
import { Glyph } from '../../look/glyphs.tsx'
import { StatePill, type Status } from '../../look/states.tsx'
import { Due } from '../../parts/due.tsx'
import type { Column } from '../../parts/grid.tsx'
import { columnsOf, markColumn, momentOr } from '../../parts/list/columns.tsx'
import { useWriters } from '../../times.ts'
import { useWords } from '../../words/words.ts'
import css from './team.module.css'
import { holdersOf, type Key, type Row, type View } from './use-team.ts'

const looks: Readonly<Record<Row['state'], Status>> = {
  OPEN: 'SENT_TO_PROVIDER',
  RUNNING: 'IN_TRANSLATION',
  REJECTED: 'TRANSLATION_REJECTED',
  DELIVERED: 'REVIEW_TRANSLATION',
}

type ColumnsOf = {
  readonly view: View
  readonly providerId: string
  readonly marked: ReadonlyMap<string, Row>
  readonly mark: ((row: Row) => void) | undefined
}

export function useColumns({ view, providerId, marked, mark }: ColumnsOf): readonly Column<Row>[] {
  const t = useWords<Key>('team')
  const writers = useWriters()
  return useMemo(() => {
    const column = columnsOf<Row, Key>(t)
    const columns: (Column<Row> | false | undefined)[] = [
      mark &&
        markColumn(
          ({ assetTaskId }) => marked.has(assetTaskId),
          mark,
          (row) => t('mark', { name: row.requestName }),
        ),
      column('name', 'minmax(0, 1.6fr)', undefined, (row) => (
        <span className={css.two}>
          <span className={css.name}>
            <Link
              href={`/work/${providerId}/${row.jobId}/${row.assetTaskId}`}
              tabIndex={-1}
              className="clip"
              dir="auto"
            >
              {row.requestName}
            </Link>
            {row.hasError && (
              <span className={css.bad}>
                <Glyph name="error" size={14} label={t('hasError')} />
              </span>
            )}
          </span>
          <span className="dim meta clip" dir="auto">
            {row.jobName}
          </span>
        </span>
      )),
      column('language', 'minmax(80px, 120px)', 2, (row) => (
        <bdi className="clip">{writers.language(row.targetNativeLanguageCode)}</bdi>
      )),
      column('person', 'minmax(90px, 1fr)', 1, (row) => <People row={row} />),
      view === 'RUNNING' &&
        column('state', '140px', 2, ({ state }) => <StatePill status={looks[state]} />),
      column('progress', '120px', 2, (row) => <Progress row={row} />),
      column('due', '140px', 2, (row) => (
        <Due at={row.dueDate} isOpen={row.state !== 'DELIVERED' || row.isLate} />
      )),
      view === 'RUNNING'
        ? column('changed', '110px', 'hidden', (row) => momentOr(row.changedTime, t('never')))
        : column('delivered', '110px', 'hidden', (row) => momentOr(row.deliveredTime, t('never'))),
    ]
    return columns.filter((one): one is Column<Row> => Boolean(one))
  }, [view, providerId, marked, mark, t, writers])
}

/** Of a shared text everybody with their positions. */
function People({ row }: { readonly row: Row }) {
  const t = useWords<Key>('team')
  const { list } = useWriters()
  const holders = holdersOf(row)
  if (holders.length === 0) return <span className="dim">{t('nobody')}</span>
  const said = list([...new Set(holders.map(({ name, personId }) => name ?? personId))])
  const parts = row.shares?.map(({ name, personId, from, to }) =>
    t('part', { name: name ?? personId, from, to }),
  )
  return (
    <bdi className="clip" title={parts?.join('\n') ?? said}>
      {said}
    </bdi>
  )
}

function Progress({ row: { segments, words } }: { readonly row: Row }) {
  const t = useWords<Key>('team')
  const writers = useWriters()
  if (!segments || !words)
    return (
      <span className="dim" title={t('noSegments')}>
        –
      </span>
    )
  const said = t('segmentsDone', { done: segments.done, all: segments.total })
  return (
    <span className={css.two} title={said}>
      <span className="num meta">
        {t('wordsDone', {
          done: writers.number(words.done),
          all: writers.number(words.total),
        })}
      </span>
      <progress
        className={css.progress}
        aria-label={said}
        value={segments.done}
        max={Math.max(1, segments.total)}
      />
    </span>
  )
}
