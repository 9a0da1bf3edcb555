/**
 * What people may do in the console. A person has roles in sites; each endpoint lists the roles that may call it, or the list
 * follows from its scope and method. An `admin` may do everything in their site. An `operator` belongs to no site and sees the
 * hub as a whole.
 */
import { methodOf } from './endpoints/call-path.ts'
import type { Endpoint } from './endpoints/row.ts'
import { type Role, roles } from './schemas/console/role.ts'
import type { Scope } from './schemas/token.ts'

const readers = roles.filter((role) => role !== 'operator')
const writers: Readonly<Record<Scope, readonly Role[]>> = {
  content: ['manager', 'admin'],
  settings: ['manager', 'admin'],
  provider: ['provider-manager', 'admin'],
  admin: ['admin'],
  operator: ['operator'],
}

/** The roles that may make the call; one of them is enough. */
export function rolesOf(endpoint: Endpoint): readonly Role[] {
  if (endpoint.roles) return endpoint.roles
  if (endpoint.scope === 'any') return roles
  const scopes = typeof endpoint.scope === 'string' ? [endpoint.scope] : endpoint.scope
  const isOpen = methodOf(endpoint) === 'GET' && scopes.some((scope) => scope === 'content' || scope === 'settings')
  return [...new Set([...(isOpen ? readers : []), ...scopes.flatMap((scope) => writers[scope])])]
}
