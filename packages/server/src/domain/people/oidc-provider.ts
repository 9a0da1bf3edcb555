/**
 * The calls to the OpenID provider: its metadata, its keys, the exchange of a code for tokens, and
 * what it says about the person. All of them go out by the guarded call: limited in time and size,
 * without redirects, and never to an address that outgoing calls may not reach
 * (DRAGOMAN_LISTENER_ALLOW).
 */
import { HubError } from '@dragoman/contract'
import { createLocalJWKSet, errors, type JSONWebKeySet, type JWTPayload, jwtVerify } from 'jose'
import { isLoopback } from '../../config/config-values.ts'
import type { Hub } from '../../hub.ts'
import { type Post, postGuarded } from '../../outgoing/post.ts'
import { perHub } from '../../process/caches.ts'

export type Oidc = NonNullable<Hub['config']['oidc']>
export type Metadata = {
  readonly issuer: string
  readonly authorization_endpoint: string
  readonly token_endpoint: string
  readonly jwks_uri: string
  readonly userinfo_endpoint?: string
  readonly token_endpoint_auth_methods_supported?: readonly string[]
  readonly authorization_response_iss_parameter_supported?: boolean
}

/** Only asymmetric algorithms are accepted. */
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

type Cached<T> = { value: T; at: number } | undefined
const cacheOf = perHub(() => ({
  metadata: undefined as Cached<Metadata>,
  keys: undefined as Cached<JSONWebKeySet>,
}))
const isFresh = (hub: Hub, cached: Cached<unknown>, ms: number): boolean =>
  cached !== undefined && Math.abs(hub.clock.now() - cached.at) < ms

export async function readMetadata(hub: Hub, { issuer }: Oidc): Promise<Metadata> {
  const cached = cacheOf(hub)
  if (cached.metadata && isFresh(hub, cached.metadata, cachedMs)) return cached.metadata.value
  const url = `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`
  const value = (await askJson(hub, { url, method: 'GET' })) as Metadata
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

export type Tokens = { readonly id_token: string; readonly access_token?: string }

export async function exchangeCode(
  hub: Hub,
  oidc: Oidc,
  form: { readonly code: string; readonly redirectUri: string; readonly verifier: string },
): Promise<Tokens> {
  const { token_endpoint: url, token_endpoint_auth_methods_supported: ways } = await readMetadata(
    hub,
    oidc,
  )
  const body = new URLSearchParams({
    grant_type: 'authorization_code',
    code: form.code,
    redirect_uri: form.redirectUri,
    code_verifier: form.verifier,
    client_id: oidc.clientId,
  })
  const headers: Record<string, string> = { accept: 'application/json' }
  if (oidc.clientSecret !== undefined) {
    // Basic is the default of the specification.
    if (Array.isArray(ways) && !ways.includes('client_secret_basic'))
      body.set('client_secret', oidc.clientSecret)
    else headers.authorization = `Basic ${basic(oidc.clientId, oidc.clientSecret)}`
  }
  const contentType = 'application/x-www-form-urlencoded'
  const answer = (await askJson(hub, {
    url,
    body: body.toString(),
    contentType,
    headers,
  })) as Partial<Tokens>
  if (typeof answer.id_token !== 'string') throw unavailable('it sent no id_token.')
  const { id_token, access_token } = answer
  return { id_token, ...(typeof access_token === 'string' && { access_token }) }
}

/** RFC 6749, 2.3.1: both parts are form-encoded first. */
const basic = (id: string, secret: string): string =>
  Buffer.from(`${encodeURIComponent(id)}:${encodeURIComponent(secret)}`).toString('base64')

/** The claims of an id_token whose signature, issuer, audience, time and nonce are right. */
export async function verifyIdToken(
  hub: Hub,
  oidc: Oidc,
  token: string,
  nonce: string,
): Promise<JWTPayload> {
  const check = (keys: JSONWebKeySet) =>
    jwtVerify(token, createLocalJWKSet(keys), {
      algorithms,
      issuer: oidc.issuer,
      audience: oidc.clientId,
      currentDate: new Date(hub.clock.now()),
      clockTolerance: toleranceMs / 1_000,
      requiredClaims: ['sub', 'exp', 'iat', 'nonce'],
    })
  try {
    const { payload } = await check(await readKeys(hub, oidc)).catch(async (error: unknown) => {
      if (!(error instanceof errors.JWKSNoMatchingKey)) throw error
      return check(await readKeys(hub, oidc, 'again'))
    })
    if (payload.nonce !== nonce) throw refused('its token belongs to another sign-in.')
    const isForSeveral = Array.isArray(payload.aud) && payload.aud.length > 1
    if ((isForSeveral || payload.azp !== undefined) && payload.azp !== oidc.clientId)
      throw refused('its token was issued to another client.')
    if (!(Number(payload.iat) * 1_000 <= hub.clock.now() + toleranceMs))
      throw refused('its token is of the future.')
    return payload
  } catch (error) {
    if (error instanceof HubError) throw error
    // Also what a key of no use makes the library throw.
    hub.log.warn({ err: error }, 'the token of the OpenID provider was refused')
    throw refused('its token is not valid.')
  }
}

/** Keys are read again for an unknown one, at most every ten seconds. */
async function readKeys(hub: Hub, oidc: Oidc, how?: 'again'): Promise<JSONWebKeySet> {
  const cached = cacheOf(hub)
  if (cached.keys && isFresh(hub, cached.keys, how ? 10_000 : cachedMs)) return cached.keys.value
  const { jwks_uri: url } = await readMetadata(hub, oidc)
  const value = (await askJson(hub, { url, method: 'GET' })) as JSONWebKeySet
  cached.keys = { value, at: hub.clock.now() }
  return value
}

/** What the provider says about the person beyond the token; it must be about the same one. */
export async function readUserInfo(
  hub: Hub,
  oidc: Oidc,
  { access_token }: Tokens,
  sub: string,
): Promise<JWTPayload> {
  const { userinfo_endpoint: url } = await readMetadata(hub, oidc)
  if (url === undefined || access_token === undefined) return {}
  const headers = { authorization: `Bearer ${access_token}`, accept: 'application/json' }
  const claims = (await askJson(hub, { url, method: 'GET', headers })) as JWTPayload
  if (claims.sub !== sub) throw refused('its answers are about two people.')
  return claims
}

async function askJson(hub: Hub, post: Post): Promise<object> {
  const came = await postGuarded(hub, { ...post, maxBytes, timeoutMs: 10_000 })
  const host = new URL(post.url).host
  if (!came.answered) throw unavailable(`${host}: ${came.error}`)
  const text = came.body.toString()
  const value = readObject(text)
  if (came.status !== 200 || !value) {
    hub.log.warn(
      { host, status: came.status, said: text.slice(0, 300) },
      'the OpenID provider refused a call',
    )
    throw unavailable(`${host} answered ${came.status}.`)
  }
  return value
}

function readObject(text: string): object | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : undefined
  } catch {
    return undefined
  }
}

export const refused = (because: string): HubError =>
  new HubError('SIGN_IN_REFUSED', { because: `the OpenID provider: ${because}` })
const unavailable = (because: string): HubError =>
  new HubError(
    'SERVICE_UNAVAILABLE',
    { because: `the OpenID provider cannot be used: ${because}` },
    { retryAfter: 5 },
  )
