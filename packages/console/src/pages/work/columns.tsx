/**
 * The columns of the lists: the text and its job, languages, state, due date, size and price,
 * progress and what to do.
 */
import { useMemo } from 'react'
import { Link } from 'wouter'
import { Glyph } from '../../look/glyphs.tsx'
import { deskStatus, StatePill } from '../../look/states.tsx'
import { Button, ButtonLink } from '../../parts/controls.tsx'
import { Due } from '../../parts/due.tsx'
import type { Column } from '../../parts/grid.tsx'
import { columnsOf, markColumn } from '../../parts/list/columns.tsx'
import { useNarrow } from '../../parts/narrow.ts'
import { useWriters } from '../../times.ts'
import type en from '../../words/en/work.json'
import { useWords } from '../../words/words.ts'
import { Done, Size } from './figures.tsx'
import css from './work.module.css'
import { hrefOf, type View, type Work } from './works.ts'

type Key = keyof typeof en
type ColumnsOf = {
  readonly view: View
  readonly marked: ReadonlyMap<string, Work>
  readonly mark: ((work: Work) => void) | undefined
  readonly claim: (work: Work) => void
  readonly release: (work: Work) => void
}

export function useColumns({
  view,
  marked,
  mark,
  claim,
  release,
}: ColumnsOf): readonly Column<Work>[] {
  const t = useWords<keyof typeof en>('work')
  const writers = useWriters()
  const isNarrow = useNarrow()
  return useMemo(() => {
    const act = (work: Work) => {
      const name = work.requestName
      if (view === 'OPEN')
        return (
          <Button
            small
            tabIndex={-1}
            aria-label={t('claimOne', { name })}
            onClick={() => claim(work)}
          >
            {t('claim')}
          </Button>
        )
      if (view === 'MINE')
        return (
          <Button
            small
            kind="quiet"
            tabIndex={-1}
            aria-label={t('releaseOne', { name })}
            onClick={() => release(work)}
          >
            {t('release')}
          </Button>
        )
      return (
        <ButtonLink small href={hrefOf(work, view)}>
          {t('review')}
        </ButtonLink>
      )
    }
    const column = columnsOf<Work, Key>(t)
    const columns: (Column<Work> | false | undefined)[] = [
      mark &&
        markColumn(
          ({ requestId }) => marked.has(requestId),
          mark,
          (work) => t('mark', { name: work.requestName }),
        ),
      column('name', 'minmax(0, 1.6fr)', undefined, (work) => <Named work={work} view={view} />),
      column(
        'languages',
        isNarrow ? 'auto' : 'minmax(96px, 148px)',
        2,
        ({ sourceNativeLanguageCode: from, targetNativeLanguageCode: to }) => (
          <span
            className={`${css.two} ${css.pair}`}
            title={t('fromTo', { from: writers.language(from), to: writers.language(to) })}
          >
            <bdi className="clip">{writers.language(to)}</bdi>
            <bdi className={`${css.from} dim meta clip`}>{writers.language(from)}</bdi>
          </span>
        ),
      ),
      // What waits for a verdict is in one state.
      view !== 'REVIEW' &&
        column('state', '140px', 2, ({ statusCode, assignee }) => (
          <StatePill status={deskStatus(statusCode, assignee !== undefined)} />
        )),
      column('due', '140px', 2, ({ dueDate }) => <Due at={dueDate} />),
      column('wordsAndPrice', '112px', 'hidden', (work) => <Size work={work} />),
      // Elsewhere nothing is done yet, or all.
      view === 'MINE' && column('progress', '80px', 'hidden', (work) => <Done work={work} />),
      // Only shown where it can be someone else.
      view === 'REVIEW' &&
        column('person', '110px', 'hidden', ({ assignee }) =>
          assignee ? (
            <bdi className="clip">{assignee.name ?? assignee.personId}</bdi>
          ) : (
            <span className="dim">{t('nobody')}</span>
          ),
        ),
      { name: 'act', title: '', width: '92px', atEnd: true, narrow: 1, cell: act },
    ]
    return columns.filter((column): column is Column<Work> => Boolean(column))
  }, [view, marked, mark, claim, release, t, writers, isNarrow])
}

/** The text, and below it its job, with the provider or with why it came back. */
function Named({ work, view }: { readonly work: Work; readonly view: View }) {
  const t = useWords<keyof typeof en>('work')
  const { requestName, jobName, providerName, rejectNote, hasError } = work
  return (
    <span className={css.two}>
      <span className={css.name}>
        <Link href={hrefOf(work, view)} tabIndex={-1} className="clip" dir="auto">
          {requestName}
        </Link>
        {hasError && (
          <span className={css.bad}>
            <Glyph name="error" size={14} label={t('hasError')} />
          </span>
        )}
      </span>
      <span className={`${css.below} dim meta`} title={rejectNote ?? jobName}>
        <span className="clip" dir="auto">
          {jobName}
        </span>
        <span aria-hidden="true">·</span>
        {rejectNote ? (
          <span className={`${css.back} clip`}>
            {t('rejected', { note: rejectNote.split('\n')[0] ?? '' })}
          </span>
        ) : (
          <span className="clip" dir="auto">
            {providerName}
          </span>
        )}
      </span>
    </span>
  )
}
