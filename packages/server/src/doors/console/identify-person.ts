/** Finds the person behind a call of the console, and whether one of their roles may make it. */
import { type Endpoint, HubError, type Role, rolesOf } from '@dragoman/contract'
import type { FastifyRequest } from 'fastify'
import type { Caller } from '../../domain/access/caller.ts'
import type { Hub } from '../../hub.ts'

/** A person acts for the whole site: what they may call is decided here, by role. */
export function identifyPerson(hub: Hub, endpoint: Endpoint) {
  const wanted = rolesOf(endpoint)
  return async (request: FastifyRequest): Promise<void> => {
    const caller = sandboxAdmin(hub, request)
    mustHaveRole(caller, wanted)
    request.caller = caller
  }
}

/** The sandbox opens by itself: it listens on loopback, under its own names only (own-hosts.ts), and its secrets are public. */
function sandboxAdmin(hub: Hub, { headers }: FastifyRequest): Caller {
  const site = headers['sec-fetch-site'] ?? 'none'
  if (hub.config.profile !== 'sandbox' || (site !== 'none' && site !== 'same-origin'))
    throw new HubError('UNAUTHORIZED', { because: 'sign in to the console.' })
  return {
    siteId: 'demo',
    clientId: 'console',
    person: { personId: 'demo', roles: ['admin'] },
    scopes: ['admin'],
    providerIds: [],
    pageFormat: 'full',
    since: undefined,
    quotas: {},
  }
}

function mustHaveRole({ person }: Caller, wanted: readonly Role[]): void {
  if (person?.roles.some((role) => wanted.includes(role))) return
  throw new HubError('FORBIDDEN', {
    because: `it needs the role ${wanted.join(' or ')}; an admin of the site can give it to you.`,
  })
}
