/** The caller and the call: the first arguments of every verb. */
import { HubError, includesScope, type QuotaName, type Role, type Scope } from '@dragoman/contract'
import type { Actor } from './audit/record-acts.ts'

/** What a door knows about the caller once the token is verified. */
export type Caller = {
  /** `noSite` for an operator. */
  readonly siteId: string
  readonly clientId: string
  /** The person, if one calls from the console. */
  readonly person?: CallingPerson
  /** If set, the caller sees this work only (contract, section 13, Roles). */
  readonly work?: Work
  readonly scopes: readonly Scope[]
  /** Providers this client owns (scope `provider`). */
  readonly providerIds: readonly string[]
  readonly pageFormat: 'full' | 'plain'
  /** When the client was added. Undefined for a client of an outside issuer without a row. */
  readonly since: number | undefined
  /** Quotas raised for this client. */
  readonly quotas: Partial<Record<QuotaName, number>>
  /** Calls per second, if it differs from the configuration. */
  readonly rateLimit?: number
  /** Whether the client may call from this address. Absent: from anywhere. */
  readonly mayCallFrom?: (address: string) => boolean
}

/** The work of some providers, into some languages (all of them if absent). */
export type Work = {
  readonly providerIds: readonly string[]
  readonly languages?: readonly string[] | undefined
}

export type CallingPerson = {
  readonly personId: string
  readonly name: string
  /** These are the roles in the site of the call. */
  readonly roles: readonly Role[]
  readonly sites: readonly {
    readonly siteId: string
    readonly roles: readonly Role[]
    readonly providers?: readonly string[]
    readonly languages?: readonly string[]
  }[]
  readonly sessionId: string
  /** Whether the person has proven in the last minutes that it is still them. */
  readonly confirmed: boolean
}

/** One call: its caller, the id its effects are traced to, and its idempotency key. */
export type Call = {
  readonly caller: Caller
  /**
   * Appears in the log line, as `traceId` of errors, and as `causeId` of everything the call
   * creates.
   */
  readonly traceId: string
  /** The command line on the hub's own database, in place of a client. */
  readonly isLocal?: true
  readonly once?: { readonly path: string; readonly key: string; readonly bodyHash: string }
  /** Aborted once the caller has closed the connection. */
  readonly gone?: AbortSignal
}

/** Ends work that nobody waits for any more. What it has written is rolled back. */
export function mustBeThere({ gone }: Pick<Call, 'gone'>): void {
  if (gone?.aborted)
    throw new HubError('INVALID_REQUEST', { because: 'its sender closed the connection.' })
}

/** Refuses a call from a network that the client may not use. */
export function mustCallFrom({ clientId, mayCallFrom }: Caller, address: string): void {
  if (mayCallFrom?.(address) === false)
    throw new HubError('FORBIDDEN', { because: `client ${clientId} may not call from ${address}.` })
}

/** The actor in the audit log for this call. */
export const actorOf = ({
  caller: { clientId, siteId, person },
  traceId,
  isLocal,
}: Call): Actor => {
  if (isLocal) return { actor: 'command line', traceId }
  if (person) return { actor: 'person', personId: person.personId, siteId, traceId }
  return { actor: 'client', clientId, siteId, traceId }
}

/** Who made a thing, where no listener or list depends on it: the person or the client. */
export const creatorOf = ({ clientId, person }: Caller): string => person?.personId ?? clientId

/** Whether the caller has the scope. `admin` includes every other scope of its site. */
export const mayCall = (caller: Pick<Caller, 'scopes'>, scope: Scope): boolean =>
  includesScope(caller.scopes, scope)

/** The site of an operator, who belongs to none. */
export const noSite = ''

/**
 * The only site that the caller sees; undefined for an operator, who sees all of them. An operator
 * can narrow a list to one site.
 */
export const sightOf = ({ caller }: Pick<Call, 'caller'>, asked?: string): string | undefined =>
  caller.siteId === noSite ? asked : caller.siteId

/** Whether the caller runs the hub, perhaps beside a role in the site of the call. */
export const isOperator = ({ caller: { siteId, person } }: Pick<Call, 'caller'>): boolean =>
  siteId === noSite || person?.sites.some((one) => one.siteId === noSite) === true

/**
 * Whether amounts of a price list are shown: the customer's prices are no business of those who see
 * the work of a provider only (contract, section 15).
 */
export const maySeePrices = ({ work }: Pick<Caller, 'work'>): boolean => work === undefined
