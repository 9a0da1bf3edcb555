/** The two questions of asking.tsx: sign in again, and confirm that it is you. */
import type { PasskeyProof, Session } from '@dragoman/contract/wire'
import { useState } from 'react'
import { call, HubFailure } from '../hub.ts'
import { prefix } from '../page-facts.ts'
import { canUsePasskeys, provePasskey } from '../passkeys.ts'
import { useCall } from '../queries.ts'
import type en from '../words/en/signin.json'
import { useWords } from '../words/words.ts'
import { Button } from './controls.tsx'
import { Dialog } from './dialog.tsx'
import { TextField } from './fields.tsx'
import { Modal } from './modal.tsx'
import { Shown } from './said.tsx'
import { FailedSignIn, SignInForm } from './sign-in-form.tsx'

type Key = keyof typeof en
type Proof = { readonly password?: string; readonly passkey?: PasskeyProof }
export type QuestionProps = {
  readonly question: 'signIn' | 'confirm'
  readonly session: Session
  readonly onSignedIn: (session: Session) => void
  readonly onAnswer: (done: boolean) => void
}

export default function Questions({ question, session, onSignedIn, onAnswer }: QuestionProps) {
  return question === 'signIn' ? (
    <SignInAgain onSignedIn={onSignedIn} />
  ) : (
    <Confirm session={session} onAnswer={onAnswer} />
  )
}

/** The path without the prefix under which the hub is served. */
const here = (): string => location.pathname.slice(prefix.length) + location.search

function SignInAgain({ onSignedIn }: { readonly onSignedIn: (session: Session) => void }) {
  const t = useWords<Key>('signin')
  const ways = useCall('findSignIn')
  return (
    <Modal title={t('again')}>
      <p className="mut">{t('againBody')}</p>
      <Shown of={ways} rows={3}>
        {(found) => <SignInForm ways={found} to={here()} onSignedIn={onSignedIn} />}
      </Shown>
    </Modal>
  )
}

function Confirm({
  session,
  onAnswer,
}: {
  readonly session: Session
  readonly onAnswer: (done: boolean) => void
}) {
  const t = useWords<Key>('signin')
  const [password, setPassword] = useState('')
  const [failure, setFailure] = useState<HubFailure | undefined>()
  const [busy, setBusy] = useState(false)
  const has = (way: Session['signsInBy'][number]) => session.signsInBy.includes(way)
  const attempt = async (prove: () => Promise<Proof | undefined>) => {
    setBusy(true)
    setFailure(undefined)
    try {
      const given = await prove()
      if (!given) return
      await call('confirmSession', { body: given })
      onAnswer(true)
    } catch (error) {
      setFailure(
        error instanceof HubFailure ? error : new HubFailure(-1, { message: String(error) }),
      )
    } finally {
      setBusy(false)
    }
  }
  return (
    <Dialog
      title={t('confirm')}
      onClose={() => onAnswer(false)}
      {...(has('password') && {
        act: t('confirmAct'),
        onAct: () => void attempt(async () => ({ password })),
        busy,
      })}
    >
      <p className="mut">{t('confirmBody')}</p>
      {has('password') && (
        <TextField
          label={t('password')}
          kind="password"
          name="password"
          autoComplete="current-password"
          autoFocus
          value={password}
          onChange={setPassword}
        />
      )}
      {failure && <FailedSignIn failure={failure} />}
      {has('passkey') && canUsePasskeys() && (
        <Button
          busy={busy}
          onClick={() =>
            void attempt(async () => {
              const passkey = await provePasskey()
              return passkey && { passkey }
            })
          }
        >
          {t('usePasskey')}
        </Button>
      )}
      {has('provider') && !has('password') && (
        <a href={`${prefix}/console/api/oidc/start?confirm=true&to=${encodeURIComponent(here())}`}>
          {t('confirmProvider')}
        </a>
      )}
    </Dialog>
  )
}
