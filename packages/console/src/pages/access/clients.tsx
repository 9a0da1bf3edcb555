/**
 * The clients of the site: what each may do, when it last called, and which secrets expire soon.
 */
import type { ReactNode } from 'react'
import { columnsOf, momentOr } from '../../parts/list/columns.tsx'
import { Name } from '../../parts/name.tsx'
import { usePages } from '../../queries.ts'
import type en from '../../words/en/access.json'
import { useWords } from '../../words/words.ts'
import { AccessList } from './access-list.tsx'
import { ClientForm } from './client-form.tsx'
import { ClientInspector } from './client-inspector.tsx'
import { type Client, ClientState } from './client-state.tsx'

type Key = keyof typeof en

export function Clients({ tabs }: { readonly tabs: ReactNode }) {
  const t = useWords<Key>('access')
  const column = columnsOf<Client, Key>(t)
  return (
    <AccessList
      tabs={tabs}
      label={t('clients')}
      name="client"
      create={t('newClient')}
      pages={usePages('listClients')}
      idOf={({ clientId }) => clientId}
      none={{ glyph: 'access', title: t('noClients'), body: t('noClientsBody') }}
      columns={[
        column('client', 'minmax(0, 1.6fr)', 1, ({ clientId }) => <Name of={clientId} />),
        column('state', '170px', 1, (one) => <ClientState client={one} />),
        column('scopes', 'minmax(0, 1.4fr)', 2, ({ scopes }) =>
          scopes.map((scope) => t(`scope.${scope}`)).join(', '),
        ),
        column('lastUse', '150px', 2, (one) => momentOr(one.lastUsedDate, t('never'))),
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
