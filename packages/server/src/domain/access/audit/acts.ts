/** All administrative acts in the audit log: the kind of thing and what is done to it. */
import type { AuditThing } from '@dragoman/contract'

export const acts = {
  hub: ['backed up', 'restored', 'moved', 'repaired'],
  site: ['added', 'changed', 'removed', 'exported', 'archived jobs removed', 'content key rotated'],
  client: ['added', 'changed', 'secret rotated', 'disabled', 'enabled', 'removed'],
  provider: ['created', 'changed', 'tested', 'removed'],
  listener: ['created', 'changed', 'disabled', 'enabled', 'deleted', 'deliveries replayed'],
  'price list': ['saved'],
  term: ['created', 'changed', 'deleted', 'imported'],
  'format options': ['changed'],
  checks: ['changed'],
  routing: ['changed'],
  'analysis code': ['created', 'changed', 'hidden', 'deleted'],
  'analysis level': ['changed'],
  'signing key': ['made', 'removed', 'revoked'],
  'master key': ['replaced'],
  token: ['revoked'],
  person: [
    ...['added', 'changed', 'removed', 'signed in', 'sign in failed', 'signed out', 'confirmed'],
    ...[
      'link made',
      'link used',
      'password set',
      'passkey added',
      'passkey removed',
      'recovery codes made',
      'credentials removed',
    ],
  ],
  session: ['ended'],
  task: ['retried'],
  job: ['sent again'],
  request: ['claimed', 'released', 'shared'],
  node: ['forgotten'],
  finding: ['remedied'],
} as const satisfies Record<AuditThing, readonly string[]>

export type Thing = AuditThing

/**
 * The fields whose values the audit log may hold, by kind of thing: ids, states, flags and numbers.
 * Never a secret, and nothing that a person wrote: no names, labels, addresses or contents.
 */
const factNames = {
  client: [
    'scopes',
    'providers',
    'pageFormat',
    'quotas',
    'rateLimit',
    'allowFrom',
    'certificates',
    'disabled',
  ],
  person: ['sites', 'disabled', 'twoSteps', 'by'],
  provider: ['typeId', 'status'],
  listener: [
    ...['type', 'statusCodes', 'acknowledgeStatusUpdate', 'jobId', 'providerId', 'jobStatusCodes'],
    ...['assetTaskStatusCodes', 'onSupportAssetCreate', 'onTmUpdateCreate', 'onComment'],
    ...['authType', 'disabled'],
  ],
  'price list': ['version', 'currency', 'validFrom', 'validTo'],
  term: ['version', 'added', 'changed', 'unchanged'],
  'analysis code': ['level', 'visible'],
  'analysis level': ['visible'],
  task: ['state', 'tries'],
} as const satisfies Partial<Record<Thing, readonly string[]>>

type Described = keyof typeof factNames
export type Facts = Readonly<Record<string, unknown>>

/**
 * What a thing was and is: of a change the facts that differ, else all that are set. Other fields
 * are left out.
 */
export function factsOf(
  thing: Described,
  before: object | undefined,
  after: object | undefined,
): { readonly was?: Facts; readonly is?: Facts } {
  const [was, is] = [before, after].map((side) => side as Facts | undefined)
  const names: readonly string[] = factNames[thing]
  const differing = names.filter(
    (name) => JSON.stringify(was?.[name]) !== JSON.stringify(is?.[name]),
  )
  const side = (facts: Facts) => Object.fromEntries(differing.map((name) => [name, facts[name]]))
  return { ...(was && { was: side(was) }), ...(is && { is: side(is) }) }
}

type Common = {
  readonly id: string
  /** Set if it is not the actor's site. */
  readonly siteId?: string
  /** The names of changed fields, never their values. */
  readonly fields?: readonly string[]
  /** Ids, states and numbers before and after (`factsOf`), never secrets or content. */
  readonly was?: Facts
  readonly is?: Facts
}
export type Act = {
  [T in Thing]: Common & { readonly thing: T; readonly verb: (typeof acts)[T][number] }
}[Thing]
