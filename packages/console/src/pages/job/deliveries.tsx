/** What was sent to listeners about this job. */
import type { Job, SiteDelivery } from '@dragoman/contract/wire'
import { DeliveryPill } from '../../parts/deliveries/delivery-state.tsx'
import { type Column, Grid } from '../../parts/grid.tsx'
import { Moment } from '../../parts/moment.tsx'
import { Empty } from '../../parts/said.tsx'
import { usePages } from '../../queries.ts'
import { useSearchState } from '../../search.ts'
import { useWords } from '../../words/words.ts'
import css from './job.module.css'
import type { Key } from './sentence.tsx'

export function DeliveriesTab({ job }: { readonly job: Job }) {
  const t = useWords<Key>('job')
  const [search, setSearch] = useSearchState()
  const pages = usePages('listSiteDeliveries', { query: { jobId: job.jobId } })
  const columns: Column<SiteDelivery>[] = [
    {
      name: 'sequence',
      title: t('number'),
      width: '70px',
      cell: ({ sequence }) => sequence ?? '–',
    },
    {
      name: 'event',
      title: t('event'),
      width: 'minmax(0, 1fr)',
      cell: ({ eventType }) => <span className="mono">{eventType}</span>,
    },
    {
      name: 'state',
      title: t('state'),
      width: '120px',
      narrow: 2,
      cell: (delivery) => <DeliveryPill delivery={delivery} />,
    },
    {
      name: 'answer',
      title: t('answer'),
      width: 'minmax(0, 1fr)',
      beside: 'hidden',
      narrow: 2,
      cell: ({ responseCode, error, state }) => (
        <span className={state === 'DELIVERED' ? undefined : css.bad}>
          {responseCode ?? <bdi>{error ?? ''}</bdi>}
        </span>
      ),
    },
    {
      name: 'tries',
      title: t('tries'),
      width: '70px',
      atEnd: true,
      narrow: 'hidden',
      beside: 'hidden',
      cell: ({ tries }) => tries,
    },
    {
      name: 'time',
      title: t('since'),
      width: '170px',
      narrow: 2,
      cell: ({ createdTime }) => <Moment at={createdTime} />,
    },
  ]
  return (
    <Grid
      label={t('tab.deliveries')}
      columns={columns}
      pages={pages}
      idOf={({ deliveryId }) => deliveryId}
      selected={search.at?.startsWith('delivery.') ? search.at.slice(9) : undefined}
      onOpen={({ deliveryId }) =>
        setSearch({ at: `delivery.${deliveryId}` }, search.at ? 'replace' : 'push')
      }
      empty={<Empty title={t('noDeliveries')} glyph="delivery" />}
    />
  )
}
