/**
 * Rules for names of sites and clients and for secrets, shared by the command line, the seed and
 * the token endpoint.
 */
import { type Detail, HubError, limits, type Scope, scopes } from '@dragoman/contract'
import { noSite } from './caller.ts'

const name = /^[A-Za-z0-9_][A-Za-z0-9_.-]{0,99}$/
const maxSecretBytes = 1_000

/** Whether this can be the name of a site or a client. */
export const isName = (text: string): boolean => name.test(text)
/**
 * The built-in client of every site: it owns the jobs that people make in the console. No other
 * client can have its name.
 */
export const consoleClientId = 'console'
export const nameRule =
  'must be 1 to 100 letters, digits, "_", "." or "-", and not begin with "." or "-"'

export type NewClient = {
  /** `noSite` for an operator. */
  readonly siteId: string
  readonly clientId: string
  readonly scopes: readonly Scope[]
  /** Generated if not given. */
  readonly secret?: string
  /**
   * Thumbprints of certificates (x5t#S256). A client with certificates needs no secret, so none is
   * generated.
   */
  readonly certificates?: readonly string[]
  /** Providers it owns; only with the scope `provider`. */
  readonly providerIds?: readonly string[]
  readonly pageFormat?: 'full' | 'plain'
  /** When the client was added; default now. Earlier tokens are not accepted. */
  readonly since?: number
}

export function mustBeClient(input: NewClient): void {
  const { siteId, clientId, providerIds = [] } = input
  const isOperator = input.scopes.includes('operator')
  if (isOperator && siteId !== noSite)
    throw wrong('siteId', 'An operator belongs to no site; leave the site out.')
  if (isOperator && input.scopes.length > 1)
    throw wrong(
      'scopes',
      'The scope operator cannot be combined with others; add another client for the other scopes.',
    )
  if (!isOperator && !isName(siteId)) throw wrong('siteId', `The site "${siteId}" ${nameRule}.`)
  if (!isName(clientId)) throw wrong('clientId', `The client id "${clientId}" ${nameRule}.`)
  if (clientId === consoleClientId)
    throw wrong(
      'clientId',
      `The client id "${consoleClientId}" belongs to the console; choose another.`,
    )
  const unknown = input.scopes.find((scope) => !scopes.includes(scope))
  if (unknown !== undefined)
    throw wrong('scopes', `Unknown scope "${unknown}"; the scopes are ${scopes.join(', ')}.`)
  if (input.scopes.length === 0)
    throw wrong('scopes', `A client needs a scope: ${scopes.join(', ')}.`)
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
    throw wrong(
      'certificates',
      `A client can have at most ${limits.clientCertificates} certificates.`,
    )
}

export function mustBeSecret(secret: string): void {
  const bytes = Buffer.byteLength(secret)
  if (bytes === 0 || bytes > maxSecretBytes || secret.includes('\0'))
    throw wrong('secret', `A secret must have 1 to ${maxSecretBytes} bytes, without NUL.`)
}

/** The detail repeats the sentence on its own, for the command line. */
export function wrong(path: string, message: string): HubError {
  const detail: Detail = { path, message }
  return new HubError('INVALID_REQUEST', { because: message }, { details: [detail] })
}
