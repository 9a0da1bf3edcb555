/**
 * Sessions of the console: a cookie with 256 random bits, stored as a hash. A session ends after 8
 * hours without a call and 7 days after the sign-in. It gets a new token when the roles of its
 * person change; the old one serves calls under way for half a minute more. Every call reads the
 * rows, so that an ended session is refused on every node at once.
 */
import {
  HubError,
  limits,
  type Person,
  type PersonSession,
  type Preferences,
  type SessionsQuery,
} from '@dragoman/contract'
import type { Hub } from '../../hub.ts'
import type { Db } from '../../store/database.ts'
import { readPage } from '../../store/filtered-page.ts'
import { newId } from '../../store/ids.ts'
import type { Page } from '../../store/page.ts'
import { isSameText } from '../../store/same-text.ts'
import type { PersonRow, SessionRow } from '../../store/tables.ts'
import { recordActs } from '../access/audit/record-acts.ts'
import { actorOf, type Call, noSite, sightOf } from '../access/caller.ts'
import { describePerson, describeSession, type SiteRoles, sitesOf } from './describe-person.ts'
import * as people from './person-rows.ts'
import { newToken, tokenHash } from './random-token.ts'
import * as rows from './session-rows.ts'

/** Where a sign-in came from. */
export type Source = { readonly address: string; readonly userAgent?: string | undefined }

export type OpenSession = {
  readonly session: SessionRow
  readonly person: PersonRow
  readonly sites: readonly SiteRoles[]
  /** Set if the browser must get another token. */
  readonly newToken?: string
}

/** Stands in place of a session's id where the sandbox opens by itself. */
export const sandboxSession = 'sandbox'

const formerMs = 30_000
const noteEveryMs = 60_000
const ended = (hub: Hub): rows.Ended => ({
  now: hub.clock.now(),
  idleBefore: hub.clock.now() - limits.sessionIdleMs,
})

/**
 * In the transaction of the sign-in. A session is never taken over from before it, so none can be
 * planted.
 */
export async function openSession(
  hub: Hub,
  tx: Db,
  person: PersonRow,
  from: Source,
): Promise<{ token: string; session: SessionRow }> {
  const now = hub.clock.now()
  const token = newToken()
  const session: SessionRow = {
    session_id: newId(),
    person_id: person.person_id,
    token_hash: tokenHash(token),
    former_hash: null,
    former_until: null,
    created_at: now,
    used_at: now,
    expires_at: now + limits.sessionMs,
    roles_at: person.roles_at,
    confirmed_at: now,
    user_agent: from.userAgent?.slice(0, 300) ?? null,
    address: from.address,
  }
  await rows.insertSession(tx, session)
  await people.updatePerson(tx, person.person_id, { last_sign_in_at: now })
  return { token, session }
}

/**
 * The session of a cookie. Throws SIGN_IN_NEEDED with the reason. A new token is made only for an
 * answer that brings it.
 */
export async function readSession(
  hub: Hub,
  token: string,
  canReplace = true,
): Promise<OpenSession> {
  const { db, clock } = hub
  const now = clock.now()
  const session = await rows.sessionByToken(db.read, tokenHash(token), now)
  if (!session) throw needed('your session has ended.')
  if (session.expires_at <= now) throw needed('your session has reached its longest time, a week.')
  if (session.used_at + limits.sessionIdleMs <= now)
    throw needed('your session was not used for 8 hours.')
  const [person, sites] = await Promise.all([
    people.personById(db.read, session.person_id),
    sitesOf(db.read, session.person_id),
  ])
  if (!person || person.disabled_at !== null) throw needed('this account is disabled.')
  if (Math.abs(now - session.used_at) >= noteEveryMs)
    await db.transact((tx) => rows.noteUse(tx, session.session_id, now))
  const isPresent = session.token_hash === tokenHash(token)
  if (session.roles_at === person.roles_at || !isPresent || !canReplace)
    return { session, person, sites }
  const replaced = await replaceToken(hub, session, person)
  return { session, person, sites, ...(replaced !== undefined && { newToken: replaced }) }
}

/**
 * The roles of a person whose session is open, for what lasts longer than a call: it does not count
 * as a use of the session. Undefined once the session has ended.
 */
export async function rolesNow(
  hub: Hub,
  { personId, sessionId }: { readonly personId: string; readonly sessionId: string },
): Promise<readonly SiteRoles[] | undefined> {
  const { read } = hub.db
  const now = hub.clock.now()
  if (sessionId !== sandboxSession) {
    const session = await rows.sessionById(read, sessionId)
    if (!session || session.expires_at <= now || session.used_at + limits.sessionIdleMs <= now)
      return undefined
  }
  const person = await people.personById(read, personId)
  return person && person.disabled_at === null ? sitesOf(read, personId) : undefined
}

/** Undefined if another call has just done it: that one's answer brings the new token. */
async function replaceToken(
  hub: Hub,
  session: SessionRow,
  person: PersonRow,
): Promise<string | undefined> {
  const token = newToken()
  const change = {
    token_hash: tokenHash(token),
    former_hash: session.token_hash,
    former_until: hub.clock.now() + formerMs,
    roles_at: person.roles_at,
  }
  const done = await hub.db.transact((tx) => rows.replaceToken(tx, session, change))
  return done ? token : undefined
}

