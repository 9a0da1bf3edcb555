/** What a site, a client, a secret may be called: the same rule for the command line, the seed and the token endpoint. */
import { type Detail, HubError, limits, type Scope, scopes } from '@dragoman/contract'

const name = /^[A-Za-z0-9_][A-Za-z0-9_.-]{0,99}$/
const mostSecretBytes = 1_000

/** Of a site or a client, whoever names it: the operator, a caller or an outside issuer. */
export const isName = (text: string): boolean => name.test(text)
export const nameRule = 'must be 1 to 100 letters, digits, "_", "." or "-", and not begin with "." or "-"'

export type NewClient = {
  readonly siteId: string
  readonly clientId: string
  readonly scopes: readonly Scope[]
  /** Made here when it is not given. */
  readonly secret?: string
  /** Thumbprints of certificates (x5t#S256); with one of them it needs no secret, and none is made. */
  readonly certificates?: readonly string[]
  /** Providers it owns; only with the scope `provider`. */
  readonly providerIds?: readonly string[]
  readonly pageFormat?: 'full' | 'plain'
  /** Since when it is a client: now, unless said. Tokens from before are none of its own. */
  readonly since?: number
}

export function mustBeClient(input: NewClient): void {
  const { siteId, clientId, providerIds = [] } = input
  if (!isName(siteId)) throw wrong('siteId', `The site "${siteId}" ${nameRule}.`)
  if (!isName(clientId)) throw wrong('clientId', `The client id "${clientId}" ${nameRule}.`)
  const unknown = input.scopes.find((scope) => !scopes.includes(scope))
  if (unknown !== undefined) throw wrong('scopes', `Unknown scope "${unknown}"; the scopes are ${scopes.join(', ')}.`)
  if (input.scopes.length === 0) throw wrong('scopes', `A client needs a scope: ${scopes.join(', ')}.`)
  if (providerIds.length > 0 && !input.scopes.includes('provider'))
    throw wrong('providerIds', 'Only a client with the scope provider can own providers.')
  if (input.secret !== undefined) mustBeSecret(input.secret)
  mustBeThumbprints(input.certificates ?? [])
}

export function mustBeThumbprints(certificates: readonly string[]): void {
  const bad = certificates.find((one) => !/^[\w-]{43}$/.test(one))
  if (bad !== undefined)
    throw wrong(
      'certificates',
      `"${bad.slice(0, 100)}" is not a thumbprint: a SHA-256 hash has 43 characters in base64url.`,
    )
  if (certificates.length > limits.clientCertificates)
    throw wrong('certificates', `A client can have at most ${limits.clientCertificates} certificates.`)
}

export function mustBeSecret(secret: string): void {
  const bytes = Buffer.byteLength(secret)
  if (bytes === 0 || bytes > mostSecretBytes || secret.includes('\0'))
    throw wrong('secret', `A secret must have 1 to ${mostSecretBytes} bytes, without NUL.`)
}

/** The sentence stands alone in the detail, for the command line. */
export function wrong(path: string, message: string): HubError {
  const detail: Detail = { path, message }
  return new HubError('INVALID_REQUEST', { because: message }, { details: [detail] })
}
