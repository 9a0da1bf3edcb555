/** The people of the site: their roles, how they sign in, and the link that lets them in. */
import type { ReactNode } from 'react'
import { useKeys } from '../../keys.ts'
import { Pill } from '../../look/states.tsx'
import { Button } from '../../parts/controls.tsx'
import { Grid } from '../../parts/grid.tsx'
import { Moment } from '../../parts/moment.tsx'
import { Name } from '../../parts/name.tsx'
import { Page } from '../../parts/page.tsx'
import { Empty } from '../../parts/said.tsx'
import { usePages } from '../../queries.ts'
import { useSearchState } from '../../search.ts'
import { useMay, useSession } from '../../session.tsx'
import type en from '../../words/en/access.json'
import { useWords } from '../../words/words.ts'
import { PersonForm } from './person-form.tsx'
import { PersonInspector } from './person-inspector.tsx'
import { rolesIn } from './person-roles.ts'

type Key = keyof typeof en

export function People({ tabs }: { readonly tabs: ReactNode }) {
  const t = useWords<Key>('access')
  const { siteId } = useSession()
  const [{ person: selected, form }, change] = useSearchState()
  const mayChange = useMay('admin')
  const pages = usePages('listPeople')
  const person = pages.items.find(({ personId }) => personId === selected)
  const create = () => change({ form: 'new' }, 'push')
  const close = () => change({ form: undefined })
  useKeys(mayChange ? [{ keys: 'n', says: t('newPerson'), act: create }] : [])
  return (
    <Page
      title={t('title')}
      head={tabs}
      fills
      acts={
        <Button kind="main" glyph="add" refusal={mayChange ? undefined : t('onlyAdmins')} onClick={create}>
          {t('newPerson')}
        </Button>
      }
      inspector={
        person && (
          <PersonInspector
            key={person.personId}
            person={person}
            onClose={() => change({ person: undefined })}
            onChange={() => change({ form: 'change' }, 'push')}
          />
        )
      }
    >
      <Grid
        label={t('people')}
        pages={pages}
        idOf={({ personId }) => personId}
        selected={selected}
        onOpen={({ personId }) => change({ person: personId }, 'push')}
        empty={
          <Empty glyph="person" title={t('noPeople')}>
            {t('noPeopleBody')}
          </Empty>
        }
        columns={[
          {
            name: 'name',
            title: t('name'),
            width: 'minmax(0, 1.4fr)',
            narrow: 1,
            cell: ({ name }) => <Name of={name} />,
          },
          {
            name: 'state',
            title: t('state'),
            width: '120px',
            narrow: 1,
            cell: ({ disabled }) => (
              <Pill look={disabled ? 'cancelled' : 'approved'} glyph={disabled ? 'cancelled' : 'approved'}>
                {t(disabled ? 'disabled' : 'enabled')}
              </Pill>
            ),
          },
          {
            name: 'roles',
            title: t('roles'),
            width: 'minmax(0, 1.6fr)',
            narrow: 2,
            cell: (one) =>
              rolesIn(one, siteId)
                .map((role) => t(`role.${role}`))
                .join(', '),
          },
          {
            name: 'last',
            title: t('lastSignIn'),
            width: '150px',
            narrow: 2,
            cell: ({ lastSignInDate }) =>
              lastSignInDate ? <Moment at={lastSignInDate} as="relative" /> : <span className="dim">{t('never')}</span>,
          },
        ]}
      />
      {form === 'new' && (
        <PersonForm onClose={close} onDone={(personId) => change({ form: undefined, person: personId })} />
      )}
      {form === 'change' && person && <PersonForm person={person} onClose={close} onDone={close} />}
    </Page>
  )
}
