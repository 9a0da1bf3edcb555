/** The jobs as rows, by due date unless another order is chosen. */

import type { Job } from '@dragoman/contract/wire'
import { isLimited } from '@dragoman/contract/wire'
import { createContext, useCallback, useContext, useMemo, useSyncExternalStore } from 'react'
import { Link, useLocation } from 'wouter'
import type { CallInput } from '../../hub.ts'
import { Glyph } from '../../look/glyphs.tsx'
import { StatePill } from '../../look/states.tsx'
import type { Column } from '../../parts/grid.tsx'
import { columnsOf, markColumn } from '../../parts/list/columns.tsx'
import { List, useLiveList } from '../../parts/list/list.tsx'
import type { Marked } from '../../parts/list/marked.ts'
import { useUrlFilter } from '../../parts/list/url-filter.ts'
import { StateBar } from '../../parts/plots/state-bar.tsx'
import { useProviders } from '../../parts/provider-names.ts'
import type { Search } from '../../search.ts'
import { useSession } from '../../session.tsx'
import { useWriters } from '../../times.ts'
import type en from '../../words/en/jobs.json'
import { useWords } from '../../words/words.ts'
import { Due } from './due.tsx'
import { type Figures, useFigures } from './figures.ts'
import { type Chosen, type Order, orders, queryOf } from './filters.ts'
import css from './jobs.module.css'
import { isSame } from './saved.ts'
import { totalOf, useCounts } from './use-counts.ts'

type Key = keyof typeof en
type TableProps = {
  readonly chosen: Chosen
  readonly change: (some: Search) => void
  readonly input: CallInput<'listJobs'>
  readonly marked: Marked<Job>
  readonly onMark: (job: Job) => void
}

export function JobTable({ chosen, change, input, marked, onMark }: TableProps) {
  const t = useWords<Key>('jobs')
  const [, go] = useLocation()
  const inUrl = useUrlFilter(['view', 'is', 'filter'])
  const isArchive = chosen.view === 'archived'
  const list = isArchive ? 'listArchivedJobs' : 'listJobs'
  const { pages, newer } = useLiveList(list, input)
  const { filter } = input.query ?? {}
  const counts = useCounts(filter, !isArchive)
  const total = counts && !isArchive ? totalOf(counts) : undefined
  const reorder = useCallback((order: Order) => change({ order }), [change])
  const columns = useColumns(chosen.order, reorder, marked, onMark)
  const figures = useFigures(pages.items)
  const open = useCallback(({ jobId }: Job) => go(`/jobs/${jobId}`), [go])
  const loaded = (pages.start ?? 0) + pages.items.length
  const { siteId, sites } = useSession()
  const here = sites.find((site) => site.siteId === siteId)
  const lacksWork =
    here !== undefined &&
    !here.providers?.length &&
    here.roles.every((role) => isLimited(role, undefined))
  const isBad = pages.failure?.code === 'INVALID_FILTER'
  const isFiltered = !isSame({ ...queryOf(chosen), order: undefined, as: undefined }, {})
  const noneTitle = isBad
    ? 'badFilter'
    : lacksWork
      ? 'noWork'
      : isArchive
        ? 'noArchived'
        : isFiltered
          ? 'noMatch'
          : 'noJobs'
  return (
    <FiguresContext value={figures}>
      <List
        label={t('title')}
        columns={columns}
        // What is wrong with the filter is shown at its field.
        pages={isBad ? { ...pages, failure: null } : pages}
        newer={newer}
        idOf={({ jobId }) => jobId}
        onOpen={open}
        onMark={onMark}
        marked={useMemo(() => new Set(marked.keys()), [marked])}
        {...(total && !total.isMore && { total: total.total })}
        filter={{ ...inUrl, isSet: isFiltered && !lacksWork }}
        none={{
          glyph: 'jobs',
          title: t(noneTitle),
          body: <p>{lacksWork ? t('noWorkBody', { site: siteId }) : t('noJobsBody')}</p>,
        }}
        noMatch={{
          glyph: 'jobs',
          title: t(noneTitle),
          body: filter && <code dir="ltr">{filter}</code>,
          clear: t('clear'),
        }}
      />
      {pages.items.length > 0 && (
        <footer className={css.foot}>
          <span role="status">
            {t(total || !pages.hasMore ? 'loaded' : 'loadedMore', { loaded })}
            {total && total.total > loaded && (
              <>
                {', '}
                {t('andMore', { more: total.total - loaded, plus: total.isMore ? '+' : '' })}
              </>
            )}
          </span>
          <label className={css.order}>
            <span>{t('order')}</span>
            <select value={chosen.order} onChange={({ target }) => change({ order: target.value })}>
              {orders.map((order) => (
                <option key={order} value={order}>
                  {t(`order.${order}`)}
                </option>
              ))}
            </select>
          </label>
        </footer>
      )}
    </FiguresContext>
  )
}

/**
 * Read by the cells that show them: if the columns depended on them, every new page would render
 * all rows again.
 */
