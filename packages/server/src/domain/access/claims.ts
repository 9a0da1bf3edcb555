/** What a verified token says, whoever signed it, and how one is refused. */
import { HubError, type Scope, scopes } from '@dragoman/contract'

export type Claims = {
  readonly siteId: string
  readonly clientId: string
  readonly scopes: readonly Scope[]
  readonly expiresAt: number
  /** Known of our own tokens only. */
  readonly issuedAt?: number
  /** Signed by the outside issuer, which speaks for clients that may have no row here. */
  readonly outside: boolean
}

export const refuse = (because: string, cause?: unknown): HubError =>
  new HubError('UNAUTHORIZED', { because }, cause === undefined ? {} : { cause })

/** The scopes this hub knows among those of a claim: text with spaces between (RFC 8693, 4.2) or a list. */
export function readScopes(claim: unknown): Scope[] {
  const said: unknown[] = typeof claim === 'string' ? claim.split(' ') : Array.isArray(claim) ? claim : []
  return scopes.filter((scope) => said.includes(scope))
}
