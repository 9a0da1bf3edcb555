/**
 * Pages of other origins (contract, section 6): none may call unless the operator named them, and then without cookies,
 * which the hub does not know. A preflight is answered here, before throttling and tokens.
 */
import type { FastifyInstance } from 'fastify'
import type { Hub } from '../../hub.ts'

const exposed =
  'Location, Upload-Offset, Upload-Length, Upload-Expires, Upload-Metadata, Tus-Resumable, Tus-Version, Tus-Extension, ' +
  'Tus-Max-Size, Tus-Checksum-Algorithm, x-request-id, Retry-After, RateLimit, RateLimit-Policy, Deprecation, Link, ETag, Content-Disposition'
const daySeconds = 86_400

export function allowOrigins(app: FastifyInstance, hub: Hub): void {
  const allowed = new Set(hub.config.corsOrigins)
  if (allowed.size === 0) return
  app.addHook('onRequest', async (request, reply) => {
    reply.header('vary', 'Origin')
    const { origin } = request.headers
    if (!origin || !allowed.has(origin)) return
    reply.header('access-control-allow-origin', origin).header('access-control-expose-headers', exposed)
    const method = request.headers['access-control-request-method']
    if (request.method !== 'OPTIONS' || !method) return
    return reply
      .code(204)
      .header('access-control-allow-methods', 'GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS')
      .header('access-control-allow-headers', request.headers['access-control-request-headers'] ?? '')
      .header('access-control-max-age', String(daySeconds))
      .send()
  })
}
