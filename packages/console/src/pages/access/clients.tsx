/** The clients of the site: what each may do, when it last called, and which secrets end soon. */
import type { ReactNode } from 'react'
import { useKeys } from '../../keys.ts'
import { Button } from '../../parts/controls.tsx'
import { Grid } from '../../parts/grid.tsx'
import { Moment } from '../../parts/moment.tsx'
import { Name } from '../../parts/name.tsx'
import { Page } from '../../parts/page.tsx'
import { Empty } from '../../parts/said.tsx'
import { usePages } from '../../queries.ts'
import { useSearchState } from '../../search.ts'
import { useMay } from '../../session.tsx'
import type en from '../../words/en/access.json'
import { useWords } from '../../words/words.ts'
import { ClientForm } from './client-form.tsx'
import { ClientInspector } from './client-inspector.tsx'
import { ClientState } from './client-state.tsx'

type Key = keyof typeof en
export function Clients({ tabs }: { readonly tabs: ReactNode }) {
  const t = useWords<Key>('access')
  const [{ client: selected, form }, change] = useSearchState()
  const mayChange = useMay('admin')
  const pages = usePages('listClients')
  const client = pages.items.find(({ clientId }) => clientId === selected)
  const create = () => change({ form: 'new' }, 'push')
  const close = () => change({ form: undefined })
  useKeys(mayChange ? [{ keys: 'n', says: t('newClient'), act: create }] : [])
  return (
    <Page
      title={t('title')}
      head={tabs}
      fills
      acts={
        <Button kind="main" glyph="add" refusal={mayChange ? undefined : t('onlyAdmins')} onClick={create}>
          {t('newClient')}
        </Button>
      }
      inspector={
        client && (
          <ClientInspector
            key={client.clientId}
            client={client}
            onClose={() => change({ client: undefined })}
            onChange={() => change({ form: 'change' }, 'push')}
          />
        )
      }
    >
      <Grid
        label={t('clients')}
        pages={pages}
        idOf={({ clientId }) => clientId}
        selected={selected}
        onOpen={({ clientId }) => change({ client: clientId }, 'push')}
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
          { name: 'state', title: t('state'), width: '170px', narrow: 1, cell: (one) => <ClientState client={one} /> },
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
              lastUsedDate ? <Moment at={lastUsedDate} as="relative" /> : <span className="dim">{t('never')}</span>,
          },
        ]}
      />
      {form === 'new' && <ClientForm onClose={close} onDone={(id) => change({ client: id, form: undefined })} />}
      {form === 'change' && client && <ClientForm client={client} onClose={close} onDone={close} />}
    </Page>
  )
}
