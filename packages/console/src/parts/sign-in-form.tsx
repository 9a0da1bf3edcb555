/**
 * The sign-in form: password, passkey, provider, and the second step. Used by the page and by the
 * dialog.
 */
import type { Session, SignIn, SignInWays } from '@dragoman/contract/wire'
import { useState } from 'react'
import { call, HubFailure } from '../hub.ts'
import { prefix } from '../page-facts.ts'
import { canUsePasskeys, provePasskey } from '../passkeys.ts'
import type en from '../words/en/signin.json'
import { useWords } from '../words/words.ts'
import { Button } from './controls.tsx'
import { TextField } from './fields.tsx'
import css from './sign-in-form.module.css'

type Step = 'first' | 'second' | 'code'

export function SignInForm({
  ways,
  onSignedIn,
  to,
}: {
  readonly ways: SignInWays
  readonly onSignedIn: (session: Session) => void
  /** Where the provider returns to. */
  readonly to: string
}) {
  const t = useWords<keyof typeof en>('signin')
  const [step, setStep] = useState<Step>('first')
  const [email, setEmail] = useState('')
  const [password, setPassword] = useState('')
  const [recoveryCode, setCode] = useState('')
  const [failure, setFailure] = useState<HubFailure | undefined>()
  const [busy, setBusy] = useState(false)
  const mayPasskey = canUsePasskeys()

  const attempt = async (make: () => Promise<SignIn | undefined>) => {
    setBusy(true)
    setFailure(undefined)
    try {
      const given = await make()
      if (given) onSignedIn(await call('signIn', { body: given }))
    } catch (error) {
      const failed =
        error instanceof HubFailure ? error : new HubFailure(-1, { message: String(error) })
      if (failed.code === 'SECOND_STEP_NEEDED') setStep(mayPasskey ? 'second' : 'code')
      else setFailure(failed)
    } finally {
      setBusy(false)
    }
  }
  const withPassword = () => ({ email, ...(password && { password }) })
  const byPasskey = () =>
    attempt(async () => {
      const passkey = await provePasskey()
      return passkey && { ...(step === 'second' && withPassword()), passkey }
    })
  const submit = () => {
    if (step === 'second') return byPasskey()
    return attempt(async () => ({ ...withPassword(), ...(step === 'code' && { recoveryCode }) }))
  }
  const asksPassword = ways.password && step === 'first'
  return (
    <form
      className={css.form}
      onSubmit={(event) => {
        event.preventDefault()
        if (!busy) void submit()
      }}
    >
      {step !== 'first' && <p>{step === 'second' ? t('secondStep') : t('codeStep')}</p>}
      {(asksPassword || step === 'code') && (
        <TextField
          label={t('email')}
          kind="email"
          name="email"
          autoComplete="username webauthn"
          autoFocus={step === 'first'}
          value={email}
          onChange={setEmail}
        />
      )}
      {asksPassword && (
        <TextField
          label={t('password')}
          kind="password"
          name="password"
          autoComplete="current-password"
          value={password}
          onChange={setPassword}
        />
      )}
      {step === 'code' && (
        <TextField
          label={t('recoveryCode')}
          name="code"
          autoComplete="one-time-code"
          autoFocus
          mono
          value={recoveryCode}
          onChange={setCode}
        />
      )}
      {failure && <FailedSignIn failure={failure} />}
      {(asksPassword || step !== 'first') && (
        <Button type="submit" kind="main" busy={busy} className={css.wide}>
          {step === 'second' ? t('usePasskey') : t('signIn')}
        </Button>
      )}
      {step === 'first' && mayPasskey && (
        <Button busy={busy} className={css.wide} onClick={() => void byPasskey()}>
          {t('byPasskey')}
        </Button>
      )}
      {step === 'first' && ways.provider !== undefined && (
        <a
          className={css.provider}
          href={`${prefix}/console/api/oidc/start?to=${encodeURIComponent(to)}`}
        >
          {t.rich('byProvider', { name: ways.provider, bdi: (inside) => <bdi>{inside}</bdi> })}
        </a>
      )}
      <div className={css.others}>
        {step !== 'code' && (
          <Button kind="quiet" small onClick={() => setStep('code')}>
            {t('useCode')}
          </Button>
        )}
        {step !== 'first' && (
          <Button kind="quiet" small onClick={() => setStep('first')}>
            {t('back')}
          </Button>
        )}
      </div>
    </form>
  )
}

/** In the person's language, if the code says enough. */
export function FailedSignIn({ failure }: { readonly failure: HubFailure }) {
  const t = useWords<keyof typeof en>('signin')
  const known: Partial<Record<string, keyof typeof en>> = {
    SIGN_IN_REFUSED: 'refused',
    RATE_LIMITED: 'tooMany',
    UNREACHABLE: 'unreachable',
  }
  const key = known[failure.code]
  return (
    <p role="alert" className={css.failure}>
      {key ? t(key) : <bdi>{failure.message}</bdi>}
    </p>
  )
}
