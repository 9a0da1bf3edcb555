/** The roles of people. What each may do is the column `roles` of the endpoint table. */
export const roles = [
  'viewer',
  'developer',
  'manager',
  'translator',
  'reviewer',
  'provider-manager',
  'admin',
  'operator',
] as const
export type Role = (typeof roles)[number]

/** Roles that are given with providers. */
export const workRoles = [
  'translator',
  'reviewer',
  'provider-manager',
] as const satisfies readonly Role[]

/**
 * Without providers a reviewer reviews the whole site; a translator and a provider manager see
 * nothing.
 */
export const isLimited = (role: Role, providers: readonly string[] | undefined): boolean =>
  role === 'reviewer' ? (providers ?? []).length > 0 : workRoles.some((one) => one === role)
