/** The person who is signed in, their site and what they may do. */
import type { Role, Session } from '@dragoman/contract/wire'
import { createContext, useContext } from 'react'
import { learnTime } from './clock.ts'
import { call, credentials } from './hub.ts'
import { keep, kept } from './kept.ts'
import { switchKeys } from './keys.ts'

export async function readSession(): Promise<Session> {
  credentials.siteId = kept('site') ?? ''
  const session = await call('findSession').catch((failure: { status?: number }) => {
    // The kept site may be gone: the hub then chooses.
    if (failure.status !== 403 || !credentials.siteId) throw failure
    credentials.siteId = ''
    return call('findSession')
  })
  return learnSession(session)
}

function learnSession(session: Session): Session {
  credentials.csrf = session.csrf
  credentials.siteId = session.siteId
  learnTime(session.time)
  const { language, zone, keys } = session.preferences
  // The page is in another language than the person wants: it starts again in theirs.
  if (language !== undefined && kept('language') !== language) {
    keep('language', language)
    if (kept('language') === language && language !== document.documentElement.lang) location.reload()
  }
  if (zone !== undefined) keep('zone', zone)
  if (keys !== undefined) switchKeys(keys)
  return session
}

/** What happens after a sign-in: the console opens, at the same address. */
export const SignedInContext = createContext<(session: Session) => void>(() => {})
export const useSignedIn = (): ((session: Session) => void) => useContext(SignedInContext)

/** The page is loaded anew, so that nothing of the other site stays. */
export function chooseSite(siteId: string): void {
  keep('site', siteId)
  location.assign(location.pathname.split('/').slice(0, 2).join('/') || '/')
}

export const SessionContext = createContext<Session | undefined>(undefined)

export function useSession(): Session {
  const session = useContext(SessionContext)
  if (!session) throw new TypeError('No one is signed in.')
  return session
}

/** The roles of the person in the site at hand. */
export function useRoles(): readonly Role[] {
  const { sites, siteId } = useSession()
  return sites.find((site) => site.siteId === siteId)?.roles ?? []
}

/** Whether one of these roles is there. The server decides; this only explains. */
export function useMay(...wanted: readonly Role[]): boolean {
  const held = useRoles()
  return held.includes('admin') || wanted.some((role) => held.includes(role))
}
