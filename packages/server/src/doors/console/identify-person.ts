/**
 * Finds the person behind a call of the console: by the session cookie or, in the sandbox, the demo
 * person. Then checks whether one of their roles in the chosen site may make the call, and whether
 * it must be confirmed first.
 */
import { type Endpoint, HubError, isLimited, type Role, rolesOf } from '@dragoman/contract'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { isLoopback } from '../../config/config-values.ts'
import { nameIn } from '../../config/own-names.ts'
import { type Call, type Caller, noSite, type Work } from '../../domain/access/caller.ts'
import type { SiteRoles } from '../../domain/people/describe-person.ts'
import {
  accountOf,
  confirmNeeded,
  demoPersonId,
  isConfirmed,
  readSession,
  sandboxSession,
} from '../../domain/people/sessions.ts'
import type { Hub } from '../../hub.ts'
import { visitOf } from './visit.ts'
import { isWrite, mustBeOurPage, mustShowProof } from './write-guard.ts'

/** A person acts for the whole site: what they may call is decided here, by role. */
export function identifyPerson(hub: Hub, endpoint: Endpoint) {
  const writes = isWrite(endpoint)
  return async (request: FastifyRequest, reply?: FastifyReply): Promise<void> => {
    if (writes) mustBeOurPage(hub, request, endpoint)
    if (endpoint.open) return
    const person = await personOf(hub, request, reply)
    if (writes) mustShowProof(hub, request, person.sessionId)
    request.caller = callerOf(person, endpoint, request.headers['x-dragoman-site'])
    if (endpoint.confirm && !person.confirmed) throw confirmNeeded()
  }
}

export type KnownPerson = {
  readonly personId: string
  readonly name: string
  readonly sessionId: string
  readonly confirmed: boolean
  readonly sites: readonly SiteRoles[]
}

/**
 * Throws SIGN_IN_NEEDED. Without a reply, which could bring a new token, the session keeps the one
 * it has.
 */
async function personOf(
  hub: Hub,
  request: FastifyRequest,
  reply: FastifyReply | undefined,
): Promise<KnownPerson> {
  const { session: cookie, connection } = visitOf(hub, request, reply)
  const token = connection === 'refused' ? undefined : cookie.read()
  if (token === undefined) {
    if (needsNoSignIn(hub, request)) return demoPerson(hub)
    throw new HubError('SIGN_IN_NEEDED', { because: 'nobody is signed in.' })
  }
  try {
    const { session, person, sites, newToken } = await readSession(hub, token, reply !== undefined)
    if (newToken !== undefined) cookie.write(newToken)
    const { person_id: personId, name } = person
    return {
      personId,
      name,
      sessionId: session.session_id,
      confirmed: isConfirmed(hub, session),
      sites,
    }
  } catch (error) {
    if (needsNoSignIn(hub, request) && error instanceof HubError && error.code === 'SIGN_IN_NEEDED')
      return demoPerson(hub)
    throw error
  }
}

/** Needs no session row, which a reset or a leap in time would end. */
async function demoPerson(hub: Hub): Promise<KnownPerson> {
  const { person, sites } = await accountOf(hub, demoPersonId)
  return {
    personId: demoPersonId,
    name: person.name,
    sessionId: sandboxSession,
    confirmed: true,
    sites,
  }
}

/**
 * The sandbox needs no sign-in, because its secrets are public: on loopback, under a loopback name
 * (a page that rebinds its name to us has another), and not for a page of another site.
 */
function needsNoSignIn(hub: Hub, { headers }: FastifyRequest): boolean {
  if (hub.config.profile !== 'sandbox' || !isLoopback(hub.config.host)) return false
  const name = nameIn(headers.host ?? '')
  const site = headers['sec-fetch-site'] ?? 'none'
  const isLocal = name !== undefined && (isLoopback(name) || name.endsWith('.localhost'))
  return isLocal && (site === 'none' || site === 'same-origin')
}

/** The call of the person who is signed in; undefined if nobody is. */
export async function openCall(
  hub: Hub,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<Call | undefined> {
  try {
    const person = await personOf(hub, request, reply)
    return { caller: callerOf(person, undefined, undefined), traceId: request.id }
  } catch (error) {
    if (error instanceof HubError) return undefined
    throw error
  }
}

/**
 * Without an endpoint, and for calls about oneself, no role is needed. If all roles that may make
 * the call are limited to providers, the caller is, and may only make calls that respect it.
 */
export function callerOf(
  person: KnownPerson,
  endpoint: Endpoint | undefined,
  asked: string | string[] | undefined,
): Caller {
  const { sites } = person
  const wanted = endpoint && endpoint.scope !== 'any' ? rolesOf(endpoint) : undefined
  const siteId =
    typeof asked === 'string'
      ? asked
      : (sites.find((one) => one.siteId !== noSite)?.siteId ?? noSite)
  const here = sites.find((one) => one.siteId === siteId)
  if (asked !== undefined && !here)
    throw new HubError('FORBIDDEN', {
      because: `you have no role in site ${siteId.slice(0, 100)}; one of its admins can give you one.`,
    })
  const isOperator = sites.some((one) => one.siteId === noSite)
  const chosen = here?.roles.some((role) => !wanted || wanted.includes(role))
    ? here
    : wanted?.includes('operator') && isOperator
      ? { siteId: noSite, roles: ['operator' as const] }
      : undefined
  if (wanted && !chosen) throw missing(wanted, siteId)
  const { siteId: actsIn, roles, ...limits }: SiteRoles = chosen ?? here ?? { siteId, roles: [] }
  const work = workOf(limits, wanted ? roles.filter((role) => wanted.includes(role)) : roles)
  if (wanted && work && !endpoint?.work)
    throw missing(
      wanted.filter((role) => !isLimited(role, limits.providers)),
      siteId,
    )
  const { personId, name, sessionId, confirmed } = person
  return {
    siteId: actsIn,
    clientId: 'console',
    person: { personId, name, roles, sites, sessionId, confirmed },
    ...(work && { work }),
    scopes: [actsIn === noSite ? 'operator' : 'admin'],
    providerIds: [],
    pageFormat: 'full',
    since: undefined,
    quotas: {},
  }
}

function workOf(
  { providers, languages }: Omit<SiteRoles, 'siteId' | 'roles'>,
  roles: readonly Role[],
): Work | undefined {
  if (roles.length === 0 || roles.some((role) => !isLimited(role, providers))) return undefined
  return { providerIds: providers ?? [], ...(languages && { languages }) }
}

function missing(wanted: readonly Role[], siteId: string): HubError {
  const needed = wanted.filter((role) => siteId !== noSite || role === 'operator')
  const names = (needed.length > 0 ? needed : wanted).join(' or ')
  const who = wanted.every((role) => role === 'operator')
    ? 'an operator of this hub can give it to you.'
    : siteId === noSite
      ? 'an admin of a site can give it to you.'
      : `an admin of site ${siteId} can give it to you.`
  return new HubError('FORBIDDEN', { because: `it needs the role ${names}; ${who}` })
}
