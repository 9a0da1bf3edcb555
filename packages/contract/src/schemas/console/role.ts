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
