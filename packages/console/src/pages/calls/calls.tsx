/**
 * The call log as a live tail: what a client called, what it got, and why. The URL holds the
 * filters and the open call.
 */
import type { LoggedCall } from '@dragoman/contract/wire'
import { useRef, useState } from 'react'
import { Link, useLocation, useParams, useSearch } from 'wouter'
import { call } from '../../hub.ts'
import { useKeys } from '../../keys.ts'
import { useLeft } from '../../left.ts'
import { Button, ButtonLink } from '../../parts/controls.tsx'
import { type Column, Grid } from '../../parts/grid.tsx'
import { Moment } from '../../parts/moment.tsx'
import { useNarrow } from '../../parts/narrow.ts'
import { Page } from '../../parts/page.tsx'
import { Empty } from '../../parts/said.tsx'
import { useSearchState } from '../../search.ts'
import { useSession } from '../../session.tsx'
import { useWriters } from '../../times.ts'
import type en from '../../words/en/calls.json'
import { useWords } from '../../words/words.ts'
import { pathOf } from './as-code.ts'
import { CallInspector } from './call-inspector.tsx'
import css from './calls.module.css'
import { Counts } from './counts.tsx'
import { Filters, filterNames, filterOf } from './filters.tsx'
import { StatusMark } from './status-mark.tsx'
import { type CallsFilter, nameOf, useTail } from './tail.ts'

type Key = keyof typeof en
const isFailed = ({ statusCode }: LoggedCall): boolean => statusCode >= 400
const timeOf = ({ time }: LoggedCall): string => time

