/** The people of the site: their roles, how they sign in, and their sign-in links. */
import type { ReactNode } from 'react'
import { Pill } from '../../look/states.tsx'
import { Moment } from '../../parts/moment.tsx'
import { Name } from '../../parts/name.tsx'
import { useRoleName } from '../../parts/role-names.ts'
import { Empty } from '../../parts/said.tsx'
import { usePages } from '../../queries.ts'
import { useSession } from '../../session.tsx'
import type en from '../../words/en/access.json'
import { useWords } from '../../words/words.ts'
import { AccessList } from './access-list.tsx'
import { PersonForm } from './person-form.tsx'
import { PersonInspector } from './person-inspector.tsx'
import { rolesIn } from './person-roles.ts'

type Key = keyof typeof en

export function People({ tabs }: { readonly tabs: ReactNode }) {
  const t = useWords<Key>('access')
  const roleName = useRoleName()
  const { siteId } = useSession()
  return (
    <AccessList
      tabs={tabs}
      label={t('people')}
      name="person"
      create={t('newPerson')}
      pages={usePages('listPeople')}
      idOf={({ personId }) => personId}
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
            <Pill
              look={disabled ? 'cancelled' : 'approved'}
              glyph={disabled ? 'cancelled' : 'approved'}
            >
              {t(disabled ? 'disabled' : 'enabled')}
            </Pill>
          ),
        },
        {
          name: 'roles',
          title: t('roles'),
          width: 'minmax(0, 1.6fr)',
          narrow: 2,
          cell: (one) => rolesIn(one, siteId).map(roleName).join(', '),
        },
        {
          name: 'last',
          title: t('lastSignIn'),
          width: '150px',
          narrow: 2,
          cell: ({ lastSignInDate }) =>
            lastSignInDate ? (
              <Moment at={lastSignInDate} as="relative" />
            ) : (
              <span className="dim">{t('never')}</span>
            ),
        },
      ]}
      inspector={(person, onClose, onChange) => (
        <PersonInspector key={person.personId} {...{ person, onClose, onChange }} />
      )}
      form={(person, onClose, onDone) => (
        <PersonForm {...(person && { person })} {...{ onClose, onDone }} />
      )}
    />
  )
}
