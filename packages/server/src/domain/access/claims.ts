/** What a verified token says, whoever signed it, and how one is refused. */
import { HubError, type Scope, scopes } from '@dragoman/contract'

export type Claims = {
  readonly siteId: string
  readonly clientId: string
  readonly scopes: readonly Scope[]
  readonly expiresAt: number
  /** Known of our own tokens only. */
  readonly issuedAt?: number
  /** The thumbprint of the only certificate that the token is good with (RFC 8705, 3.1). */
  readonly certificate?: string
  /** Signed by the outside issuer, which speaks for clients that may have no row here. */
  readonly outside: boolean
}

/** Of the claim `cnf`; one that cannot be read fits no certificate. */
export function boundTo(claim: unknown): { certificate?: string } {
  if (typeof claim !== 'object' || claim === null || !('x5t#S256' in claim)) return {}
  return { certificate: String(claim['x5t#S256']) }
}

export const refuse = (because: string, cause?: unknown): HubError =>
  new HubError('UNAUTHORIZED', { because }, cause === undefined ? {} : { cause })

/** The scopes this hub knows among those of a claim: text with spaces between (RFC 8693, 4.2) or a list. */
export function readScopes(claim: unknown): Scope[] {
  const said: unknown[] = typeof claim === 'string' ? claim.split(' ') : Array.isArray(claim) ? claim : []
  return scopes.filter((scope) => said.includes(scope))
}
