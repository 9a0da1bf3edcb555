/** All administrative acts in the audit log: the kind of thing and what is done to it. */
export const acts = {
  hub: ['backed up', 'restored', 'moved'],
  site: ['added', 'removed', 'exported', 'archived jobs removed'],
  client: ['added', 'changed', 'secret rotated', 'disabled', 'enabled', 'removed'],
  provider: ['created', 'changed'],
  listener: ['created', 'changed', 'disabled', 'enabled', 'deleted', 'deliveries replayed'],
  'price list': ['saved'],
  'format options': ['changed'],
  'analysis code': ['created', 'changed', 'hidden', 'deleted'],
  'analysis level': ['changed'],
  'signing key': ['made', 'removed', 'revoked'],
  'master key': ['replaced'],
  token: ['revoked'],
  task: ['retried'],
  job: ['sent again'],
  node: ['forgotten'],
  finding: ['remedied'],
} as const

export type Thing = keyof typeof acts
type Common = {
  readonly id: string
  /** Set if it is not the actor's site. */
  readonly siteId?: string
  /** The names of changed fields, never their values. */
  readonly fields?: readonly string[]
}
export type Act = { [T in Thing]: Common & { readonly thing: T; readonly verb: (typeof acts)[T][number] } }[Thing]
