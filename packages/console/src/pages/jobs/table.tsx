/** The jobs as rows, by due date unless another order is chosen. */

import type { Job } from '@dragoman/contract/wire'
import { isLimited } from '@dragoman/contract/wire'
import { createContext, useCallback, useContext, useMemo, useSyncExternalStore } from 'react'
import { Link, useLocation } from 'wouter'
import type { CallInput } from '../../hub.ts'
import { useNewer } from '../../live/newer.ts'
import { Glyph } from '../../look/glyphs.tsx'
import { StatePill } from '../../look/states.tsx'
import { Button } from '../../parts/controls.tsx'
import { type Column, Grid } from '../../parts/grid.tsx'
import { NewerBar } from '../../parts/live.tsx'
import { StateBar } from '../../parts/plots/state-bar.tsx'
import { useProviders } from '../../parts/provider-names.ts'
import { Empty } from '../../parts/said.tsx'
import { usePages } from '../../queries.ts'
import type { Search } from '../../search.ts'
import { useSession } from '../../session.tsx'
import { useLive } from '../../stream.ts'
import { useWriters } from '../../times.ts'
import type en from '../../words/en/jobs.json'
import { useWords } from '../../words/words.ts'
import { Due } from './due.tsx'
import { type Figures, useFigures } from './figures.ts'
import { type Chosen, type Order, orders, queryOf } from './filters.ts'
import css from './jobs.module.css'
import { isSame } from './saved.ts'
import { totalOf, useCounts } from './use-counts.ts'

type TableProps = {
  readonly chosen: Chosen
  readonly change: (some: Search) => void
  readonly input: CallInput<'listJobs'>
  readonly marked: ReadonlyMap<string, Job>
  readonly onMark: (job: Job) => void
}

export function JobTable({ chosen, change, input, marked, onMark }: TableProps) {
  const t = useWords<keyof typeof en>('jobs')
  const [, go] = useLocation()
  const isArchive = chosen.view === 'archived'
  const list = isArchive ? 'listArchivedJobs' : 'listJobs'
  const pages = usePages(list, input)
  const newer = useNewer(list, input)
  useLive(list)
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
  return (
    <FiguresContext value={figures}>
      <NewerBar newer={newer} />
      <Grid
        label={t('title')}
        columns={columns}
        // What is wrong with the filter is shown at its field.
        pages={isBad ? { ...pages, failure: null } : pages}
        idOf={({ jobId }) => jobId}
        onOpen={open}
        onMark={onMark}
        marked={useMemo(() => new Set(marked.keys()), [marked])}
        {...(total && !total.isMore && { total: total.total })}
        empty={
          <Empty
            title={t(
              isBad
                ? 'badFilter'
                : lacksWork
                  ? 'noWork'
                  : isArchive
                    ? 'noArchived'
                    : isFiltered
                      ? 'noMatch'
                      : 'noJobs',
            )}
            glyph="jobs"
          >
            {lacksWork ? (
              <p>{t('noWorkBody', { site: siteId })}</p>
            ) : isFiltered ? (
              <>
                {filter && <code dir="ltr">{filter}</code>}
                <Button
                  onClick={() => change({ view: undefined, is: undefined, filter: undefined })}
                >
                  {t('clear')}
                </Button>
              </>
            ) : (
              <p>{t('noJobsBody')}</p>
            )}
          </Empty>
        }
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
  marked: ReadonlyMap<string, Job>,
  onMark: (job: Job) => void,
): readonly Column<Job>[] {
  const t = useWords<keyof typeof en>('jobs')
  const { nameOf } = useProviders()
  const writers = useWriters()
  const isWide = useWide()
  return useMemo(() => {
    const dueSort =
      order === 'dueDate'
        ? ('ascending' as const)
        : order === 'dueDate desc'
          ? ('descending' as const)
          : undefined
    const newSort =
      order === 'createdDate'
        ? ('ascending' as const)
        : order === 'createdDate desc'
          ? ('descending' as const)
          : undefined
    const columns: readonly Column<Job>[] = [
      {
        name: 'mark',
        title: '',
        width: '20px',
        narrow: 0,
        cell: (job) => (
          <input
            type="checkbox"
            tabIndex={-1}
            className={css.mark}
            aria-label={t('mark', { name: job.jobName })}
            checked={marked.has(job.jobId)}
            onChange={() => onMark(job)}
          />
        ),
      },
      {
        name: 'job',
        title: t('job'),
        width: 'minmax(280px, 1fr)',
        cell: (job) => (
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
        ),
      },
      { name: 'state', title: t('state'), width: '150px', cell: (job) => <State job={job} /> },
      {
        name: 'due',
        title: t('due'),
        width: 'minmax(136px, 164px)',
        narrow: 2,
        sort: {
          ...(dueSort && { direction: dueSort }),
          toggle: () => reorder(order === 'dueDate' ? 'dueDate desc' : 'dueDate'),
        },
        cell: (job) => <Due job={job} />,
      },
      {
        name: 'languages',
        title: t('languages'),
        width: 'minmax(64px, 96px)',
        narrow: 2,
        cell: ({ targetNativeLanguageCodes: codes = [], aggregateRequests }) => (
          <span className={css.languages} title={writers.list(codes.map(writers.language))}>
            <span className="num">{codes.length || ''}</span>
            <StateBar counts={aggregateRequests?.byStatusCode ?? {}} size="small" />
          </span>
        ),
      },
      {
        name: 'words',
        title: t('words'),
        width: 'minmax(52px, 64px)',
        atEnd: true,
        narrow: 'hidden',
        cell: ({ jobId }) => <Quoted jobId={jobId} figure="words" />,
      },
      {
        name: 'cost',
        title: t('cost'),
        width: 'minmax(96px, 116px)',
        atEnd: true,
        narrow: 2,
        cell: ({ jobId }) => <Quoted jobId={jobId} figure="cost" />,
      },
      {
        name: 'provider',
        title: t('provider'),
        width: 'minmax(56px, 100px)',
        narrow: 'hidden',
        cell: ({ providerId }) =>
          providerId && <bdi title={nameOf(providerId)}>{nameOf(providerId)}</bdi>,
      },
      {
        name: 'created',
        title: t('created'),
        width: '60px',
        narrow: 'hidden',
        sort: {
          ...(newSort && { direction: newSort }),
          toggle: () => reorder(order === 'createdDate desc' ? 'createdDate' : 'createdDate desc'),
        },
        cell: ({ createdDate }) => (
          <time
            dateTime={createdDate}
            title={`${writers.full(createdDate)}, ${createdDate}`}
            className="dim"
          >
            {writers.date(createdDate)}
          </time>
        ),
      },
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
  const t = useWords<keyof typeof en>('jobs')
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
  const t = useWords<keyof typeof en>('jobs')
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
