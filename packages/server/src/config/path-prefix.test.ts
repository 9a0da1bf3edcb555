import { expect, it } from 'vitest'
import { routeBelow, withoutPrefix } from './path-prefix.ts'

const routes = [
  '/',
  '/healthz',
  '/docs',
  '/v1',
  '/v1/*',
  '/v2/jobs',
  '/v2/jobs/:jobId/requests',
  '/fms/tus/:id',
]

it.each([
  ['/v2', '/v2/jobs'],
  ['/v2/jobs', '/v2/jobs'],
  ['/v2/jobs/any', '/v2/jobs/:jobId/requests'],
  ['/v1/x', '/v1/*'],
  ['/docs', '/docs'],
  ['/fms', '/fms/tus/:id'],
])('the prefix %s is taken by %s', (prefix, route) => {
  expect(routeBelow(prefix, routes)).toBe(route)
})

it.each(['', '/hub', '/v2x', '/v2/x', '/documents', '/docs/hub', '/a/b', '/v2/jobs/any/other'])(
  'the prefix "%s" is free, and every route is reached with it and without it',
  (prefix) => {
    expect(routeBelow(prefix, routes)).toBe(undefined)
    for (const route of routes)
      for (const url of [route, `${prefix}${route}`]) expect(withoutPrefix(prefix, url)).toBe(route)
  },
)
