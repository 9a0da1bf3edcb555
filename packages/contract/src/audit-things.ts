/** The kinds of things that the audit log speaks of. What is done to each is listed by the hub. */
export const auditThings = [
  ...(['hub', 'site', 'client', 'person', 'session', 'provider', 'listener', 'price list', 'format options'] as const),
  ...(['analysis code', 'analysis level', 'signing key', 'master key', 'token', 'task', 'job', 'node'] as const),
  'finding',
] as const
export type AuditThing = (typeof auditThings)[number]
