/**
 * The clients of the site: what each may do, when it last called, and which secrets expire soon.
 */
import type { ReactNode } from 'react'
import { Moment } from '../../parts/moment.tsx'
import { Name } from '../../parts/name.tsx'
import { Empty } from '../../parts/said.tsx'
import { usePages } from '../../queries.ts'
import type en from '../../words/en/access.json'
import { useWords } from '../../words/words.ts'
import { AccessList } from './access-list.tsx'
import { ClientForm } from './client-form.tsx'
import { ClientInspector } from './client-inspector.tsx'
import { ClientState } from './client-state.tsx'

type Key = keyof typeof en
export function Clients({ tabs }: { readonly tabs: ReactNode }) {
  const t = useWords<Key>('access')
  return (
    <AccessList
      tabs={tabs}
      label={t('clients')}
      name="client"
      create={t('newClient')}
      pages={usePages('listClients')}
      idOf={({ clientId }) => clientId}
      empty={
        <Empty glyph="access" title={t('noClients')}>
          {t('noClientsBody')}
        </Empty>
      }
      columns={[
        {
          name: 'client',
          title: t('client'),
          width: 'minmax(0, 1.6fr)',
          narrow: 1,
          cell: ({ clientId }) => <Name of={clientId} />,
        },
        {
          name: 'state',
          title: t('state'),
          width: '170px',
          narrow: 1,
          cell: (one) => <ClientState client={one} />,
        },
        {
          name: 'scopes',
          title: t('scopes'),
          width: 'minmax(0, 1.4fr)',
          narrow: 2,
          cell: ({ scopes }) => scopes.map((scope) => t(`scope.${scope}`)).join(', '),
        },
        {
          name: 'used',
          title: t('lastUse'),
          width: '150px',
          narrow: 2,
          cell: ({ lastUsedDate }) =>
            lastUsedDate ? (
              <Moment at={lastUsedDate} as="relative" />
            ) : (
              <span className="dim">{t('never')}</span>
            ),
        },
      ]}
      inspector={(client, onClose, onChange) => (
        <ClientInspector key={client.clientId} {...{ client, onClose, onChange }} />
      )}
      form={(client, onClose, onDone) => (
        <ClientForm {...(client && { client })} {...{ onClose, onDone }} />
      )}
    />
  )
}
