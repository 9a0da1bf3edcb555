/**
 * Invites a person, or changes their name, address and roles. The link of an invitation is shown
 * once.
 */
import { workRoles } from '@dragoman/contract/wire'
import { Dialog } from '../../parts/dialog.tsx'
import { CheckField, Group, TextField } from '../../parts/fields.tsx'
import { useForm } from '../../parts/form/use-form.ts'
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
  const limits = person?.sites.find((site) => site.siteId === siteId)
  const known = usePages('listProviders', { query: { pageSize: 50 } })
  const create = useAct('createPerson', ['listPeople'])
  const change = useAct('changePerson', ['listPeople'])
  const form = useForm(
    'createPerson',
    () => ({
      name: person?.name ?? '',
      email: person?.email ?? '',
      roles: (person ? rolesIn(person, siteId) : ['viewer']) as readonly string[],
      providers: (limits?.providers ?? []) as readonly string[],
      sites: (limits?.languages ?? []).join(' '),
    }),
    [create, change],
  )
  const { roles: held, providers, sites: languages } = form.values
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
    const { name, email, ...body } = form.body({ sites: [given] })
    if (!person) return create.mutate({ body: { ...body, name, email } })
    const changed = {
      ...(name !== person.name && { name }),
      ...(email !== (person.email ?? '') && { email }),
    }
    return change.mutate(
      { params: { personId: person.personId }, body: { ...body, ...changed } },
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
      {...form.dialog}
      refusal={roles.length === 0 ? t('needsRole') : undefined}
      onClose={onClose}
    >
      {!person && <p className="mut">{t('inviteBody')}</p>}
      <TextField label={t('name')} autoFocus {...form.text('name')} />
      <TextField label={t('email')} kind="email" {...form.text('email')} />
      <Group legend={t('roles')}>
        {siteRoles.map((role) => (
          <CheckField
            key={role}
            label={roleName(role)}
            help={t(`roleHelp.${role}`)}
            {...form.one('roles', role)}
          />
        ))}
      </Group>
      {isWork && (
        <Group legend={t('workOf')}>
          <p className="mut">{t('workOfBody')}</p>
          {known.items.map(({ id, name: provider }) => (
            <CheckField key={id} label={provider} {...form.one('providers', id)} />
          ))}
          {providers.length > 0 && (
            <TextField
              label={t('workLanguages')}
              placeholder="de-DE fr-FR"
              {...form.plain('sites')}
            />
          )}
        </Group>
      )}
    </Dialog>
  )
}
