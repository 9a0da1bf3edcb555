/**
 * Deliveries: first what fails and why, then all of them, the selected one beside them, and
 * replays.
 */
import type { DeliveryState } from '@dragoman/contract/wire'
import { useState } from 'react'
import { useKeys } from '../../keys.ts'
import type { GlyphName } from '../../look/glyphs.tsx'
import { Pill } from '../../look/states.tsx'
import { Button } from '../../parts/controls.tsx'
import { DeliveryInspector } from '../../parts/deliveries/delivery-inspector.tsx'
import { useLiveList } from '../../parts/list/list.tsx'
import { ListPage } from '../../parts/list/list-page.tsx'
import { useRowInPath } from '../../parts/list/open-row.ts'
import { useUrlFilter } from '../../parts/list/url-filter.ts'
import { useListeners } from '../../parts/seen-listeners.ts'
import { useCall } from '../../queries.ts'
import { useSearchState } from '../../search.ts'
import { useLive } from '../../stream.ts'
import { Causes } from './causes.tsx'
import { useColumns } from './columns.tsx'
import css from './deliveries.module.css'
import { filterOf, noFilter, searchOf } from './filter.ts'
import { FilterBar } from './filter-bar.tsx'
import { Progress, ReplayDialog, type ReplayWanted, type Sent } from './replay.tsx'
import { useDeliveriesWords } from './words.ts'

export default function DeliveriesPage() {
  const t = useDeliveriesWords()
  const open = useRowInPath('/deliveries', 'deliveryId')
  const inUrl = useUrlFilter(Object.keys(noFilter))
  const { search, change } = inUrl
  const filter = filterOf(search)
  const list = useLiveList('listSiteDeliveries', { query: filter })
  const causes = useCall('listDeliveryCauses')
  const waiting = useCall('countDeliveries', { query: { state: ['PENDING', 'PARKED'] } })
  const matching = useCall('countDeliveries', { query: filter })
  const listeners = useListeners()
  const columns = useColumns(listeners.items, open.id !== undefined)
  const [asked, ask] = useState<ReplayWanted>()
  const [sent, note] = useState<Sent>()
  useLive('listDeliveryCauses', 'countDeliveries', 'findDelivery')
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
    <ListPage
      title={t('title')}
      beside={
        waiting.data && (
          <>
            <Count
              look="rejected"
              glyph="error"
              count={waiting.data.parked}
              says="parked"
              state="PARKED"
            />
            <Count
              look="review"
              glyph="again"
              count={waiting.data.retrying}
              says="retrying"
              state="PENDING"
            />
            <Count
              look="created"
              glyph="created"
              count={waiting.data.waiting}
              says="waiting"
              state="PENDING"
            />
          </>
        )
      }
      {...list}
      columns={columns}
      idOf={(row) => row.deliveryId}
      open={open}
      rowHeight={34}
      {...(total !== undefined && !counts?.more && { total })}
      filter={inUrl}
      none={{ glyph: 'delivery', title: t('none'), body: <p>{t('noneBody')}</p> }}
      noMatch={{ title: t('noMatch'), clear: t('clearFilter') }}
      inspector={
        open.id && <DeliveryInspector key={open.id} deliveryId={open.id} onClose={open.close} />
      }
      bar={
        <>
          <Causes
            causes={causes}
            listeners={listeners.items}
            onReplay={(cause) => ask({ mode: 'failed', filter: filterOf(searchOf(cause)), cause })}
            onShow={(cause) => change(searchOf(cause), 'push')}
          />
          {sent && <Progress key={sent.until} sent={sent} onClose={() => note(undefined)} />}
          <FilterBar filter={inUrl} listeners={listeners.items} />
        </>
      }
      foot={
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
      }
    >
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
    </ListPage>
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
