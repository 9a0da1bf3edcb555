/**
 * Deliveries: first what fails and why, then all of them, the selected one beside them, and
 * replays.
 */
import type { DeliveryState, SiteDelivery } from '@dragoman/contract/wire'
import { useState } from 'react'
import { useLocation, useParams, useSearch } from 'wouter'
import { useKeys } from '../../keys.ts'
import { useNewer } from '../../live/newer.ts'
import type { GlyphName } from '../../look/glyphs.tsx'
import { Pill } from '../../look/states.tsx'
import { Button } from '../../parts/controls.tsx'
import { DeliveryInspector } from '../../parts/deliveries/delivery-inspector.tsx'
import { Grid } from '../../parts/grid.tsx'
import { NewerBar } from '../../parts/live.tsx'
import { Page } from '../../parts/page.tsx'
import { Empty } from '../../parts/said.tsx'
import { useListeners } from '../../parts/seen-listeners.ts'
import { useCall, usePages } from '../../queries.ts'
import { useSearchState } from '../../search.ts'
import { useLive } from '../../stream.ts'
import { Causes } from './causes.tsx'
import { useColumns } from './columns.tsx'
import css from './deliveries.module.css'
import { filterOf, isEmpty, noFilter, searchOf } from './filter.ts'
import { FilterBar } from './filter-bar.tsx'
import { Progress, ReplayDialog, type ReplayWanted, type Sent } from './replay.tsx'
import { useDeliveriesWords } from './words.ts'

export default function DeliveriesPage() {
  const t = useDeliveriesWords()
  const { deliveryId } = useParams<{ deliveryId?: string }>()
  const [search, change] = useSearchState()
  const text = useSearch()
  const [, go] = useLocation()
  const filter = filterOf(search)
  const pages = usePages('listSiteDeliveries', { query: filter })
  const newer = useNewer('listSiteDeliveries', { query: filter })
  const causes = useCall('listDeliveryCauses')
  const open = useCall('countDeliveries', { query: { state: ['PENDING', 'PARKED'] } })
  const matching = useCall('countDeliveries', { query: filter })
  const listeners = useListeners()
  const columns = useColumns(listeners.items, deliveryId !== undefined)
  const [asked, ask] = useState<ReplayWanted>()
  const [sent, note] = useState<Sent>()
  useLive('listSiteDeliveries', 'listDeliveryCauses', 'countDeliveries', 'findDelivery')
  const openRow = (row?: SiteDelivery) => {
    const rest = new URLSearchParams(text)
    rest.delete('attempt')
    const query = rest.toString()
    go(`/deliveries${row ? `/${row.deliveryId}` : ''}${query && `?${query}`}`)
  }
  const { data: counts } = matching
  const total = counts && counts.delivered + counts.waiting + counts.retrying + counts.parked
  const withoutWhole =
    filter.state || filter.responseCode !== undefined || filter.error
      ? t('missingNeeds')
      : undefined
  const askFor = (mode: ReplayWanted['mode']) => ask({ mode, filter })
  useKeys([
    { keys: 'r', says: t('replayFailed'), act: () => askFor('failed') },
    { keys: '/', says: t('toFilter'), act: () => document.getElementById('delivery-job')?.focus() },
  ])
  return (
    <Page
      title={t('title')}
      beside={
        open.data && (
          <>
            <Count
              look="rejected"
              glyph="error"
              count={open.data.parked}
              says="parked"
              state="PARKED"
            />
            <Count
              look="review"
              glyph="again"
              count={open.data.retrying}
              says="retrying"
              state="PENDING"
            />
            <Count
              look="created"
              glyph="created"
              count={open.data.waiting}
              says="waiting"
              state="PENDING"
            />
          </>
        )
      }
      fills
      inspector={
        deliveryId && (
          <DeliveryInspector key={deliveryId} deliveryId={deliveryId} onClose={() => openRow()} />
        )
      }
    >
      <Causes
        causes={causes}
        listeners={listeners.items}
        onReplay={(cause) => ask({ mode: 'failed', filter: filterOf(searchOf(cause)), cause })}
        onShow={(cause) => change(searchOf(cause), 'push')}
      />
      {sent && <Progress key={sent.until} sent={sent} onClose={() => note(undefined)} />}
      <FilterBar search={search} listeners={listeners.items} onChange={(some) => change(some)} />
      <NewerBar newer={newer} />
      <Grid
        label={t('title')}
        columns={columns}
        pages={pages}
        idOf={(row) => row.deliveryId}
        selected={deliveryId}
        onOpen={openRow}
        rowHeight={34}
        {...(total !== undefined && !counts?.more && { total })}
        empty={
          isEmpty(filter) ? (
            <Empty glyph="delivery" title={t('none')}>
              <p>{t('noneBody')}</p>
            </Empty>
          ) : (
            <Empty title={t('noMatch')}>
              <Button onClick={() => change(noFilter)}>{t('clearFilter')}</Button>
            </Empty>
          )
        }
      />
      <div className={css.foot}>
        <span className="num">
          {total !== undefined && t('match', { count: total, more: counts?.more ? 'yes' : 'no' })}
        </span>
        <span className={css.acts}>
          <Button small glyph="again" onClick={() => askFor('failed')}>
            {t('replayFailed')}
          </Button>
          <Button small refusal={withoutWhole} onClick={() => askFor('missing')}>
            {t('replayMissing')}
          </Button>
          <Button small onClick={() => askFor('all')}>
            {t('replayAll')}
          </Button>
        </span>
      </div>
      {asked && (
        <ReplayDialog
          asked={asked}
          listeners={listeners.items}
          onClose={() => ask(undefined)}
          onSent={(done) => {
            ask(undefined)
            note(done)
          }}
        />
      )}
    </Page>
  )
}

type CountProps = {
  readonly look: string
  readonly glyph: GlyphName
  readonly count: number
  readonly says: 'parked' | 'retrying' | 'waiting'
  readonly state: DeliveryState
}

/** The number of deliveries; a click shows them. */
function Count({ look, glyph, count, says, state }: CountProps) {
  const t = useDeliveriesWords()
  const [, change] = useSearchState()
  if (count === 0) return null
  return (
    <button
      type="button"
      className={css.count}
      onClick={() => change({ ...noFilter, state }, 'push')}
    >
      <Pill look={look} glyph={glyph}>
        {t(says, { count })}
      </Pill>
    </button>
  )
}
