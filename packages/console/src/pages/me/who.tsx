/** The name, the address, and the roles in each site. */
import type { Me } from '@dragoman/contract/wire'
import { useState } from 'react'
import { Button } from '../../parts/controls.tsx'
import { TextField } from '../../parts/fields.tsx'
import { Facts, Panel } from '../../parts/page.tsx'
import { Refused } from '../../parts/said.tsx'
import { useAct } from '../../queries.ts'
import { chooseSite, useSession } from '../../session.tsx'
import type en from '../../words/en/me.json'
import { useWords } from '../../words/words.ts'
import css from './me.module.css'

type Key = keyof typeof en

export function Who({ me }: { readonly me: Me }) {
  const t = useWords<Key>('me')
  const [name, setName] = useState(me.name)
  const { siteId: here } = useSession()
  const change = useAct('changeMe', ['findMe', 'findSession'])
  return (
    <Panel title={t('who')}>
      <form
        className={css.form}
        onSubmit={(event) => {
          event.preventDefault()
          change.mutate({ body: { name } })
        }}
      >
        <TextField
          label={t('name')}
          name="name"
          autoComplete="name"
          maxLength={100}
          value={name}
          onChange={setName}
        />
        <Facts
          facts={[
            me.email !== undefined && { name: t('email'), value: <bdi>{me.email}</bdi> },
            {
              name: t('roles'),
              value: me.sites.map(({ siteId, roles }) => (
                <p key={siteId} className={css.acts}>
                  <span>
                    {siteId === ''
                      ? t('role.operator')
                      : t.rich('rolesIn', {
                          site: siteId,
                          roles: roles.map((role) => t(`role.${role}` as Key)).join(', '),
                          bdi: (inside) => <bdi>{inside}</bdi>,
                        })}
                  </span>
                  {siteId !== '' && siteId !== here && (
                    <Button
                      small
                      aria-label={t('switchSite', { site: siteId })}
                      onClick={() => chooseSite(siteId)}
                    >
                      {t('switchTo')}
                    </Button>
                  )}
                </p>
              )),
            },
          ]}
        />
        <Refused failure={change.error} />
        <Button
          type="submit"
          busy={change.isPending}
          refusal={name.trim() === me.name ? t('unchanged') : undefined}
        >
          {t('save')}
        </Button>
      </form>
    </Panel>
  )
}
