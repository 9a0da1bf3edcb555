/**
 * Reads who is signed in, then shows the shell; without a session the sign-in page, and for a link
 * the welcome page.
 */
import type { Session } from '@dragoman/contract/wire'
import { useMantineColorScheme } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { lazy, Suspense, useCallback, useEffect } from 'react'
import { useLocation } from 'wouter'
import type { HubFailure } from './hub.ts'
import { orMissing } from './missing-file.ts'
import { Asking } from './parts/asking.tsx'
import { Failed, Loading } from './parts/said.tsx'
import { queryClient } from './queries.ts'
import { loadPage, routeAt } from './routes.tsx'
import { readSession, SessionContext, SignedInContext } from './session.tsx'
import { Shell } from './shell.tsx'
import css from './start.module.css'
import type en from './words/en/shell.json'
import { type Language, loadWords, useLanguage, useWords } from './words/words.ts'

const sessionKey = ['findSession', 'start']
const sessionRead = {
  queryKey: sessionKey,
  queryFn: readSession,
  staleTime: Number.POSITIVE_INFINITY,
  // What was read ahead is the answer, also that nobody is signed in.
  retryOnMount: false,
}

/** Before the first render: reads the session, and loads the page of this URL. */
export function readAhead(path: string, language: Language): void {
  if (path === '/welcome') return
  void queryClient.prefetchQuery({ ...sessionRead, retry: false })
  const route = routeAt(path)
  // If this fails, the page itself reports it.
  if (route) loadPage(route, language).catch(() => {})
}

/** Rarely needed pages load on demand. */
const front = (language: Language) => ({
  SignIn: lazy(
    async () =>
      (
        await orMissing(
          Promise.all([import('./pages/signin/signin.tsx'), loadWords(language, 'signin')]),
        )
      )[0],
  ),
  Welcome: lazy(
    async () =>
      (
        await orMissing(
          Promise.all([import('./pages/welcome/welcome.tsx'), loadWords(language, 'welcome')]),
        )
      )[0],
  ),
})
let fronts: { readonly language: Language; readonly pages: ReturnType<typeof front> } | undefined

function useFronts() {
  const language = useLanguage()
  if (fronts?.language !== language) fronts = { language, pages: front(language) }
  return fronts.pages
}

export function Start() {
  const client = useQueryClient()
  const [path, go] = useLocation()
  const { SignIn, Welcome } = useFronts()
  const isWelcome = path === '/welcome'
  const session = useQuery<Session, HubFailure>({
    ...sessionRead,
    enabled: !isWelcome,
  })
  const open = useCallback(async () => {
    // Nothing read before the sign-in is kept.
    await client.resetQueries({ queryKey: sessionKey })
    if (path === '/signin' || isWelcome) go('/', { replace: true })
  }, [client, path, isWelcome, go])
  const isFront =
    isWelcome || (path === '/signin' && !session.data) || session.error?.code === 'SIGN_IN_NEEDED'
  if (isFront)
    return (
      <SignedInContext value={() => void open()}>
        <Suspense fallback={null}>{isWelcome ? <Welcome /> : <SignIn />}</Suspense>
      </SignedInContext>
    )
  if (session.data)
    return (
      <SessionContext value={session.data}>
        <Look session={session.data} />
        <Shell />
        <Asking
          session={session.data}
          onSession={(read) => client.setQueryData(sessionKey, read)}
        />
      </SessionContext>
    )
  if (session.error) return <Failed failure={session.error} retry={() => void session.refetch()} />
  return <Loading rows={0} />
}

/** The theme that the person chose, and the red frame around an unencrypted connection. */
function Look({ session }: { readonly session: Session }) {
  const t = useWords<keyof typeof en>('shell')
  const { setColorScheme } = useMantineColorScheme()
  const { theme } = session.preferences
  useEffect(() => {
    if (theme !== undefined) setColorScheme(theme === 'system' ? 'auto' : theme)
  }, [theme, setColorScheme])
  if (session.connection === 'secure') return null
  return (
    <div className={css.plain}>
      <p>{t('plainHttp')}</p>
    </div>
  )
}
