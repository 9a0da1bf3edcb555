/**
 * Keeps other web pages from writing with the session of a person (CSRF): a write must be JSON or a
 * file that the call takes, come from our own page by what the browser says, and show the proof
 * that `GET /session` gave, which no other page can read.
 */
import { type Endpoint, HubError, methodOf } from '@dragoman/contract'
import type { FastifyRequest } from 'fastify'
import { isCsrf } from '../../domain/people/sessions.ts'
import type { Hub } from '../../hub.ts'
import { publicUrl } from '../http/public-url.ts'

export const isWrite = (endpoint: Pick<Endpoint, 'call'>): boolean => methodOf(endpoint) !== 'GET'

/** Types that any page may send without being asked for permission. */
const simple: ReadonlySet<string> = new Set([
  'application/x-www-form-urlencoded',
  'multipart/form-data',
  'text/plain',
])

/** Before anything else is looked at. */
export function mustBeOurPage(
  hub: Hub,
  request: FastifyRequest,
  { takes = [] }: Pick<Endpoint, 'takes'> = {},
): void {
  const { headers } = request
  const type = headers['content-type']?.split(';', 1)[0]?.trim().toLowerCase()
  const accepted = ['application/json', ...takes.filter((one) => !simple.has(one))]
  if (type === undefined || !accepted.includes(type)) {
    const given = type?.slice(0, 100) ?? 'missing'
    throw new HubError('UNSUPPORTED_MEDIA_TYPE', {
      given,
      wanted: `it with Content-Type: ${accepted.join(' or ')}`,
    })
  }
  const site = headers['sec-fetch-site']
  const isOurs =
    site === undefined ? headers.origin === ownOrigin(hub, request) : site === 'same-origin'
  if (!isOurs)
    throw new HubError('FORBIDDEN', {
      because:
        site === undefined
          ? `a write must come from a page of ${ownOrigin(hub, request)}; the header Origin does not say so.`
          : 'a write must come from a page of the console itself, not from another site.',
    })
}

const ownOrigin = (hub: Hub, request: FastifyRequest): string =>
  new URL(publicUrl(hub, request)).origin

export function mustShowProof(hub: Hub, request: FastifyRequest, sessionId: string): void {
  const given = request.headers['x-dragoman-csrf']
  if (typeof given === 'string' && isCsrf(hub, sessionId, given)) return
  throw new HubError('FORBIDDEN', {
    because: 'the header x-dragoman-csrf does not belong to this session; load the page again.',
  })
}
