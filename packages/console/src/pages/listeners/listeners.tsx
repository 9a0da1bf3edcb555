/** Listeners: who receives what, whether it arrives, and everything to set one up. */
import { useState } from 'react'
import { joinNewer, useNewer } from '../../live/newer.ts'
import { ListPage } from '../../parts/list/list-page.tsx'
import { useRowInPath } from '../../parts/list/open-row.ts'
import { useListeners } from '../../parts/seen-listeners.ts'
import { useMay } from '../../session.tsx'
import { useLive } from '../../stream.ts'
import { useColumns } from './columns.tsx'
import { useStatistics } from './figures.ts'
import { ListenerForm } from './listener-form.tsx'
import { ListenerInspector } from './listener-inspector.tsx'
import { useListenersWords } from './words.ts'

export default function ListenersPage() {
  const t = useListenersWords()
  const open = useRowInPath('/listeners', 'listenerId')
  const listeners = useListeners()
  const statistics = useStatistics(listeners.items.map((one) => one.listenerId))
  const [isCreating, create] = useState(false)
  const refusal = useMay('developer', 'provider-manager') ? undefined : t('needsDeveloper')
  const newer = joinNewer([useNewer('listListeners'), useNewer('listProviderListeners')])
  useLive('listListeners', 'listProviderListeners')
  return (
    <ListPage
      title={t('title')}
      pages={listeners}
      newer={newer}
      columns={useColumns(statistics)}
      idOf={(one) => one.listenerId}
      rowHeight={52}
      open={open}
      none={{ glyph: 'listeners', title: t('none'), body: <p>{t('noneBody')}</p> }}
      create={{ says: t('create'), refusal, act: () => create(true) }}
      inspector={
        open.id &&
        !listeners.isLoading && (
          <ListenerInspector
            key={open.id}
            seen={listeners.items.find((one) => one.listenerId === open.id)}
            statistics={statistics.get(open.id)}
            onClose={open.close}
          />
        )
      }
    >
      {isCreating && (
        <ListenerForm
          onClose={(made) => {
            create(false)
            if (made) open.show(made)
          }}
        />
      )}
    </ListPage>
  )
}
