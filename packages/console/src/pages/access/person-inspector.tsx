/** One person: roles, ways to sign in, a new link, and how to disable them. */
import { useState } from 'react'
import { Link } from 'wouter'
import { AskDialog } from '../../parts/ask-dialog.tsx'
import { Button } from '../../parts/controls.tsx'
import { Moment } from '../../parts/moment.tsx'
import { Name } from '../../parts/name.tsx'
import { Facts, Inspector, Panel } from '../../parts/page.tsx'
import { useProviders } from '../../parts/provider-names.ts'
import { useRoleName } from '../../parts/role-names.ts'
import { Refused } from '../../parts/said.tsx'
import { useAct } from '../../queries.ts'
import { useMay, useSession } from '../../session.tsx'
import { useWriters } from '../../times.ts'
import type en from '../../words/en/access.json'
import { useWords } from '../../words/words.ts'
import css from './access.module.css'
import { type Person, rolesIn } from './person-roles.ts'
import { LinkDialog } from './secret-dialog.tsx'

type Key = keyof typeof en
type Props = {
  readonly person: Person
  readonly onClose: () => void
  readonly onChange: () => void
}

export function PersonInspector({ person, onClose, onChange }: Props) {
  const t = useWords<Key>('access')
  const roleName = useRoleName()
  const { siteId } = useSession()
  const writers = useWriters()
  const { nameOf } = useProviders()
  const here = person.sites.find((one) => one.siteId === siteId)
  const refusal = useMay('admin') ? undefined : t('onlyAdmins')
  const [isRemoving, setRemoving] = useState(false)
  const link = useAct('linkPerson')
  const turn = useAct('changePerson', ['listPeople', 'listSessions'])
  const { personId } = person
  const failure = link.error ?? turn.error
  return (
    <Inspector label={t('person')} title={<Name of={person.name} />} onClose={onClose}>
      <Panel
        title={t('may')}
        beside={
          <span className={css.atEnd}>
            <Button small refusal={refusal} onClick={onChange}>
              {t('change')}
            </Button>
          </span>
        }
      >
        <Facts
          facts={[
            {
              name: t('roles'),
              value: rolesIn(person, siteId).map(roleName).join(', '),
            },
            {
              name: t('mayDo'),
              value: rolesIn(person, siteId).map((role) => (
                <p key={role}>{role === 'operator' ? roleName(role) : t(`roleHelp.${role}`)}</p>
              )),
            },
            here?.providers !== undefined && {
              name: t('workOf'),
              value: here.providers.map(nameOf).join(', ') || t('noProviders'),
            },
            here?.languages !== undefined && {
              name: t('workInto'),
              value: here.languages.map(writers.language).join(', '),
            },
            person.email !== undefined && { name: t('email'), value: <Name of={person.email} /> },
            {
              name: t('signsIn'),
              value: person.signsInBy.map((way) => t(`signsIn.${way}`)).join(', ') || t('notYet'),
            },
            { name: t('added'), value: <Moment at={person.createdDate} as="dateYear" /> },
            {
              name: t('lastSignIn'),
              value: person.lastSignInDate ? (
                <Moment at={person.lastSignInDate} as="relative" />
              ) : (
                t('never')
              ),
            },
          ]}
        />
      </Panel>
      <Panel title={t('newLink')}>
        <p className="mut">{t('newLinkBody')}</p>
        <div className={css.acts}>
          <Button
            small
            glyph="key"
            refusal={refusal}
            busy={link.isPending}
            onClick={() => link.mutate({ params: { personId } })}
          >
            {t('newLink')}
          </Button>
          <Link href={`/access/sessions?person=${encodeURIComponent(personId)}`}>
            {t('sessions')}
          </Link>
        </div>
      </Panel>
      <Panel title={t('stopPerson')}>
        <p className="mut">{t('stopPersonBody')}</p>
        <div className={css.acts}>
          <Button
            small
            refusal={refusal}
            busy={turn.isPending}
            onClick={() =>
              turn.mutate({ params: { personId }, body: { disabled: !person.disabled } })
            }
          >
            {t(person.disabled ? 'enable' : 'disable')}
          </Button>
          <Button
            small
            kind="danger"
            glyph="bin"
            refusal={refusal}
            onClick={() => setRemoving(true)}
          >
            {t('remove')}
          </Button>
        </div>
        <Refused failure={failure} />
      </Panel>
      {link.data && (
        <LinkDialog
          name={person.name}
          link={link.data.link}
          until={link.data.linkExpiryDate}
          onClose={() => link.reset()}
        />
      )}
      {isRemoving && (
        <AskDialog
          title={t('removeTitle', { name: person.name })}
          act={t('remove')}
          kind="danger"
          call="deletePerson"
          input={{ params: { personId } }}
          changes={['listPeople', 'listSessions']}
          onDone={onClose}
          onClose={() => setRemoving(false)}
        >
          <p>{t('removeAsk')}</p>
        </AskDialog>
      )}
    </Inspector>
  )
}
