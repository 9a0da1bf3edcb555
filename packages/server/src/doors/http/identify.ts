/**
 * Authenticates a call before its body is read: who is calling, and whether they may use the
 * endpoint.
 */
import { HubError, type Scope } from '@dragoman/contract'
import type { FastifyRequest } from 'fastify'
import { type Caller, mayCall, mustCallFrom } from '../../domain/access/caller.ts'
import { verifyToken } from '../../domain/access/tokens.ts'
import type { Hub } from '../../hub.ts'
import { certificateOf } from './tls.ts'

declare module 'fastify' {
  interface FastifyRequest {
    caller: Caller
  }
}

/** `any`: every scope is enough. A list: one of them is enough. */
export type Wanted = Scope | 'any' | readonly Scope[]

export function identify(hub: Hub, wanted: Wanted) {
  const scopes: readonly (Scope | 'any')[] = typeof wanted === 'string' ? [wanted] : wanted
  return async (request: FastifyRequest): Promise<void> => {
    request.caller = await verifyToken(hub, bearerOf(request), certificateOf(hub, request))
    mustCallFrom(request.caller, request.ip)
    if (!scopes.some((scope) => scope === 'any' || mayCall(request.caller, scope)))
      throw new HubError('FORBIDDEN', {
        because: `the call needs the scope ${scopes.join(' or ')}, which the token does not have.`,
      })
  }
}

function bearerOf(request: FastifyRequest): string {
  const header = request.headers.authorization
  if (!header)
    throw new HubError('UNAUTHORIZED', {
      because: 'send the header Authorization: Bearer <token>.',
    })
  const token = /^Bearer +([^\s]+) *$/i.exec(header)?.[1]
  if (!token)
    throw new HubError('UNAUTHORIZED', {
      because: 'the Authorization header is not of the form Bearer <token>.',
    })
  return token
}
