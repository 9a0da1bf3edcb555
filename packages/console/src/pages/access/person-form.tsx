/**
 * Invites a person, or changes their name, address and roles. The link of an invitation is shown
 * once.
 */
import { workRoles } from '@dragoman/contract/wire'
import { useState } from 'react'
import { Dialog } from '../../parts/dialog.tsx'
import { CheckField, faultsOf, Group, TextField } from '../../parts/fields.tsx'
import { useRoleName } from '../../parts/role-names.ts'
import { useAct, usePages } from '../../queries.ts'
import { useSession } from '../../session.tsx'
import type en from '../../words/en/access.json'
import { useWords } from '../../words/words.ts'
import { type Person, rolesIn, siteRoles } from './person-roles.ts'
import { LinkDialog } from './secret-dialog.tsx'

type Props = {
  readonly person?: Person
  readonly onClose: () => void
  readonly onDone: (personId: string) => void
}

export function PersonForm({ person, onClose, onDone }: Props) {
  const t = useWords<keyof typeof en>('access')
  const roleName = useRoleName()
  const { siteId } = useSession()
  const [name, setName] = useState(person?.name ?? '')
  const [email, setEmail] = useState(person?.email ?? '')
  const [held, setHeld] = useState<readonly string[]>(person ? rolesIn(person, siteId) : ['viewer'])
  const limits = person?.sites.find((site) => site.siteId === siteId)
  const [providers, setProviders] = useState<readonly string[]>(limits?.providers ?? [])
  const [languages, setLanguages] = useState((limits?.languages ?? []).join(' '))
  const known = usePages('listProviders', { query: { pageSize: 50 } })
  const create = useAct('createPerson', ['listPeople'])
  const change = useAct('changePerson', ['listPeople'])
  const failure = create.error ?? change.error
  const faults = faultsOf(failure)
  const roles = siteRoles.filter((role) => held.includes(role))
  const isWork = roles.some((role) => workRoles.some((one) => one === role))
  const codes = languages.split(/[\s,]+/).filter((code) => code !== '')
  const given = {
    roles,
    ...(isWork &&
      providers.length > 0 && {
        providers: [...providers],
        ...(codes.length > 0 && { languages: codes }),
      }),
  }
  const save = () => {
    if (!person) return create.mutate({ body: { name, email, sites: [given] } })
    const body = {
      sites: [given],
      ...(name !== person.name && { name }),
      ...(email !== (person.email ?? '') && { email }),
    }
    return change.mutate(
      { params: { personId: person.personId }, body },
      { onSuccess: () => onDone(person.personId) },
    )
  }
  if (create.data) {
    const { personId, link, linkExpiryDate } = create.data
    return (
      <LinkDialog
        name={create.data.name}
        link={link}
        until={linkExpiryDate}
        onClose={() => onDone(personId)}
      />
    )
  }
  return (
    <Dialog
      title={person ? t('changePerson', { name: person.name }) : t('newPerson')}
      wide
      act={t(person ? 'save' : 'invite')}
      onAct={save}
      busy={create.isPending || change.isPending}
      refusal={roles.length === 0 ? t('needsRole') : undefined}
      failure={faults.size > 0 ? null : failure}
      onClose={onClose}
    >
      {!person && <p className="mut">{t('inviteBody')}</p>}
      <TextField
        label={t('name')}
        required
        value={name}
        onChange={setName}
        fault={faults.get('name')}
        autoFocus
      />
      <TextField
        label={t('email')}
        required
        kind="email"
        value={email}
        onChange={setEmail}
        fault={faults.get('email')}
      />
      <Group legend={t('roles')}>
        {siteRoles.map((role) => (
          <CheckField
            key={role}
            label={roleName(role)}
            help={t(`roleHelp.${role}`)}
            checked={held.includes(role)}
            onChange={(on) => setHeld(on ? [...held, role] : held.filter((one) => one !== role))}
          />
        ))}
      </Group>
      {isWork && (
        <Group legend={t('workOf')}>
          <p className="mut">{t('workOfBody')}</p>
          {known.items.map(({ id, name: provider }) => (
            <CheckField
              key={id}
              label={provider}
              checked={providers.includes(id)}
              onChange={(on) =>
                setProviders(on ? [...providers, id] : providers.filter((one) => one !== id))
              }
            />
          ))}
          {providers.length > 0 && (
            <TextField
              label={t('workLanguages')}
              value={languages}
              onChange={setLanguages}
              placeholder="de-DE fr-FR"
              fault={faults.get('sites')}
            />
          )}
        </Group>
      )}
    </Dialog>
  )
}
