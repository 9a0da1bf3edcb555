/** Listeners: who receives what, whether it arrives, and everything to set one up. */
import { useState } from 'react'
import { useLocation, useParams } from 'wouter'
import { useKeys } from '../../keys.ts'
import { joinNewer, useNewer } from '../../live/newer.ts'
import { Button } from '../../parts/controls.tsx'
import { Grid } from '../../parts/grid.tsx'
import { NewerBar } from '../../parts/live.tsx'
import { Page } from '../../parts/page.tsx'
import { Empty } from '../../parts/said.tsx'
import { type SeenListener, useListeners } from '../../parts/seen-listeners.ts'
import { useMay } from '../../session.tsx'
import { useLive } from '../../stream.ts'
import { useColumns } from './columns.tsx'
import { useStatistics } from './figures.ts'
import { ListenerForm } from './listener-form.tsx'
import { ListenerInspector } from './listener-inspector.tsx'
import { useListenersWords } from './words.ts'

export default function ListenersPage() {
  const t = useListenersWords()
  const { listenerId } = useParams<{ listenerId?: string }>()
  const [, go] = useLocation()
  const listeners = useListeners()
  const statistics = useStatistics(listeners.items.map((one) => one.listenerId))
  const columns = useColumns(statistics, listenerId !== undefined)
  const [isCreating, create] = useState(false)
  const refusal = useMay('developer', 'provider-manager') ? undefined : t('needsDeveloper')
  const newer = joinNewer([useNewer('listListeners'), useNewer('listProviderListeners')])
  useLive('listListeners', 'listProviderListeners')
  useKeys([{ keys: 'n', says: t('create'), act: () => refusal === undefined && create(true) }])
  const { items, isLoading, failure, reload } = listeners
  const open = (one?: SeenListener) => go(one ? `/listeners/${one.listenerId}` : '/listeners')
  const chosen = items.find((one) => one.listenerId === listenerId)
  return (
    <Page
      title={t('title')}
      fills
      acts={
        <Button kind="main" glyph="add" refusal={refusal} onClick={() => create(true)}>
          {t('create')}
        </Button>
      }
      inspector={
        listenerId &&
        !isLoading && (
          <ListenerInspector
            key={listenerId}
            seen={chosen}
            statistics={statistics.get(listenerId)}
            onClose={() => open()}
          />
        )
      }
    >
      <NewerBar newer={newer} />
      <Grid
        label={t('title')}
        columns={columns}
        pages={{
          items,
          isLoading,
          isFetching: isLoading,
          failure,
          hasMore: false,
          loadMore: () => {},
          reload,
        }}
        idOf={(one) => one.listenerId}
        selected={listenerId}
        onOpen={open}
        rowHeight={52}
        empty={
          <Empty glyph="listeners" title={t('none')}>
            <p>{t('noneBody')}</p>
          </Empty>
        }
      />
      {isCreating && (
        <ListenerForm
          onClose={(made) => {
            create(false)
            if (made) go(`/listeners/${made}`)
          }}
        />
      )}
    </Page>
  )
}
