/**
 * Sign-in by an OpenID provider: authorization code with PKCE, state and nonce, which travel in a
 * sealed cookie of the browser that began. An account is found by issuer and subject, never by its
 * e-mail address: whoever controls an address at the provider must not get the account of someone
 * else. With a table of roles the provider decides on them at each sign-in.
 */
import { formatTime, HubError, type OidcState } from '@dragoman/contract'
import type { Hub } from '../../hub.ts'
import { perHub } from '../../process/caches.ts'
import { decodeUri } from '../../process/parse.ts'
import type { Db } from '../../store/database.ts'
import { isSameText } from '../../store/same-text.ts'
import type { PersonRow } from '../../store/tables.ts'
import { hubItself, recordActs } from '../access/audit/record-acts.ts'
import type { Call } from '../access/caller.ts'
import { hasStayingSite } from '../access/sites.ts'
import { roleNames, type SiteRoles, sitesOf } from './describe-person.ts'
import { giveRoles } from './give-roles.ts'
import { newPerson, plainEmail } from './new-person.ts'
import { type Claims, groupsIn, personIn } from './oidc-claims.ts'
import {
  type Oidc,
  type ProviderAnswer,
  refused,
  type SignIn,
  signInUrl,
  whoSignedIn,
} from './oidc-provider.ts'
import * as rows from './person-rows.ts'
import { newToken } from './random-token.ts'
import { type Attempt, completeSignIn, confirm, type SignedIn } from './sign-in.ts'

const underWayMs = 600_000
/** What the browser carries meanwhile, sealed. */
type UnderWay = SignIn & {
  readonly to: string
  readonly startedAt: number
  /** The session to confirm, in place of a new one. */
  readonly sessionId?: string
}

/** The last failure, until a sign-in works. */
const troubles = perHub(() => ({ last: undefined as { at: number; message: string } | undefined }))

/** Notes that a sign-in by the provider failed, for those who look after it. */
export function noteTrouble(hub: Hub, message: string): void {
  troubles(hub).last = { at: hub.clock.now(), message }
}

export function oidcState(hub: Hub): OidcState {
  const { oidc } = hub.config
  const { last } = troubles(hub)
  if (!oidc) return { configured: false }
  return {
    configured: true,
    name: oidc.name,
    issuer: oidc.issuer,
    givesRoles: oidc.roles !== undefined,
    ...(last && { lastError: { time: formatTime(last.at), message: last.message } }),
  }
}

export type Begun = { readonly location: string; readonly carried: string }

/** `to` is the page to return to; only a path of our own console. */
export async function beginOidc(
  hub: Hub,
  asked: {
    readonly redirectUri: string
    readonly to?: string | undefined
    readonly sessionId?: string | undefined
  },
): Promise<Begun> {
  const oidc = mustHaveOidc(hub)
  const { redirectUri, sessionId } = asked
  const underWay: UnderWay = {
    state: newToken(),
    nonce: newToken(),
    verifier: newToken(),
    to: ownPath(asked.to),
    redirectUri,
    startedAt: hub.clock.now(),
    ...(sessionId !== undefined && { sessionId }),
  }
  const again = sessionId === undefined ? {} : { prompt: 'login', max_age: '0' }
  const location = await signInUrl(hub, oidc, underWay, again)
  return { location, carried: hub.vault.seal('oidc', JSON.stringify(underWay)) }
}

/** The query of the provider's redirect, and what the browser carried meanwhile. */
export type Came = ProviderAnswer & { readonly carried: string | undefined }
export type Returned = { readonly to: string; readonly signedIn?: SignedIn }

/** `call` is that of the open session, if there is one: only that one can be confirmed. */
export async function endOidc(
  hub: Hub,
  { carried, ...came }: Came,
  attempt: Attempt,
  call: Call | undefined,
): Promise<Returned> {
  const oidc = mustHaveOidc(hub)
  const underWay = openCarried(hub, carried)
  if (!underWay || !isSameText(came.state ?? '', underWay.state))
    throw refused('this answer belongs to no sign-in of this browser; begin again.')
  if (came.error !== undefined) throw refused(`it answered ${came.error.slice(0, 100)}.`)
  const { to } = underWay
  const { subject, token, claims } = await whoSignedIn(hub, oidc, came, underWay)
  if (underWay.sessionId !== undefined) {
    await confirmBy(hub, underWay, { issuer: oidc.issuer, subject, token }, call)
    return { to }
  }
  const person = await personOf(hub, oidc, subject, claims)
  const signedIn = await completeSignIn(hub, { person, by: 'provider' }, attempt)
  troubles(hub).last = undefined
  return { to, signedIn }
}

function openCarried(hub: Hub, carried: string | undefined): UnderWay | undefined {
  if (carried === undefined) return undefined
  try {
    const underWay = JSON.parse(hub.vault.open('oidc', carried)) as UnderWay
    return Math.abs(hub.clock.now() - underWay.startedAt) < underWayMs ? underWay : undefined
  } catch {
    return undefined
  }
}