const FiguresContext = createContext<Figures>(new Map())

/** The same array while nothing in it changes, because a new one makes all rows render again. */
function useColumns(
  order: Order,
  reorder: (order: Order) => void,
  marked: Marked<Job>,
  onMark: (job: Job) => void,
): readonly Column<Job>[] {
  const t = useWords<Key>('jobs')
  const { nameOf } = useProviders()
  const writers = useWriters()
  const isWide = useWide()
  return useMemo(() => {
    /** A click on the heading sorts in the first of the two orders, and then in the other. */
    const sortBy = (first: Order, second: Order) => ({
      ...((order === first || order === second) && {
        direction: order.endsWith(' desc') ? ('descending' as const) : ('ascending' as const),
      }),
      toggle: () => reorder(order === first ? second : first),
    })
    const column = columnsOf<Job, Key>(t)
    const columns: readonly Column<Job>[] = [
      markColumn(
        ({ jobId }) => marked.has(jobId),
        onMark,
        ({ jobName }) => t('mark', { name: jobName }),
      ),
      column('job', 'minmax(280px, 1fr)', undefined, (job) => (
        <span className={css.job}>
          <Link href={`/jobs/${job.jobId}`} tabIndex={-1} className="clip" dir="auto">
            {job.jobName}
          </Link>
          {job.hasError && (
            <span className={css.bad} title={job.latestErrorMessage}>
              <Glyph
                name="error"
                size={14}
                label={t('hasError', { error: job.latestErrorMessage ?? '' })}
              />
            </span>
          )}
        </span>
      )),
      column('state', '150px', undefined, (job) => <State job={job} />),
      column('due', 'minmax(136px, 164px)', 2, (job) => <Due job={job} />, {
        sort: sortBy('dueDate', 'dueDate desc'),
      }),
      column(
        'languages',
        'minmax(64px, 96px)',
        2,
        ({ targetNativeLanguageCodes: codes = [], aggregateRequests }) => (
          <span className={css.languages} title={writers.list(codes.map(writers.language))}>
            <span className="num">{codes.length || ''}</span>
            <StateBar counts={aggregateRequests?.byStatusCode ?? {}} size="small" />
          </span>
        ),
      ),
      column(
        'words',
        'minmax(52px, 64px)',
        'hidden',
        ({ jobId }) => <Quoted jobId={jobId} figure="words" />,
        { atEnd: true },
      ),
      column(
        'cost',
        'minmax(96px, 116px)',
        2,
        ({ jobId }) => <Quoted {...{ jobId }} figure="cost" />,
        {
          atEnd: true,
        },
      ),
      column(
        'provider',
        'minmax(56px, 100px)',
        'hidden',
        ({ providerId }) =>
          providerId && <bdi title={nameOf(providerId)}>{nameOf(providerId)}</bdi>,
      ),
      column(
        'created',
        '60px',
        'hidden',
        ({ createdDate }) => (
          <time
            dateTime={createdDate}
            title={`${writers.full(createdDate)}, ${createdDate}`}
            className="dim"
          >
            {writers.date(createdDate)}
          </time>
        ),
        { sort: sortBy('createdDate desc', 'createdDate') },
      ),
    ]
    return isWide ? columns : columns.filter(({ name }) => name !== 'created')
  }, [order, reorder, marked, onMark, t, nameOf, writers, isWide])
}

const wideScreen = matchMedia('(min-width: 1400px)')
const watchWidth = (told: () => void): (() => void) => {
  wideScreen.addEventListener('change', told)
  return () => wideScreen.removeEventListener('change', told)
}
/** Room for one more column. */
const useWide = (): boolean => useSyncExternalStore(watchWidth, () => wideScreen.matches)

function State({ job }: { readonly job: Job }) {
  const t = useWords<Key>('jobs')
  const inReview = job.aggregateRequests?.byStatusCode.REVIEW_TRANSLATION ?? 0
  if (job.archiveStatus !== 'ACTIVE')
    return <span className="mut">{t(`archive.${job.archiveStatus}`)}</span>
  return (
    <span className={css.state}>
      <StatePill status={job.statusCode} />
      {inReview > 0 && (
        <span className={css.inReview} title={t('inReview', { count: inReview })}>
          <Glyph name="review" size={12} label={t('inReview', { count: inReview })} />
          <span aria-hidden="true">{inReview}</span>
        </span>
      )}
    </span>
  )
}

function Quoted({ jobId, figure }: { readonly jobId: string; readonly figure: 'words' | 'cost' }) {
  const t = useWords<Key>('jobs')
  const writers = useWriters()
  const found = useContext(FiguresContext).get(jobId)
  if (!found)
    return (
      <span className={css.unknown} title={t('notQuoted')}>
        –
      </span>
    )
  return figure === 'words' ? (
    writers.number(found.words)
  ) : (
    <bdi>{writers.money(found.total, found.currency)}</bdi>
  )
}
