/**
 * Opens a sign-in link: the person chooses a name, if they are new, and a password or passkey. The
 * link works once.
 */
import type { GivenPasskey, Invitation } from '@dragoman/contract/wire'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { call, HubFailure } from '../../hub.ts'
import { Button, ButtonLink } from '../../parts/controls.tsx'
import { TextField } from '../../parts/fields.tsx'
import { Front, Notice } from '../../parts/front.tsx'
import { Moment } from '../../parts/moment.tsx'
import { Loading } from '../../parts/said.tsx'
import { canUsePasskeys, makePasskey } from '../../passkeys.ts'
import { useSignedIn } from '../../session.tsx'
import { forgetWelcomeToken, welcomeToken } from '../../welcome-token.ts'
import type en from '../../words/en/welcome.json'
import { useWords } from '../../words/words.ts'
import css from './welcome.module.css'

type Key = keyof typeof en

export default function WelcomePage() {
  const t = useWords<Key>('welcome')
  const token = welcomeToken()
  const link = useQuery<Invitation, HubFailure>({
    queryKey: ['checkLink', token],
    queryFn: () => call('checkLink', { body: { token: token ?? '' } }),
    enabled: token !== undefined,
    staleTime: Number.POSITIVE_INFINITY,
  })
  if (token === undefined || link.error)
    return <Unusable {...(link.error && { failure: link.error })} />
  if (!link.data)
    return (
      <Front title={t('title')}>
        <Loading rows={3} />
      </Front>
    )
  return <WelcomeForm token={token} link={link.data} />
}

function Unusable({ failure }: { readonly failure?: HubFailure }) {
  const t = useWords<Key>('welcome')
  const isGone = !failure || failure.code === 'LINK_NOT_FOUND' || failure.status === 400
  return (
    <Front title={t('title')}>
      <Notice tone="bad">
        <h2>{t('unusable')}</h2>
        <p>{isGone ? t('unusableWhy') : <bdi>{failure.message}</bdi>}</p>
      </Notice>
      <ButtonLink href="/signin">{t('toSignIn')}</ButtonLink>
    </Front>
  )
}

const atLeast = 12

function WelcomeForm({ token, link }: { readonly token: string; readonly link: Invitation }) {
  const t = useWords<Key>('welcome')
  const signedIn = useSignedIn()
  const [name, setName] = useState('')
  const [email, setEmail] = useState('')
  const [password, setPassword] = useState('')
  const [failure, setFailure] = useState<HubFailure | undefined>()
  const [busy, setBusy] = useState(false)
  const isNew = link.person === undefined
  const mayPasskey = canUsePasskeys()

  const use = async (more: { password?: string; passkey?: GivenPasskey }) => {
    setBusy(true)
    setFailure(undefined)
    try {
      const session = await call('welcome', {
        body: { token, ...(isNew && { name, email }), ...more },
      })
      forgetWelcomeToken()
      signedIn(session)
    } catch (error) {
      setFailure(
        error instanceof HubFailure ? error : new HubFailure(-1, { message: String(error) }),
      )
    } finally {
      setBusy(false)
    }
  }
  const withPasskey = async () => {
    const whose = { name: link.person?.name ?? name, account: link.person?.email ?? email }
    const passkey = await makePasskey(whose).catch((error: unknown) => {
      setFailure(
        error instanceof HubFailure ? error : new HubFailure(-1, { message: String(error) }),
      )
      return undefined
    })
    if (passkey) await use({ passkey })
  }
  const faultOf = (code: string): string | undefined =>
    failure?.code === code ? failure.message : undefined
  const isShort = password !== '' && Array.from(password).length < atLeast
  return (
    <Front title={isNew ? t('title') : t('back')}>
      {link.person ? (
        <p>{t.rich('known', { name: link.person.name, bdi: (inside) => <bdi>{inside}</bdi> })}</p>
      ) : (
        <p className="mut">{t('intro')}</p>
      )}
      <Roles link={link} />
      <form
        onSubmit={(event) => {
          event.preventDefault()
          if (!busy) void (link.password ? use({ password }) : withPasskey())
        }}
        className={css.form}
      >
        {isNew && (
          <>
            <TextField
              label={t('name')}
              name="name"
              autoComplete="name"
              autoFocus
              maxLength={100}
              value={name}
              onChange={setName}
            />
            <TextField
              label={t('email')}
              help={t('emailHint')}
              fault={faultOf('PERSON_EXISTS')}
              kind="email"
              name="email"
              autoComplete="username"
              value={email}
              onChange={setEmail}
            />
          </>
        )}
        {link.password && (
          <TextField
            label={t('password')}
            help={t('passwordHint', { count: atLeast })}
            fault={
              faultOf('PASSWORD_WEAK') ?? (isShort ? t('tooShort', { count: atLeast }) : undefined)
            }
            kind="password"
            name="password"
            autoComplete="new-password"
            value={password}
            onChange={setPassword}
          />
        )}
        {failure && !['PASSWORD_WEAK', 'PERSON_EXISTS'].includes(failure.code) && (
          <Notice tone="bad">
            <p role="alert">
              <bdi>{failure.message}</bdi>
            </p>
          </Notice>
        )}
        {link.password && (
          <Button
            type="submit"
            kind="main"
            busy={busy}
            refusal={isShort ? t('tooShort', { count: atLeast }) : undefined}
          >
            {t('setPassword')}
          </Button>
        )}
        {mayPasskey && (
          <Button
            kind={link.password ? 'plain' : 'main'}
            busy={busy}
            refusal={isNew && (name === '' || email === '') ? t('nameFirst') : undefined}
            onClick={() => void withPasskey()}
          >
            {t('setPasskey')}
          </Button>
        )}
      </form>
      <p className="meta dim">
        {t('until')} <Moment at={link.expiryDate} />
      </p>
    </Front>
  )
}

/** The roles that the person will have. */
function Roles({ link }: { readonly link: Invitation }) {
  const t = useWords<Key>('welcome')
  if (link.sites.length === 0) return null
  return (
    <ul className={css.roles}>
      {link.sites.map(({ siteId, roles }) => (
        <li key={siteId}>
          {siteId === ''
            ? t('operator')
            : t.rich('rolesIn', {
                site: siteId,
                roles: roles.map((role) => t(`role.${role}` as Key)).join(', '),
                bdi: (inside) => <bdi>{inside}</bdi>,
              })}
        </li>
      ))}
    </ul>
  )
}
