/**
 * The calls to the OpenID provider: its metadata, the exchange of a code for tokens, its keys, and
 * what it says about the person. The protocol is the package `openid-client`'s. Its calls go out by
 * the guarded call: limited in time and size, without redirects, and never to an address that
 * outgoing calls may not reach (DRAGOMAN_LISTENER_ALLOW).
 */
import { HubError } from '@dragoman/contract'
import type { ClientAuth, Configuration, CustomFetch, ServerMetadata } from 'openid-client'
import { isLoopback } from '../../config/config-values.ts'
import type { Hub } from '../../hub.ts'
import { postGuarded } from '../../outgoing/post.ts'
import { perHub } from '../../process/caches.ts'
import { isObject, parseAnswer } from '../../process/parse.ts'
import { type Claims, subjectIn } from './oidc-claims.ts'

export type Oidc = NonNullable<Hub['config']['oidc']>

/** A secret that both sides share signs nothing: whoever checks with it could have written it. */
const algorithms = [
  'RS256',
  'PS256',
  'ES256',
  'RS384',
  'PS384',
  'ES384',
  'RS512',
  'PS512',
  'ES512',
  'EdDSA',
  'Ed25519',
]
const cachedMs = 600_000
const maxBytes = 256 * 1024
const toleranceMs = 60_000

/** Loaded with the first sign-in: a hub whose people have passwords starts without it. */
const client = () => import('openid-client')

const cacheOf = perHub(() => ({
  metadata: undefined as { value: ServerMetadata; at: number } | undefined,
}))

async function readMetadata(hub: Hub, { issuer, clientId }: Oidc): Promise<ServerMetadata> {
  const cached = cacheOf(hub)
  if (cached.metadata && Math.abs(hub.clock.now() - cached.metadata.at) < cachedMs)
    return cached.metadata.value
  const { allowInsecureRequests, customFetch, discovery } = await client()
  const found = await discovery(new URL(issuer), clientId, undefined, undefined, {
    [customFetch]: askJson(hub),
    execute: [allowInsecureRequests],
  }).catch((error: unknown) => {
    throw (
      known(error) ?? unavailable('its metadata names another issuer than DRAGOMAN_OIDC_ISSUER.')
    )
  })
  const value = { ...found.serverMetadata() }
  if (value.issuer !== issuer)
    throw unavailable('its metadata names another issuer than DRAGOMAN_OIDC_ISSUER.')
  const wanted = ['authorization_endpoint', 'token_endpoint', 'jwks_uri'] as const
  const missing = wanted.find((name) => value[name] === undefined)
  if (missing) throw unavailable(`its metadata has no ${missing}.`)
  const unsafe = [...wanted, 'userinfo_endpoint' as const].find((name) => !isSafe(value[name]))
  if (unsafe)
    throw unavailable(
      `${unsafe} of its metadata is not an https URL (http is accepted on loopback only).`,
    )
  cached.metadata = { value, at: hub.clock.now() }
  return value
}

/** Codes, secrets and keys go there. Absent is fine. */
function isSafe(endpoint: unknown): boolean {
  if (endpoint === undefined) return true
  if (typeof endpoint !== 'string' || !URL.canParse(endpoint)) return false
  const { protocol, hostname } = new URL(endpoint)
  return (
    protocol === 'https:' || (protocol === 'http:' && isLoopback(hostname.replace(/^\[|\]$/g, '')))
  )
}

/** One for each sign-in, so that it has the clock and reads the keys of its moment. */
async function configure(hub: Hub, oidc: Oidc): Promise<Configuration> {
  const metadata = await readMetadata(hub, oidc)
  const openid = await client()
  const { id_token_signing_alg_values_supported: named } = metadata
  const config = new openid.Configuration(
    {
      ...metadata,
      id_token_signing_alg_values_supported: Array.isArray(named)
        ? named.filter((name) => algorithms.includes(String(name)))
        : algorithms,
    },
    oidc.clientId,
    {
      [openid.clockSkew]: hub.clock.offset() / 1_000,
      [openid.clockTolerance]: toleranceMs / 1_000,
    },
    oidc.clientSecret === undefined ? openid.None() : showSecret(oidc.clientSecret),
  )
  config[openid.customFetch] = askJson(hub)
  // Addresses on loopback were let through with the metadata, and no others over plain http.
  openid.allowInsecureRequests(config)
  openid.enableNonRepudiationChecks(config)
  return config
}

/**
 * Basic is the default of the specification. The names are encoded as encodeURIComponent does it:
 * many providers do not decode the `%2D` of a strict form encoding.
 */
const showSecret =
  (secret: string): ClientAuth =>
  ({ token_endpoint_auth_methods_supported: ways }, { client_id: id }, body, headers) => {
    body.set('client_id', id)
    if (Array.isArray(ways) && !ways.includes('client_secret_basic'))
      body.set('client_secret', secret)
    else {
      const pair = `${encodeURIComponent(id)}:${encodeURIComponent(secret)}`
      headers.set('authorization', `Basic ${Buffer.from(pair).toString('base64')}`)
    }
  }

