/** The people of the site: their roles, how they sign in, and their sign-in links. */
import type { ReactNode } from 'react'
import { Pill } from '../../look/states.tsx'
import { columnsOf, momentOr } from '../../parts/list/columns.tsx'
import { Name } from '../../parts/name.tsx'
import { useRoleName } from '../../parts/role-names.ts'
import { usePages } from '../../queries.ts'
import { useSession } from '../../session.tsx'
import type en from '../../words/en/access.json'
import { useWords } from '../../words/words.ts'
import { AccessList } from './access-list.tsx'
import { PersonForm } from './person-form.tsx'
import { PersonInspector } from './person-inspector.tsx'
import { type Person, rolesIn } from './person-roles.ts'

type Key = keyof typeof en

export function People({ tabs }: { readonly tabs: ReactNode }) {
  const t = useWords<Key>('access')
  const roleName = useRoleName()
  const { siteId } = useSession()
  const column = columnsOf<Person, Key>(t)
  return (
    <AccessList
      tabs={tabs}
      label={t('people')}
      name="person"
      create={t('newPerson')}
      pages={usePages('listPeople')}
      idOf={({ personId }) => personId}
      none={{ glyph: 'person', title: t('noPeople'), body: t('noPeopleBody') }}
      columns={[
        column('name', 'minmax(0, 1.4fr)', 1, ({ name }) => <Name of={name} />),
        column('state', '120px', 1, ({ disabled }) => {
          const look = disabled ? 'cancelled' : 'approved'
          return (
            <Pill look={look} glyph={look}>
              {t(disabled ? 'disabled' : 'enabled')}
            </Pill>
          )
        }),
        column('roles', 'minmax(0, 1.6fr)', 2, (one) =>
          rolesIn(one, siteId).map(roleName).join(', '),
        ),
        column('lastSignIn', '150px', 2, (one) => momentOr(one.lastSignInDate, t('never'))),
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
