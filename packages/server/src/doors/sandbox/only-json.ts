/**
 * Requires JSON with its content type for bodies under /sandbox: a web page cannot send that
 * cross-origin without a preflight.
 */
import { HubError } from '@dragoman/contract'
import type { FastifyInstance } from 'fastify'

/** Applies to every route of this scope. */
export function takeOnlyJson(scope: FastifyInstance): void {
  scope.addHook('preHandler', async ({ body, headers }) => {
    if (!Buffer.isBuffer(body) || body.length === 0) return
    const type = headers['content-type']?.split(';', 1)[0]?.trim().toLowerCase()
    if (type === 'application/json') return
    const given = type?.slice(0, 100) ?? 'missing'
    throw new HubError('UNSUPPORTED_MEDIA_TYPE', {
      given,
      wanted: 'it with Content-Type: application/json',
    })
  })
}
