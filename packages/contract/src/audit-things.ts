/** The kinds of things that the audit log covers. The server lists what can be done to each. */
export const auditThings = [
  ...([
    'hub',
    'site',
    'client',
    'person',
    'session',
    'provider',
    'listener',
    'price list',
    'format options',
    'term',
    'checks',
    'routing',
  ] as const),
  ...([
    'analysis code',
    'analysis level',
    'signing key',
    'master key',
    'token',
    'task',
    'job',
    'request',
  ] as const),
  'node',
  'finding',
] as const
export type AuditThing = (typeof auditThings)[number]
