/**
 * Cross-origin pages (contract, sections 6 and 11). None may call unless the operator lists its
 * origin, and then without cookies, so never with the session of a person. The sandbox also allows
 * pages on loopback and refuses all others: it has calls without a token and well-known secrets.
 * Preflights are answered here, before throttling and authentication.
 */
import { HubError } from '@dragoman/contract'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { nameInOrigin, ownNames } from '../../config/own-names.ts'
import type { Hub } from '../../hub.ts'

const exposed =
  'Location, Upload-Offset, Upload-Length, Upload-Defer-Length, Upload-Concat, Upload-Expires, Upload-Metadata, Tus-Resumable, Tus-Version, Tus-Extension, ' +
  'Tus-Max-Size, Tus-Checksum-Algorithm, x-request-id, x-ignored-parameters, Retry-After, RateLimit, RateLimit-Policy, Deprecation, Link, ETag, Content-Disposition'
const daySeconds = 86_400

export function allowOrigins(app: FastifyInstance, { config }: Hub): void {
  const named = new Set(config.corsOrigins)
  const isSandbox = config.profile === 'sandbox'
  if (named.size === 0 && !isSandbox) return
  const isOwn = ownNames(config)
  const mayCall = (origin: string): boolean =>
    named.has(origin) || (isSandbox && isOwn(nameInOrigin(origin)))
  app.addHook('onRequest', async (request, reply) => {
    reply.header('vary', 'Origin')
    const { origin } = request.headers
    if (origin !== undefined && mayCall(origin)) return allow(origin, request, reply)
    if (isSandbox && (origin !== undefined || isHiddenPage(request)))
      throw new HubError('FORBIDDEN', {
        because: `pages of ${(origin ?? 'another site').slice(0, 200)} may not call the sandbox; only pages on loopback and those in DRAGOMAN_CORS_ORIGINS may.`,
      })
  })
}

function allow(
  origin: string,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply | undefined {
  reply
    .header('access-control-allow-origin', origin)
    .header('access-control-expose-headers', exposed)
  const method = request.headers['access-control-request-method']
  if (request.method !== 'OPTIONS' || !method) return undefined
  return reply
    .code(204)
    .header('access-control-allow-methods', 'GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS')
    .header('access-control-allow-headers', request.headers['access-control-request-headers'] ?? '')
    .header('access-control-max-age', String(daySeconds))
    .send()
}

/**
 * For reads that a page of another site must not even cause: a browser says where they come from.
 */
export function mustNotBeCrossSite({ headers }: FastifyRequest): void {
  if (headers['sec-fetch-site'] === 'cross-site')
    throw new HubError('FORBIDDEN', { because: 'a page of another site may not make this call.' })
}

/**
 * A cross-site write without an Origin header. Reads are harmless: without CORS the page cannot see
 * the response.
 */
const isHiddenPage = ({ method, headers }: FastifyRequest): boolean =>
  ['cross-site', 'same-site'].includes(String(headers['sec-fetch-site'])) &&
  method !== 'GET' &&
  method !== 'HEAD'
