/** The signed-in person, their site and what they may do. */
import type { Role, Session } from '@dragoman/contract/wire'
import { createContext, useContext } from 'react'
import { learnTime } from './clock.ts'
import { call, credentials } from './hub.ts'
import { switchKeys } from './keys.ts'
import { prefix } from './page-facts.ts'
import { storeChoice, storedChoice } from './stored-choices.ts'

export async function readSession(): Promise<Session> {
  credentials.siteId = siteOfTab() ?? storedChoice('site') ?? ''
  const session = await call('findSession').catch((failure: { status?: number }) => {
    // The stored site may no longer exist: the hub then chooses one.
    if (failure.status !== 403 || !credentials.siteId) throw failure
    credentials.siteId = ''
    forgetSite()
    return call('findSession')
  })
  return learnSession(session)
}

function learnSession(session: Session): Session {
  credentials.csrf = session.csrf
  credentials.siteId = session.siteId
  learnTime(session.time)
  const { language, zone, keys } = session.preferences
  // The page is not in the person's language: reload it in theirs.
  if (language !== undefined && storedChoice('language') !== language) {
    storeChoice('language', language)
    if (storedChoice('language') === language && language !== document.documentElement.lang)
      location.reload()
  }
  if (zone !== undefined) storeChoice('zone', zone)
  if (keys !== undefined) switchKeys(keys)
  return session
}

/** What happens after sign-in: the console opens at the same URL. */
export const SignedInContext = createContext<(session: Session) => void>(() => {})
export const useSignedIn = (): ((session: Session) => void) => useContext(SignedInContext)

const tabSite = 'dragoman:site'
/** A tab stays in its site, whatever another tab chooses. */
function siteOfTab(): string | undefined {
  try {
    return sessionStorage.getItem(tabSite) ?? undefined
  } catch {
    return undefined
  }
}

function forgetSite(): void {
  storeChoice('site', undefined)
  try {
    sessionStorage.removeItem(tabSite)
  } catch {
    // There is nothing to forget.
  }
}

/** The page is reloaded, so that nothing of the other site stays. */
export function chooseSite(siteId: string): void {
  storeChoice('site', siteId)
  try {
    sessionStorage.setItem(tabSite, siteId)
  } catch {
    // Storage is switched off: the site lasts as long as the page.
  }
  location.assign(prefix + pageOnly(location.pathname.slice(prefix.length)))
}

/** Pages whose second path segment names a part of them, not a thing of the site. */
const inParts = ['health', 'access', 'reports']

/** The same page without what belongs to one site: the selected thing and the filter. */
function pageOnly(path: string): string {
  const [page = '', part] = path.split('/').slice(1)
  if (page === 'jobs') return part === 'new' ? '/jobs/new' : '/'
  return inParts.includes(page) && part ? `/${page}/${part}` : `/${page}`
}

export const SessionContext = createContext<Session | undefined>(undefined)

export function useSession(): Session {
  const session = useContext(SessionContext)
  if (!session) throw new TypeError('No one is signed in.')
  return session
}

/** The person's roles in the current site. */
export function useRoles(): readonly Role[] {
  const { sites, siteId } = useSession()
  return sites.find((site) => site.siteId === siteId)?.roles ?? []
}

/** Whether the person has one of these roles. The server decides; this only explains. */
export function useMay(...wanted: readonly Role[]): boolean {
  const held = useRoles()
  return held.includes('admin') || wanted.some((role) => held.includes(role))
}
