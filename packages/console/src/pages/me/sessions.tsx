/** Where the person is signed in, and how to end each session. */
import type { Me } from '@dragoman/contract/wire'
import { call } from '../../hub.ts'
import { prefix } from '../../page-facts.ts'
import { Button } from '../../parts/controls.tsx'
import { Moment } from '../../parts/moment.tsx'
import { Panel } from '../../parts/page.tsx'
import { Refused } from '../../parts/said.tsx'
import { useAct } from '../../queries.ts'
import type en from '../../words/en/me.json'
import { useWords } from '../../words/words.ts'
import { browserOf } from './browser-name.ts'
import css from './me.module.css'

export function Sessions({ me }: { readonly me: Me }) {
  const t = useWords<keyof typeof en>('me')
  const end = useAct('endOwnSession', ['findMe'])
  return (
    <div>
      <Panel title={t('sessions')}>
        {me.sessions.length === 0 && <p className="mut">{t('noSessions')}</p>}
        <ul className={css.list}>
          {me.sessions.map((session) => (
            <li key={session.sessionId} className={css.item}>
              <span className={css.about}>
                <bdi title={session.userAgent}>
                  {browserOf(session.userAgent) ?? t('unknownBrowser')}
                </bdi>{' '}
                <span className="meta dim">
                  <bdi className="mono">{session.address}</bdi>, {t('lastUsed')}{' '}
                  <Moment at={session.lastUsedDate} as="relative" />, {t('ends')}{' '}
                  <Moment at={session.expiryDate} as="dateYear" />
                </span>
              </span>
              {session.current ? (
                <span className={`${css.here} approved`}>{t('thisSession')}</span>
              ) : (
                <Button
                  small
                  busy={end.isPending}
                  onClick={() => end.mutate({ params: { sessionId: session.sessionId } })}
                >
                  {t('endSession')}
                </Button>
              )}
            </li>
          ))}
        </ul>
        <Refused failure={end.error} />
      </Panel>
    </div>
  )
}

export function SignOut() {
  const t = useWords<keyof typeof en>('me')
  const signOut = async () => {
    await call('signOut')
    location.assign(`${prefix}/signin`)
  }
  return <Button onClick={() => void signOut()}>{t('signOut')}</Button>
}
