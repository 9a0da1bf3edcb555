/** Who is calling now, and the call itself: the first things that every verb is handed. */
import type { QuotaName, Scope } from '@dragoman/contract'

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
}

/** One call: who makes it, what its effects are traced back to, and the key under which it happens once. */
export type Call = {
  readonly caller: Caller
  /** In the log line, in `traceId` of an error, and the `causeId` of everything the call makes. */
  readonly traceId: string
  readonly once?: { readonly path: string; readonly key: string; readonly bodyHash: string }
}

/** `admin` includes every other scope of its site. */
export const mayCall = (caller: Pick<Caller, 'scopes'>, scope: Scope): boolean =>
  caller.scopes.includes(scope) || caller.scopes.includes('admin')