/** The person of the session has signed in at the provider once more, just now. */
async function confirmBy(
  hub: Hub,
  { sessionId, startedAt }: UnderWay,
  shown: { readonly issuer: string; readonly subject: string; readonly token: Claims },
  call: Call | undefined,
): Promise<void> {
  const person = call?.caller.person
  const row = person && (await rows.personById(hub.db.read, person.personId))
  const isSame =
    row?.issuer === shown.issuer && row.subject === shown.subject && person?.sessionId === sessionId
  const { auth_time } = shown.token
  const authTime = typeof auth_time === 'number' ? auth_time * 1_000 : 0
  if (!call || !isSame || sessionId === undefined)
    throw refused('someone else signed in than the person at the console.')
  if (authTime < startedAt - 60_000) throw refused('it did not repeat the sign-in.')
  await hub.db.transact((tx) => confirm(hub, tx, call, sessionId))
}

/**
 * A new person without a role is refused and leaves no row: nobody can keep an address or a name
 * that way.
 */
async function personOf(hub: Hub, oidc: Oidc, subject: string, claims: Claims): Promise<PersonRow> {
  return hub.db.transact(async (tx) => {
    const known = await rows.personBySubject(tx, oidc.issuer, subject)
    const person = known ?? (await addPerson(hub, tx, { issuer: oidc.issuer, subject }, claims))
    const wanted = oidc.roles && (await wantedRoles(tx, oidc, claims))
    if (wanted) await bringRoles(hub, tx, person, wanted)
    if (!known && (await sitesOf(tx, person.person_id)).length === 0)
      throw refused('your account has no role here; ask an operator for one.')
    return person
  })
}

async function addPerson(
  hub: Hub,
  tx: Db,
  known: { readonly issuer: string; readonly subject: string },
  claims: Claims,
): Promise<PersonRow> {
  const { name, email: given } = personIn(claims, known.subject)
  // An address of someone else stays theirs.
  const email =
    given !== undefined && (await rows.peopleByEmail(tx, plainEmail(given))).length === 0
      ? given
      : null
  const person = newPerson(hub, { name, email, ...known })
  if (!(await rows.insertPerson(tx, person)))
    throw refused('the account was added by another call; try again.')
  await recordActs(hub, tx, hubItself(), [{ thing: 'person', verb: 'added', id: person.person_id }])
  return person
}

/** The roles of everyone (`*`) and of the values that the claim holds, in sites that are there. */
async function wantedRoles(
  tx: Db,
  { claim, roles = [] }: Oidc,
  claims: Claims,
): Promise<SiteRoles[]> {
  const values = new Set(['*', ...groupsIn(claims, claim)])
  const sites = new Map<string, SiteRoles>()
  for (const { value, siteId, role } of roles) {
    if (!values.has(value) || (siteId !== '' && !(await hasStayingSite(tx, siteId)))) continue
    const held = sites.get(siteId)?.roles ?? []
    sites.set(siteId, { siteId, roles: [...new Set([...held, role])] })
  }
  return [...sites.values()]
}

/** Writes only what differs, so that a session keeps its token. */
async function bringRoles(
  hub: Hub,
  tx: Db,
  person: PersonRow,
  given: readonly SiteRoles[],
): Promise<void> {
  const held = await sitesOf(tx, person.person_id)
  // The table names roles; which providers they are for is given here.
  const wanted = given.map((site) => ({
    ...held.find(({ siteId }) => siteId === site.siteId),
    ...site,
  }))
  const said = (sites: readonly SiteRoles[]) => roleNames(sites).sort().join(' ')
  if (said(held) === said(wanted)) return
  const lost = held.filter(({ siteId }) => !wanted.some((one) => one.siteId === siteId))
  const ended = await giveRoles(hub, tx, person, [
    ...wanted,
    ...lost.map(({ siteId }) => ({ siteId, roles: [] })),
  ])
  const siteIds = new Set([...held, ...wanted].map(({ siteId }) => siteId))
  await recordActs(hub, tx, hubItself(), [
    ...[...siteIds].map((siteId) => {
      const side = (sites: readonly SiteRoles[]) => ({
        sites: roleNames(sites.filter((one) => one.siteId === siteId)),
      })
      return {
        thing: 'person',
        verb: 'changed',
        id: person.person_id,
        siteId,
        was: side(held),
        is: side(wanted),
      } as const
    }),
    ...ended,
  ])
}

function mustHaveOidc(hub: Hub): Oidc {
  if (!hub.config.oidc) throw new HubError('NOT_FOUND', { what: 'OpenID provider' })
  return hub.config.oidc
}

const anyOrigin = 'http://hub.invalid'

/**
 * A path of our own page, as a browser would read it: `//other` and `/\\other` lead to another
 * host, `/.//x` to `//x`.
 */
export function ownPath(to: string | undefined): string {
  const url =
    to?.startsWith('/') && URL.canParse(to, anyOrigin) ? new URL(to, anyOrigin) : undefined
  if (!url || url.origin !== anyOrigin || url.pathname.startsWith('//')) return '/'
  // The router decodes a path before it compares.
  const isCall = /^\/+console(\/|$)/i.test(decodeUri(url.pathname) ?? '/console')
  return isCall ? '/' : `${url.pathname}${url.search}${url.hash}`
}
