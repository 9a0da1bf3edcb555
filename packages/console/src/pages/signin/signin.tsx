/**
 * Signs in; says what to do if nobody can sign in yet, or if the connection is not secure.
 * Afterwards the same URL opens.
 */
import { useLocation, useSearch } from 'wouter'
import { Copy } from '../../parts/controls.tsx'
import { Front, Notice } from '../../parts/front.tsx'
import { Code } from '../../parts/page.tsx'
import { Shown } from '../../parts/said.tsx'
import { SignInForm } from '../../parts/sign-in-form.tsx'
import { useCall } from '../../queries.ts'
import { useSignedIn } from '../../session.tsx'
import type en from '../../words/en/signin.json'
import { useWords } from '../../words/words.ts'

type Key = keyof typeof en
const problems: Readonly<Record<string, Key>> = {
  SIGN_IN_REFUSED: 'problem.refused',
  SERVICE_UNAVAILABLE: 'problem.unavailable',
  INSECURE_SIGN_IN: 'problem.insecure',
  NOT_FOUND: 'problem.none',
}

export default function SignInPage() {
  const t = useWords<Key>('signin')
  const [path] = useLocation()
  const problem = new URLSearchParams(useSearch()).get('problem')
  const signedIn = useSignedIn()
  const ways = useCall('findSignIn')
  const to = path === '/signin' ? '/' : path + location.search
  return (
    <Front title={t('title')}>
      <Shown of={ways} rows={3}>
        {(found) => {
          if (found.connection === 'refused') return <Insecure />
          if (!found.people) return <NoPeople command={found.command} />
          return (
            <>
              {problem && (
                <Notice tone="bad">
                  <p role="alert">{t(problems[problem] ?? 'problem.refused')}</p>
                </Notice>
              )}
              {found.connection === 'plain' && (
                <Notice tone="bad">
                  <p>{t('plain')}</p>
                </Notice>
              )}
              <SignInForm ways={found} to={to} onSignedIn={signedIn} />
              <details>
                <summary className="dim">{t('forgot')}</summary>
                <p className="mut">{t('forgotBody')}</p>
                <Command text="dragoman people link --email …" />
              </details>
            </>
          )
        }}
      </Shown>
    </Front>
  )
}

/** Two alternatives, and the option for people who know what they are doing. */
function Insecure() {
  const t = useWords<Key>('signin')
  return (
    <Notice tone="bad">
      <h2>{t('insecure')}</h2>
      <p>{t('insecureWhy')}</p>
      <ul>
        <li>{t.rich('insecureTls', { code: (inside) => <code>{inside}</code> })}</li>
        <li>{t.rich('insecureProxy', { code: (inside) => <code>{inside}</code> })}</li>
      </ul>
      <p className="mut">{t.rich('insecureSwitch', { code: (inside) => <code>{inside}</code> })}</p>
    </Notice>
  )
}

function NoPeople({ command }: { readonly command: string }) {
  const t = useWords<Key>('signin')
  return (
    <Notice tone="plain">
      <h2>{t('noPeople')}</h2>
      <p>{t.rich('noPeopleLink', { code: (inside) => <code>{inside}</code> })}</p>
      <p>{t('noPeopleCommand')}</p>
      <Command text={command} />
    </Notice>
  )
}

function Command({ text }: { readonly text: string }) {
  const t = useWords<Key>('signin')
  return (
    <div>
      <Code text={text} label={t('command')} />
      <Copy text={text} label={t('copyCommand')}>
        {t('copyCommand')}
      </Copy>
    </div>
  )
}
