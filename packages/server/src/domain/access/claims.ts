/** The claims of a verified token, whoever signed it, and the error that refuses one. */
import { HubError, type Scope, scopes } from '@dragoman/contract'

export type Claims = {
  readonly siteId: string
  readonly clientId: string
  readonly scopes: readonly Scope[]
  readonly expiresAt: number
  /** Only known for our own tokens. */
  readonly issuedAt?: number
  /** The id of one of our own tokens. `keyId` is that of the key that signed it. */
  readonly tokenId?: string
  readonly keyId?: string
  /** The thumbprint of the only certificate the token may be used with (RFC 8705, 3.1). */
  readonly certificate?: string
  /** Signed by the outside issuer, whose clients may have no row here. */
  readonly outside: boolean
}

/** Reads the `cnf` claim. An unreadable value matches no certificate. */
export function boundTo(claim: unknown): { certificate?: string } {
  if (typeof claim !== 'object' || claim === null || !('x5t#S256' in claim)) return {}
  return { certificate: String(claim['x5t#S256']) }
}

export const refuse = (because: string, cause?: unknown): HubError =>
  new HubError('UNAUTHORIZED', { because }, cause === undefined ? {} : { cause })

/** The scopes of a claim that this hub knows: space-separated text (RFC 8693, 4.2) or a list. */
export function readScopes(claim: unknown): Scope[] {
  const said: unknown[] =
    typeof claim === 'string' ? claim.split(' ') : Array.isArray(claim) ? claim : []
  return scopes.filter((scope) => said.includes(scope))
}
