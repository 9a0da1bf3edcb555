/** The columns of the list of deliveries. */
import type { SiteDelivery } from '@dragoman/contract/wire'
import { useMemo } from 'react'
import { Link } from 'wouter'
import { DeliveryPill } from '../../parts/deliveries/delivery-state.tsx'
import type { Column } from '../../parts/grid.tsx'
import { Moment } from '../../parts/moment.tsx'
import type { SeenListener } from '../../parts/seen-listeners.ts'
import css from './deliveries.module.css'
import { useDeliveriesWords } from './words.ts'

/** Beside an inspector there is room only for the main ones. */
const main = ['created', 'job', 'state', 'answer']

export function useColumns(
  listeners: readonly SeenListener[],
  isNarrow: boolean,
): readonly Column<SiteDelivery>[] {
  const t = useDeliveriesWords()
  return useMemo(() => {
    const hosts = new Map(listeners.map(({ listenerId, host }) => [listenerId, host]))
    const all: readonly Column<SiteDelivery>[] = [
      {
        name: 'created',
        title: t('created'),
        width: isNarrow ? 'minmax(0, 1fr)' : '170px',
        narrow: 2,
        cell: ({ createdTime }) => <Moment at={createdTime} />,
      },
      {
        name: 'job',
        title: t('job'),
        width: '100px',
        narrow: 1,
        // Without a sequence it may be a sample, whose job does not exist; the details tell.
        cell: ({ jobId, sequence }) =>
          sequence === undefined ? (
            <span className="mono">{jobId}</span>
          ) : (
            <Link href={`/jobs/${jobId}`} className="mono">
              {jobId}
            </Link>
          ),
      },
      {
        name: 'event',
        title: t('event'),
        width: 'minmax(0, 1.2fr)',
        narrow: 'hidden',
        cell: ({ eventType, sequence }) => (
          <>
            <code>{eventType}</code>
            {sequence !== undefined && <span className="dim num"> {sequence}</span>}
          </>
        ),
      },
      {
        name: 'listener',
        title: t('listener'),
        width: 'minmax(0, 1fr)',
        narrow: 2,
        cell: ({ listenerId }) => <bdi>{hosts.get(listenerId) ?? listenerId}</bdi>,
      },
      {
        name: 'state',
        title: t('state'),
        width: '132px',
        narrow: 1,
        cell: (row) => <DeliveryPill delivery={row} />,
      },
      {
        name: 'answer',
        title: t('answer'),
        width: '76px',
        atEnd: true,
        narrow: 2,
        cell: ({ responseCode, error, state }) => (
          <span className={state === 'DELIVERED' ? 'num' : css.bad} title={error}>
            {responseCode ?? (error ? t('noAnswer') : '')}
          </span>
        ),
      },
      {
        name: 'tries',
        title: t('tries'),
        width: '56px',
        atEnd: true,
        narrow: 'hidden',
        cell: ({ tries }) => tries,
      },
      {
        name: 'next',
        title: t('next'),
        width: '108px',
        atEnd: true,
        narrow: 'hidden',
        cell: ({ nextAttemptTime, tries }) =>
          nextAttemptTime && tries > 0 && <Moment at={nextAttemptTime} as="relative" />,
      },
    ]
    return isNarrow ? all.filter(({ name }) => main.includes(name)) : all
  }, [t, listeners, isNarrow])
}