export default function CallsPage() {
  const t = useWords<Key>('calls')
  const { profile } = useSession()
  const writers = useWriters()
  const [search, change] = useSearchState()
  const query = useSearch()
  const [, go] = useLocation()
  const { traceId } = useParams<{ traceId?: string }>()
  const isNarrow = useNarrow()
  const [isTailing, setTailing] = useState(true)
  const [isTop, changeTop] = useLeft('isTop', true)
  const [isOver, setOver] = useState(false)
  const list = useRef<HTMLDivElement>(null)
  const open = traceId === undefined ? undefined : decodeURIComponent(traceId)
  const isUsed = isOver || open !== undefined
  const filter = filterOf(search)
  const hasConsole = filter.without === undefined
  const tail = useTail(filter, isTailing && isTop && !isUsed)
  const { items } = tail.pages

  const show = (call: LoggedCall) =>
    go(`/calls/${encodeURIComponent(call.traceId)}${query && `?${query}`}`)
  const close = () => go(`/calls${query && `?${query}`}`)
  const showNewer = () => {
    tail.showNewer()
    list.current?.querySelector('[role=presentation]')?.scrollTo({ top: 0 })
  }
  const nextFailed = async () => {
    const at = items.findIndex((call) => call.traceId === open)
    const found =
      items.slice(at + 1).find(isFailed) ?? items.find(isFailed) ?? (await newestFailed(filter))
    if (found) show(found)
  }
  useKeys([
    { keys: 'e', says: t('nextFailed'), act: () => void nextFailed() },
    { keys: '.', says: t('showNewer'), act: showNewer },
    { keys: 't', says: t('tail'), act: () => setTailing(!isTailing) },
  ])

  const columns: Column<LoggedCall>[] = [
    {
      name: 'time',
      title: t('col.time'),
      width: '72px',
      cell: ({ time }) => <Moment at={time} as="clock" />,
      narrow: 1,
    },
    {
      name: 'status',
      title: t('col.status'),
      width: 'minmax(0, 1.2fr)',
      cell: (call) => <StatusMark call={call} />,
      narrow: 1,
    },
    {
      name: 'call',
      title: t('col.call'),
      width: 'minmax(0, 2fr)',
      cell: (call) => (
        <span className={`${css.call} clip`} dir="ltr" title={`${call.method} ${pathOf(call)}`}>
          <b>{call.method}</b> <span>{pathOf(call).replace(/^\/v2\b/, '')}</span>
        </span>
      ),
      narrow: 2,
    },
    {
      name: 'client',
      title: t('col.client'),
      width: 'minmax(0, 0.9fr)',
      cell: ({ clientId }) => clientId && <bdi>{clientId}</bdi>,
      narrow: 2,
    },
    {
      name: 'job',
      title: t('col.job'),
      width: '104px',
      cell: ({ jobId }) =>
        jobId && (
          <Link href={`/jobs/${jobId}`} className="mono" tabIndex={-1}>
            {jobId}
          </Link>
        ),
      narrow: 'hidden',
    },
    {
      name: 'duration',
      title: t('col.duration'),
      width: '72px',
      cell: ({ durationMs }) => writers.duration(durationMs),
      atEnd: true,
      narrow: 2,
    },
  ]
  const shown = columnsFor(columns, isNarrow, open !== undefined)
  const hasFilter = filterNames.some((name) => search[name])
  return (
    <Page
      title={t('title')}
      fills
      beside={
        <span className={css.read}>
          <span className={isTailing ? css.live : css.paused} aria-hidden="true" />
          {tail.readAt === undefined
            ? t('reading')
            : t('readAt', { time: writers.clock(tail.readAt) })}
        </span>
      }
      acts={
        <>
          <Button
            small
            glyph={hasConsole ? 'tick' : 'add'}
            aria-pressed={hasConsole}
            onClick={() => change({ console: hasConsole ? undefined : 'shown' })}
          >
            {t('console')}
          </Button>
          <Button
            small
            glyph={isTailing ? 'tick' : 'play'}
            aria-pressed={isTailing}
            onClick={() => setTailing(!isTailing)}
          >
            {t('tail')}
          </Button>
        </>
      }
      head={
        <>
          <Filters search={search} change={change} calls={items} />
          <Counts search={search} change={change} newest={items[0] && nameOf(items[0])} />
        </>
      }
      inspector={
        open !== undefined && (
          <CallInspector
            key={open}
            traceId={open}
            known={items.find((call) => call.traceId === open)}
            onClose={close}
          />
        )
      }
    >
      <div
        className={css.list}
        ref={list}
        onScrollCapture={(event) => {
          const isAtTop = (event.target as HTMLElement).scrollTop < 4
          changeTop(() => isAtTop)
        }}
        onPointerEnter={() => setOver(true)}
        onPointerLeave={() => setOver(false)}
      >
        <div className={css.newer} aria-live="polite">
          {tail.newer > 0 && (
            <button type="button" onClick={showNewer}>
              {t('newer', { count: tail.newer, more: tail.isMany ? 'yes' : 'no' })} <kbd>.</kbd>
            </button>
          )}
        </div>
        <Grid
          label={t('title')}
          columns={shown}
          pages={tail.pages}
          idOf={nameOf}
          selected={nameIn(items, open)}
          onOpen={show}
          rowHeight={34}
          timeOf={timeOf}
          empty={
            <Empty glyph="call" title={hasFilter ? t('noneMatch') : t('none')}>
              <p>{hasFilter ? t('noneMatchBody') : t('noneBody')}</p>
              {hasFilter ? (
                <Button
                  onClick={() =>
                    change(Object.fromEntries(filterNames.map((name) => [name, undefined])))
                  }
                >
                  {t('clear')}
                </Button>
              ) : (
                profile === 'sandbox' && <ButtonLink href="/sandbox">{t('toSandbox')}</ButtonLink>
              )}
            </Empty>
          }
        />
      </div>
    </Page>
  )
}

/**
 * Beside the inspector there is no room for ids; on a phone a row shows status and time above the
 * path.
 */
function columnsFor(
  columns: readonly Column<LoggedCall>[],
  isNarrow: boolean,
  isOpen: boolean,
): Column<LoggedCall>[] {
  const order = isNarrow
    ? ['status', 'time', 'call']
    : ['time', 'status', 'call', 'client', 'job', 'duration']
  const left = isOpen ? order.filter((name) => name !== 'job' && name !== 'client') : order
  return left.flatMap((wanted) => columns.filter(({ name }) => name === wanted))
}

/** The newest failed call, which may be older than what is loaded. */
async function newestFailed(filter: CallsFilter): Promise<LoggedCall | undefined> {
  const query: CallsFilter = { ...filter, statusClass: 'failed', pageSize: 1 }
  const found = await call('listCalls', { query }).catch(() => undefined)
  return found?.calls[0]
}

const nameIn = (calls: readonly LoggedCall[], traceId: string | undefined): string | undefined => {
  const found = calls.find((call) => call.traceId === traceId)
  return found && nameOf(found)
}
