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
import { useNarrow } from '../../parts/narrow.ts'
import { useWriters } from '../../times.ts'
import type en from '../../words/en/work.json'
import { useWords } from '../../words/words.ts'
import { Done, Size } from './figures.tsx'
import css from './work.module.css'
import { hrefOf, type View, type Work } from './works.ts'

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
    const columns: (Column<Work> | false | undefined)[] = [
      mark && {
        name: 'mark',
        title: '',
        width: '20px',
        narrow: 0,
        cell: (work) => (
          <input
            type="checkbox"
            tabIndex={-1}
            className={css.mark}
            aria-label={t('mark', { name: work.requestName })}
            checked={marked.has(work.requestId)}
            onChange={() => mark(work)}
          />
        ),
      },
      {
        name: 'name',
        title: t('name'),
        width: 'minmax(0, 1.6fr)',
        cell: (work) => <Named work={work} view={view} />,
      },
      {
        name: 'languages',
        title: t('languages'),
        width: isNarrow ? 'auto' : 'minmax(96px, 148px)',
        narrow: 2,
        cell: ({ sourceNativeLanguageCode: from, targetNativeLanguageCode: to }) => (
          <span
            className={`${css.two} ${css.pair}`}
            title={t('fromTo', { from: writers.language(from), to: writers.language(to) })}
          >
            <bdi className="clip">{writers.language(to)}</bdi>
            <bdi className={`${css.from} dim meta clip`}>{writers.language(from)}</bdi>
          </span>
        ),
      },
      // What waits for a verdict is in one state.
      view !== 'REVIEW' && {
        name: 'state',
        title: t('state'),
        width: '140px',
        narrow: 2,
        cell: ({ statusCode, assignee }) => (
          <StatePill status={deskStatus(statusCode, assignee !== undefined)} />
        ),
      },
      {
        name: 'due',
        title: t('due'),
        width: '140px',
        narrow: 2,
        cell: ({ dueDate }) => <Due at={dueDate} />,
      },
      {
        name: 'words',
        title: t('wordsAndPrice'),
        width: '112px',
        narrow: 'hidden',
        cell: (work) => <Size work={work} />,
      },
      // Elsewhere nothing is done yet, or all.
      view === 'MINE' && {
        name: 'progress',
        title: t('progress'),
        width: '80px',
        narrow: 'hidden',
        cell: (work) => <Done work={work} />,
      },
      // Only shown where it can be someone else.
      view === 'REVIEW' && {
        name: 'person',
        title: t('person'),
        width: '110px',
        narrow: 'hidden',
        cell: ({ assignee }) =>
          assignee ? (
            <bdi className="clip">{assignee.name ?? assignee.personId}</bdi>
          ) : (
            <span className="dim">{t('nobody')}</span>
          ),
      },
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
