/** The passkeys of the person: add one, remove one. */
import type { Me } from '@dragoman/contract/wire'
import { useState } from 'react'
import { HubFailure } from '../../hub.ts'
import { Button } from '../../parts/controls.tsx'
import { TextField } from '../../parts/fields.tsx'
import { Moment } from '../../parts/moment.tsx'
import { Panel } from '../../parts/page.tsx'
import { Refused } from '../../parts/said.tsx'
import { canUsePasskeys, makePasskey } from '../../passkeys.ts'
import { useAct } from '../../queries.ts'
import type en from '../../words/en/me.json'
import { useWords } from '../../words/words.ts'
import css from './me.module.css'

export function Passkeys({ me }: { readonly me: Me }) {
  const t = useWords<keyof typeof en>('me')
  const [name, setName] = useState('')
  const [failure, setFailure] = useState<HubFailure | null>(null)
  const add = useAct('addPasskey', ['findMe', 'findSession'])
  const remove = useAct('removePasskey', ['findMe', 'findSession'])
  const make = async () => {
    setFailure(null)
    try {
      const passkey = await makePasskey({ name: me.name, account: me.email ?? me.name })
      if (passkey)
        await add
          .mutateAsync({ body: { name: name.trim() || t('passkeyName'), passkey } })
          .then(() => setName(''))
    } catch (error) {
      setFailure(
        error instanceof HubFailure ? error : new HubFailure(-1, { message: String(error) }),
      )
    }
  }
  return (
    <Panel title={t('passkeys')}>
      <p className="mut">{t('passkeysHint')}</p>
      {me.passkeys.length > 0 && (
        <ul className={css.list}>
          {me.passkeys.map((passkey) => (
            <li key={passkey.passkeyId} className={css.item}>
              <span className={css.about}>
                <bdi>{passkey.name}</bdi>
                <span className="meta dim">
                  {' '}
                  {t('added')} <Moment at={passkey.createdDate} as="dateYear" />
                </span>
              </span>
              <Button
                small
                busy={remove.isPending}
                onClick={() => remove.mutate({ params: { passkeyId: passkey.passkeyId } })}
                aria-label={t('removePasskey', { name: passkey.name })}
              >
                {t('remove')}
              </Button>
            </li>
          ))}
        </ul>
      )}
      <Refused failure={failure ?? remove.error} />
      {canUsePasskeys() ? (
        <form
          className={css.form}
          onSubmit={(event) => {
            event.preventDefault()
            void make()
          }}
        >
          <TextField
            label={t('passkeyLabel')}
            help={t('passkeyLabelHint')}
            name="passkey"
            autoComplete="off"
            maxLength={60}
            value={name}
            onChange={setName}
          />
          <Button type="submit" busy={add.isPending}>
            {t('addPasskey')}
          </Button>
        </form>
      ) : (
        <p className="dim">{t('noPasskeys')}</p>
      )}
    </Panel>
  )
}