const needed = (because: string): HubError => new HubError('SIGN_IN_NEEDED', { because })

/**
 * The proof that a write comes from our own page. It depends on the session, not on its token,
 * which may be replaced.
 */
export const csrfOf = (hub: Hub, sessionId: string): string =>
  hub.vault.sign('csrf', sessionId).toString('base64url')

export const isCsrf = (hub: Hub, sessionId: string, given: string): boolean =>
  isSameText(given, csrfOf(hub, sessionId))

export const isConfirmed = (
  hub: Hub,
  { confirmed_at }: Pick<SessionRow, 'confirmed_at'>,
): boolean => Math.abs(hub.clock.now() - confirmed_at) < limits.confirmedMs

export const confirmNeeded = (): HubError =>
  new HubError('CONFIRM_NEEDED', { minutes: limits.confirmedMs / 60_000 })

export async function listSessions(
  hub: Hub,
  call: Call,
  asked: SessionsQuery,
): Promise<Page<PersonSession>> {
  const { db, vault } = hub
  const { rows: found, next } = await readPage(
    { vault, siteId: call.caller.siteId, name: 'sessions' },
    asked,
    ({ siteId, personId }, part) =>
      rows.pageOfSessions(db.read, sightOf(call, siteId), { ...ended(hub), personId }, part),
    ({ created_at, session_id }) => [created_at, session_id],
  )
  const items: PersonSession[] = []
  for (const row of found) items.push(await describe(db.read, row, call))
  return { items, ...(next !== undefined && { next }) }
}

async function describe(db: Db, row: SessionRow, call: Call): Promise<PersonSession> {
  const person = await people.personById(db, row.person_id)
  return describeSession(row, person?.name ?? '', call.caller.person?.sessionId)
}

/** Only an admin of a site of its person, or an operator, may call this. */
export const endSession = (hub: Hub, call: Call, sessionId: string): Promise<PersonSession> =>
  end(hub, call, sessionId, async (tx, { person_id }) => {
    const sight = sightOf(call)
    if (sight === undefined) return true
    return (await sitesOf(tx, person_id)).some(({ siteId }) => siteId === sight)
  })

/** Only the person of the session may call this. */
export const endOwnSession = (hub: Hub, call: Call, sessionId: string): Promise<PersonSession> =>
  end(hub, call, sessionId, async (_, { person_id }) => person_id === call.caller.person?.personId)

async function end(
  hub: Hub,
  call: Call,
  sessionId: string,
  maySee: (tx: Db, session: SessionRow) => Promise<boolean>,
): Promise<PersonSession> {
  return hub.db.transact(async (tx) => {
    const session = await rows.sessionById(tx, sessionId)
    if (!session || !(await maySee(tx, session)))
      throw new HubError('SESSION_NOT_FOUND', { sessionId })
    const shown = await describe(tx, session, call)
    await rows.deleteSession(tx, sessionId)
    const siteId = sightOf(call) ?? (await firstSite(tx, session.person_id))
    await recordActs(hub, tx, actorOf(call), [
      { thing: 'session', verb: 'ended', id: sessionId, siteId },
    ])
    return shown
  })
}

/** The site under which acts of a person about themselves are read. */
export const firstSite = async (db: Db, personId: string): Promise<string> =>
  (await sitesOf(db, personId)).find(({ siteId }) => siteId !== noSite)?.siteId ?? noSite

export async function signOut(hub: Hub, call: Call): Promise<void> {
  const { person } = call.caller
  if (person?.sessionId === undefined) return
  const { sessionId, personId } = person
  await hub.db.transact(async (tx) => {
    if (!(await rows.deleteSession(tx, sessionId))) return
    const siteId = await firstSite(tx, personId)
    await recordActs(hub, tx, actorOf(call), [
      { thing: 'person', verb: 'signed out', id: personId, siteId },
    ])
  })
}

/** The open sessions of a person. */
export async function sessionsOf(
  hub: Hub,
  person: PersonRow,
  current: string | undefined,
): Promise<PersonSession[]> {
  const found = await rows.sessionsOf(hub.db.read, person.person_id, ended(hub))
  return found.map((row) => describeSession(row, person.name, current))
}

export type Account = {
  readonly person: PersonRow
  readonly sites: readonly SiteRoles[]
  readonly preferences: Preferences
  readonly ways: Person['signsInBy']
}

/** The person as the console knows them. */
export async function accountOf(hub: Hub, personId: string): Promise<Account> {
  const person = await people.personById(hub.db.read, personId)
  if (!person) throw needed('your account was removed.')
  const { sites, signsInBy: ways } = await describePerson(hub.db.read, person)
  return { person, sites, preferences: JSON.parse(person.preferences ?? '{}') as Preferences, ways }
}

/** Whether anybody can sign in yet. */
export const hasAnyone = (hub: Hub): Promise<boolean> => people.hasPeople(hub.db.read)

/** The person as whom the sandbox opens by itself. */
export const demoPersonId = 'demo-person'

/** Part of the sweep. */
export const forgetSessions = (hub: Hub, tx: Db): Promise<void> => rows.deleteEnded(tx, ended(hub))
