/**
 * The call log as a live tail: what a client called, what it got, and why. The URL holds the
 * filters and the open call.
 */
import type { LoggedCall } from '@dragoman/contract/wire'
import { useRef, useState } from 'react'
import { Link } from 'wouter'
import { call } from '../../hub.ts'
import { useKeys } from '../../keys.ts'
import { useLeft } from '../../left.ts'
import { Button, ButtonLink } from '../../parts/controls.tsx'
import { columnsOf } from '../../parts/list/columns.tsx'
import { ListPage } from '../../parts/list/list-page.tsx'
import { useRowInPath } from '../../parts/list/open-row.ts'
import { useUrlFilter } from '../../parts/list/url-filter.ts'
import { Moment } from '../../parts/moment.tsx'
import { useNarrow } from '../../parts/narrow.ts'
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
  const inUrl = useUrlFilter(filterNames)
  const { search, change } = inUrl
  const row = useRowInPath('/calls', 'traceId')
  const open = row.id
  const isNarrow = useNarrow()
  const [isTailing, setTailing] = useState(true)
  const [isTop, changeTop] = useLeft('isTop', true)
  const [isOver, setOver] = useState(false)
  const list = useRef<HTMLDivElement>(null)
  const isUsed = isOver || open !== undefined
  const filter = filterOf(search)
  const hasConsole = filter.without === undefined
  const tail = useTail(filter, isTailing && isTop && !isUsed)
  const { items } = tail.pages

  const show = ({ traceId }: LoggedCall) => row.show(traceId)
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

  const column = columnsOf<LoggedCall, Key>(t)
  // Beside the inspector there is no room for ids.
  const beside = 'hidden' as const
  const time = column('col.time', '72px', 1, (one) => <Moment at={one.time} as="clock" />)
  const status = column('col.status', 'minmax(0, 1.2fr)', 1, (one) => <StatusMark call={one} />)
  const path = column('col.call', 'minmax(0, 2fr)', 2, (one) => (
    <span className={`${css.call} clip`} dir="ltr" title={`${one.method} ${pathOf(one)}`}>
      <b>{one.method}</b> <span>{pathOf(one).replace(/^\/v2\b/, '')}</span>
    </span>
  ))
  const others = [
    column(
      'col.client',
      'minmax(0, 0.9fr)',
      2,
      ({ clientId }) => clientId && <bdi>{clientId}</bdi>,
      { beside },
    ),
    column(
      'col.job',
      '104px',
      'hidden',
      ({ jobId }) =>
        jobId && (
          <Link href={`/jobs/${jobId}`} className="mono" tabIndex={-1}>
            {jobId}
          </Link>
        ),
      { beside },
    ),
    column('col.duration', '72px', 2, ({ durationMs }) => writers.duration(durationMs), {
      atEnd: true,
    }),
  ]
  return (
    <ListPage
      title={t('title')}
      pages={tail.pages}
      // On a phone a row shows status and time above the path.
      columns={isNarrow ? [status, time, path] : [time, status, path, ...others]}
      idOf={nameOf}
      selected={open === undefined ? undefined : (nameIn(items, open) ?? open)}
      onOpen={show}
      rowHeight={34}
      timeOf={timeOf}
      filter={inUrl}
      none={{
        glyph: 'call',
        title: t('none'),
        body: (
          <>
            <p>{t('noneBody')}</p>
            {profile === 'sandbox' && <ButtonLink href="/sandbox">{t('toSandbox')}</ButtonLink>}
          </>
        ),
      }}
      noMatch={{
        glyph: 'call',
        title: t('noneMatch'),
        body: <p>{t('noneMatchBody')}</p>,
        clear: t('clear'),
      }}
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
          <Filters filter={inUrl} calls={items} />
          <Counts search={search} change={change} newest={items[0] && nameOf(items[0])} />
        </>
      }
      inspector={
        open !== undefined && (
          <CallInspector
            key={open}
            traceId={open}
            known={items.find((call) => call.traceId === open)}
            onClose={row.close}
          />
        )
      }
      around={(rows) => (
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
          {rows}
        </div>
      )}
    />
  )
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