/** What belongs to one sign-in: the browser carries it, sealed, and the provider sees parts. */
export type SignIn = {
  readonly state: string
  readonly nonce: string
  readonly verifier: string
  readonly redirectUri: string
}

/** The page of the provider that the browser is sent to. */
export async function signInUrl(
  hub: Hub,
  oidc: Oidc,
  { state, nonce, verifier, redirectUri }: SignIn,
  more: Readonly<Record<string, string>>,
): Promise<string> {
  const config = await configure(hub, oidc)
  const { buildAuthorizationUrl, calculatePKCECodeChallenge } = await client()
  const url = buildAuthorizationUrl(config, {
    redirect_uri: redirectUri,
    scope: oidc.scopes,
    state,
    nonce,
    code_challenge: await calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
    ...more,
  })
  return url.href
}

/** The query of the provider's redirect. */
export type ProviderAnswer = {
  readonly code?: string
  readonly state?: string
  readonly error?: string
  readonly iss?: string
}

/**
 * Who signed in: the claims of an id_token whose signature, issuer, audience, time and nonce are
 * right, and beside them what the provider says elsewhere about the same person.
 */
export async function whoSignedIn(
  hub: Hub,
  oidc: Oidc,
  { code, state = '', iss }: ProviderAnswer,
  signIn: SignIn,
): Promise<{ readonly subject: string; readonly token: Claims; readonly claims: Claims }> {
  const config = await configure(hub, oidc)
  const metadata = config.serverMetadata()
  if (
    (metadata.authorization_response_iss_parameter_supported || iss !== undefined) &&
    iss !== oidc.issuer
  )
    throw refused('the answer is of another issuer.')
  if (code === undefined) throw refused('it sent no code.')
  const came = new URL(signIn.redirectUri)
  came.search = new URLSearchParams({ code, state, ...(iss && { iss }) }).toString()
  const { authorizationCodeGrant, fetchUserInfo } = await client()
  const tokens = await authorizationCodeGrant(config, came, {
    expectedState: signIn.state,
    expectedNonce: signIn.nonce,
    pkceCodeVerifier: signIn.verifier,
  }).catch((error: unknown) => {
    throw known(error) ?? invalidToken(hub, error)
  })
  const token = tokens.claims() ?? { azp: undefined, iat: undefined }
  if (token.azp !== undefined && token.azp !== oidc.clientId)
    throw refused('its token was issued to another client.')
  if (!(Number(token.iat) * 1_000 <= hub.clock.now() + toleranceMs))
    throw refused('its token is of the future.')
  const subject = subjectIn(token)
  if (subject === undefined)
    throw refused('it does not say who signed in: the claim sub must be a text.')
  if (metadata.userinfo_endpoint === undefined) return { subject, token, claims: token }
  const more = await fetchUserInfo(config, tokens.access_token, subject).catch((error: unknown) => {
    throw known(error) ?? refused('its answers are about two people.')
  })
  return { subject, token, claims: { ...more, ...token } }
}

/** How the package calls the provider. */
const askJson =
  (hub: Hub): CustomFetch =>
  async (url, { method, headers, body }) => {
    const { 'content-type': contentType, 'user-agent': _, ...others } = headers
    const came = await postGuarded(hub, {
      url,
      method: method === 'POST' ? 'POST' : 'GET',
      ...(body instanceof URLSearchParams && { body: body.toString() }),
      ...(contentType && { contentType }),
      headers: others,
      maxBytes,
      timeoutMs: 10_000,
    })
    const { host } = new URL(url)
    if (!came.answered) throw unavailable(`${host}: ${came.error}`)
    const text = came.body.toString()
    if (came.status !== 200 || !isObject(parseAnswer(text))) {
      hub.log.warn(
        { host, status: came.status, said: text.slice(0, 300) },
        'the OpenID provider refused a call',
      )
      throw unavailable(`${host} answered ${came.status}.`)
    }
    return new Response(text, { headers: { 'content-type': 'application/json' } })
  }

/** An error of ours, which the package wraps. */
const known = (error: unknown): HubError | undefined =>
  error instanceof Error && error.cause instanceof HubError ? error.cause : undefined

/** Also what a key of no use makes the package throw. */
function invalidToken(hub: Hub, error: unknown): HubError {
  hub.log.warn({ err: error }, 'the token of the OpenID provider was refused')
  return refused('its token is not valid.')
}

export const refused = (because: string): HubError =>
  new HubError('SIGN_IN_REFUSED', { because: `the OpenID provider: ${because}` })
const unavailable = (because: string): HubError =>
  new HubError(
    'SERVICE_UNAVAILABLE',
    { because: `the OpenID provider cannot be used: ${because}` },
    { retryAfter: 5 },
  )
