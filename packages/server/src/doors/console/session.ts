/**
 * Handlers of sign-in and of the person's own account. Cookies are written here; everything else is
 * a verb.
 */
import {
  type Endpoint,
  endpoints,
  formatTime,
  HubError,
  rolesOf,
  type Session,
} from '@dragoman/contract'
import type { Call } from '../../domain/access/caller.ts'
import { checkLink } from '../../domain/people/links.ts'
import { changeMe, findMe } from '../../domain/people/me.ts'
import {
  addPasskey,
  makeChallenge,
  makeRecoveryCodes,
  removePasskey,
} from '../../domain/people/passkeys.ts'
import {
  accountOf,
  csrfOf,
  endOwnSession,
  hasAnyone,
  signOut,
} from '../../domain/people/sessions.ts'
import { confirmSession, type SignedIn, signIn } from '../../domain/people/sign-in.ts'
import { welcome } from '../../domain/people/welcome.ts'
import { currentPositions, writePositions } from '../../domain/views/changes/read-changes.ts'
import type { Hub } from '../../hub.ts'
import { version } from '../../process/version.ts'
import type { ConsoleHandlers } from './console-handlers.ts'
import { callerOf, type KnownPerson } from './identify-person.ts'
import { oidcHandlers } from './oidc.ts'
import { mustBeSafe, type Visit } from './visit.ts'

export const sessionHandlers = {
  findSession: (hub, call, _, { visit }) => describeSession(hub, call, visit),
  findSignIn: async (hub, _call, _input, { visit }) => ({
    people: await hasAnyone(hub),
    password: hub.config.passwordSignIn,
    ...(hub.config.oidc && { provider: hub.config.oidc.name }),
    connection: visit.connection,
    profile: hub.config.profile,
    command: 'dragoman people link --role admin',
  }),
  signIn: async (hub, call, { body }, { visit }) => {
    mustBeSafe(visit)
    return begin(hub, call, await signIn(hub, body, visit), visit)
  },
  signOut: async (hub, call, _, { visit }) => {
    await signOut(hub, call)
    visit.session.write(undefined)
    return {}
  },
  confirmSession: async (hub, call, { body }, { visit }) => {
    await confirmSession(hub, call, body, visit)
    return describeSession(hub, { ...call, caller: confirmed(call) }, visit)
  },
  checkLink: (hub, _call, { body }, { visit }) => checkLink(hub, body.token, visit.from.address),
  welcome: async (hub, call, { body }, { visit }) => {
    mustBeSafe(visit)
    return begin(hub, call, await welcome(hub, body, visit), visit)
  },
  findMe: (hub, call) => findMe(hub, call),
  changeMe: (hub, call, { body }) => changeMe(hub, call, body),
  endOwnSession: (hub, call, { params }) => endOwnSession(hub, call, params.sessionId),
  challengePasskey: (hub, _call, _input, { visit }) => makeChallenge(hub, visit.expected),
  addPasskey: (hub, call, { body }, { visit }) => addPasskey(hub, call, body, visit.expected),
  removePasskey: (hub, call, { params }) => removePasskey(hub, call, params.passkeyId),
  makeRecoveryCodes: (hub, call) => makeRecoveryCodes(hub, call),
  ...oidcHandlers,
} satisfies Partial<ConsoleHandlers>

const confirmed = ({ caller }: Call): Call['caller'] =>
  caller.person ? { ...caller, person: { ...caller.person, confirmed: true } } : caller

/** The answer to a sign-in: the cookie, and the session as it is from now on. */
async function begin(hub: Hub, call: Call, signedIn: SignedIn, visit: Visit): Promise<Session> {
  visit.session.write(signedIn.token)
  const { person, sites } = await accountOf(hub, signedIn.person.person_id)
  const known: KnownPerson = {
    personId: person.person_id,
    name: person.name,
    sessionId: signedIn.session.session_id,
    confirmed: true,
    sites,
  }
  return describeSession(hub, { ...call, caller: callerOf(known, undefined, undefined) }, visit)
}

async function describeSession(
  hub: Hub,
  { caller }: Call,
  { connection }: Visit,
): Promise<Session> {
  const { person, siteId } = caller
  if (!person) throw new HubError('SIGN_IN_NEEDED', { because: 'nobody is signed in.' })
  const { preferences, ways } = await accountOf(hub, person.personId)
  const roles = new Set(
    person.sites.flatMap((one) => (one.siteId === siteId || one.siteId === '' ? one.roles : [])),
  )
  const isAllowed = (endpoint: Endpoint) =>
    rolesOf(endpoint).some((role) => roles.has(role)) &&
    (!caller.work || endpoint.work || endpoint.scope === 'any')
  return {
    person: { personId: person.personId, name: person.name },
    sites: person.sites.map(({ siteId, roles, providers, languages }) => ({
      siteId,
      roles: [...roles],
      ...(providers && { providers: [...providers] }),
      ...(languages && { languages: [...languages] }),
    })),
    siteId,
    allowed: Object.entries<Endpoint>(endpoints).flatMap(([name, row]) =>
      isAllowed(row) ? [name] : [],
    ),
    preferences,
    signsInBy: ways,
    confirmed: person.confirmed,
    connection: connection === 'secure' ? 'secure' : 'plain',
    profile: hub.config.profile,
    version,
    time: formatTime(hub.clock.now()),
    csrf: csrfOf(hub, person.sessionId),
    position: writePositions(await currentPositions(hub)),
  }
}
