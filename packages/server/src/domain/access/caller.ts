/** Who is calling now, and the call itself: the first things that every verb is handed. */
import { HubError, type QuotaName, type Scope } from '@dragoman/contract'
import type { Actor } from '../audit/record-acts.ts'

/** What a door knows of the other side once its token was checked. */
export type Caller = {
  readonly siteId: string
  readonly clientId: string
  readonly scopes: readonly Scope[]
  /** Providers this client owns (scope `provider`). */
  readonly providerIds: readonly string[]
  readonly pageFormat: 'full' | 'plain'
  /** When the client was added here; undefined for one of an outside issuer that nobody added. */
  readonly since: number | undefined
  /** Quotas raised for this client. */
  readonly quotas: Partial<Record<QuotaName, number>>
  /** Calls a second, where it is not as configured. */
  readonly rateLimit?: number
  /** Whether it may call from there; from anywhere where nothing is said. */
  readonly mayCallFrom?: (address: string) => boolean
}

/** One call: who makes it, what its effects are traced back to, and the key under which it happens once. */
export type Call = {
  readonly caller: Caller
  /** In the log line, in `traceId` of an error, and the `causeId` of everything the call makes. */
  readonly traceId: string
  readonly once?: { readonly path: string; readonly key: string; readonly bodyHash: string }
}

/** Refuses a client that calls from a network that is not its own. */
export function mustCallFrom({ clientId, mayCallFrom }: Caller, address: string): void {
  if (mayCallFrom?.(address) === false)
    throw new HubError('FORBIDDEN', { because: `client ${clientId} may not call from ${address}.` })
}

/** Who is named in the audit log for what the call does. */
export const actorOf = ({ caller: { clientId, siteId }, traceId }: Call): Actor => ({
  actor: 'client',
  clientId,
  siteId,
  traceId,
})

/** `admin` includes every other scope of its site. */
export const mayCall = (caller: Pick<Caller, 'scopes'>, scope: Scope): boolean =>
  caller.scopes.includes(scope) || caller.scopes.includes('admin')
