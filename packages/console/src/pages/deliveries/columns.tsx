/** The columns of the list of deliveries. */
import type { SiteDelivery } from '@dragoman/contract/wire'
import { useMemo } from 'react'
import { Link } from 'wouter'
import { DeliveryPill } from '../../parts/deliveries/delivery-state.tsx'
import type { Column } from '../../parts/grid.tsx'
import { columnsOf } from '../../parts/list/columns.tsx'
import { Moment } from '../../parts/moment.tsx'
import type { SeenListener } from '../../parts/seen-listeners.ts'
import css from './deliveries.module.css'
import { type Key, useDeliveriesWords } from './words.ts'

/** Beside an inspector there is room only for the main columns. */
const beside = 'hidden' as const

export function useColumns(
  listeners: readonly SeenListener[],
  isBeside: boolean,
): readonly Column<SiteDelivery>[] {
  const t = useDeliveriesWords()
  return useMemo(() => {
    const hosts = new Map(listeners.map(({ listenerId, host }) => [listenerId, host]))
    const column = columnsOf<SiteDelivery, Key>(t)
    return [
      column('created', isBeside ? 'minmax(0, 1fr)' : '170px', 2, ({ createdTime }) => (
        <Moment at={createdTime} />
      )),
      // Without a sequence it may be a sample, whose job does not exist; the details tell.
      column('job', '100px', 1, ({ jobId, sequence }) =>
        sequence === undefined ? (
          <span className="mono">{jobId}</span>
        ) : (
          <Link href={`/jobs/${jobId}`} className="mono">
            {jobId}
          </Link>
        ),
      ),
      column(
        'event',
        'minmax(0, 1.2fr)',
        'hidden',
        ({ eventType, sequence }) => (
          <>
            <code>{eventType}</code>
            {sequence !== undefined && <span className="dim num"> {sequence}</span>}
          </>
        ),
        { beside },
      ),
      column(
        'listener',
        'minmax(0, 1fr)',
        2,
        ({ listenerId }) => <bdi>{hosts.get(listenerId) ?? listenerId}</bdi>,
        { beside },
      ),
      column('state', '132px', 1, (row) => <DeliveryPill delivery={row} />),
      column(
        'answer',
        '76px',
        2,
        ({ responseCode, error, state }) => (
          <span className={state === 'DELIVERED' ? 'num' : css.bad} title={error}>
            {responseCode ?? (error ? t('noAnswer') : '')}
          </span>
        ),
        { atEnd: true },
      ),
      column('tries', '56px', 'hidden', ({ tries }) => tries, { atEnd: true, beside }),
      column(
        'next',
        '108px',
        'hidden',
        ({ nextAttemptTime, tries }) =>
          nextAttemptTime && tries > 0 && <Moment at={nextAttemptTime} as="relative" />,
        { atEnd: true, beside },
      ),
    ]
  }, [t, listeners, isBeside])
}
