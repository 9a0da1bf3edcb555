/**
 * The routes of the hub, to answer a wrong method (405 with Allow) differently from a wrong path
 * (404).
 */
import { HubError } from '@dragoman/contract'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'

export type Route = { method: string; url: string; pattern: RegExp }

/** Collects every route registered after this call. */
export function listRoutes(app: FastifyInstance): Route[] {
  const routes: Route[] = []
  app.addHook('onRoute', ({ method, url }) => {
    const pattern = new RegExp(
      `^${url.replace(/[.*+?^$(){}|[\]\\]/g, '\\$&').replace(/:\w+/g, '[^/]+')}/?$`,
    )
    for (const one of [method].flat())
      if (one !== 'HEAD') routes.push({ method: one, url, pattern })
  })
  return routes
}

export function refuseUnknown(
  request: FastifyRequest,
  reply: FastifyReply,
  routes: readonly Route[],
): never {
  const path = request.url.split('?', 1)[0] ?? ''
  const methods = [
    ...new Set(routes.filter((route) => route.pattern.test(path)).map((route) => route.method)),
  ]
  if (methods.length === 0) throw new HubError('NOT_FOUND', { what: `${path.slice(0, 200)}` })
  if (methods.includes('GET')) methods.push('HEAD')
  reply.header('allow', methods.join(', '))
  throw new HubError('METHOD_NOT_ALLOWED', {
    method: request.method,
    path: path.slice(0, 200),
    allowed: methods.join(', '),
  })
}
