/**
 * What people may do in the console. A person has roles in sites; each endpoint lists the roles
 * that may call it, or the list follows from its scope and method. An `admin` may do everything in
 * their site. An `operator` belongs to no site and sees the hub as a whole. Translators, provider
 * managers and reviewers with providers are limited to the work of their providers (contract,
 * section 13): to calls with the mark `work`, and there to what is theirs.
 */
import { methodOf } from './endpoints/call-path.ts'
import type { Endpoint } from './endpoints/row.ts'
import { isLimited, type Role, roles } from './schemas/console/role.ts'
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
  if (endpoint.scope === 'any') return endpoint.roles ?? roles
  const found = endpoint.roles ?? usualRoles(endpoint)
  return endpoint.work ? found : found.filter((role) => !isLimited(role, undefined))
}

function usualRoles(endpoint: Endpoint): readonly Role[] {
  const scopes = [endpoint.scope].flat().filter((scope): scope is Scope => scope !== 'any')
  const isRead = methodOf(endpoint) === 'GET'
  const isOpen = isRead && scopes.some((scope) => scope === 'content' || scope === 'settings')
  const isTask = endpoint.scope === 'provider' && (isRead || endpoint.call.includes('/assetTasks'))
  return [
    ...new Set([
      ...(isOpen ? readers : []),
      ...(isTask && endpoint.work ? (['translator'] as const) : []),
      ...scopes.flatMap((scope) => writers[scope]),
    ]),
  ]
}
