/** A new password, and whether it also requires a passkey. */
import type { Me } from '@dragoman/contract/wire'
import { useState } from 'react'
import { Button } from '../../parts/controls.tsx'
import { CheckField, TextField } from '../../parts/fields.tsx'
import { Panel } from '../../parts/page.tsx'
import { Refused } from '../../parts/said.tsx'
import { useAct } from '../../queries.ts'
import type en from '../../words/en/me.json'
import { useWords } from '../../words/words.ts'
import css from './me.module.css'

const atLeast = 12

export function Password({ me }: { readonly me: Me }) {
  const t = useWords<keyof typeof en>('me')
  const [password, setPassword] = useState('')
  const change = useAct('changeMe', ['findMe', 'findSession'])
  const steps = useAct('changeMe', ['findMe'])
  const has = me.signsInBy.includes('password')
  const isShort = Array.from(password).length < atLeast
  return (
    <Panel title={t('password')}>
      <form
        className={css.form}
        onSubmit={(event) => {
          event.preventDefault()
          change.mutate({ body: { password } }, { onSuccess: () => setPassword('') })
        }}
      >
        <input
          type="text"
          name="email"
          autoComplete="username"
          value={me.email ?? ''}
          readOnly
          hidden
        />
        <TextField
          label={has ? t('newPassword') : t('firstPassword')}
          help={t('passwordHint', { count: atLeast })}
          kind="password"
          name="password"
          autoComplete="new-password"
          value={password}
          onChange={setPassword}
        />
        <Refused failure={change.error} />
        {change.isSuccess && <p role="status">{t('passwordSet')}</p>}
        <Button
          type="submit"
          busy={change.isPending}
          refusal={isShort ? t('passwordHint', { count: atLeast }) : undefined}
        >
          {t('setPassword')}
        </Button>
      </form>
      {has && (
        <>
          <CheckField
            label={t('twoSteps')}
            help={me.passkeys.length === 0 ? t('twoStepsNeed') : t('twoStepsHint')}
            checked={me.twoSteps}
            disabled={me.passkeys.length === 0 && !me.twoSteps}
            onChange={(on) => steps.mutate({ body: { twoSteps: on } })}
          />
          <Refused failure={steps.error} />
        </>
      )}
    </Panel>
  )
}
