/**
 * Access tokens: signed JWTs (RFC 9068) that any node verifies on its own. A verified token is
 * cached by its digest until it expires; the client's permissions are read again at least every
 * half minute.
 */
import { hash, randomUUID } from 'node:crypto'
import { HubError, type Scope } from '@dragoman/contract'
import { decodeJwt, decodeProtectedHeader, errors, jwtVerify, SignJWT } from 'jose'
import { LRUCache } from 'lru-cache'
import { inUrl, isLoopback } from '../../config/config.ts'
import { nameInOrigin, ownNames } from '../../config/own-names.ts'
import type { Hub } from '../../hub.ts'
import { perHub } from '../../process/caches.ts'
import { recordActs } from './audit/record-acts.ts'
import type { Caller } from './caller.ts'
import { boundTo, type Claims, readScopes, refuse } from './claims.ts'
import { granted, type KnownClient, knownClient } from './known-clients.ts'
import { outsideCaller, verifyOutside } from './outside-issuer.ts'
import { isRevoked, knowRevoked, revoke, tokenName } from './revocations.ts'
import {
  findSigner,
  findVerifier,
  knowsIssuer,
  rememberIssuer,
  signingAlgorithm,
} from './signing-keys.ts'

const audience = 'dragoman'
const tokenBytes = 8_192
const maxTokens = 10_000
/** The clocks of nodes may differ by this much. */
const skewMs = 60_000

/**
 * The issuer name this node signs with. Fixed at start, so that a token is valid under every name
 * of the hub.
 */
export function issuerOf(hub: Hub): string {
  const { publicUrl, tls, host, hosts, port } = hub.config
  if (publicUrl !== undefined) return publicUrl
  const name = isLoopback(host) ? host : (hosts[0] ?? host)
  return `${tls ? 'https' : 'http'}://${inUrl(name)}:${listening(hub).port ?? port}`
}

const listening = perHub((): { port?: number } => ({}))
/** The port actually used if port 0 is configured, set before the first call. */
export const listensOn = (hub: Hub, port: number): void => {
  listening(hub).port = port
}

export type Token = { readonly token: string; readonly expiresIn: number }

export async function issueToken(
  hub: Hub,
  client: { readonly siteId: string; readonly clientId: string },
  scopes: readonly Scope[],
  { issuer = issuerOf(hub), bound }: { issuer?: string; bound?: string | undefined } = {},
): Promise<Token> {
  const [{ kid, key }] = await Promise.all([findSigner(hub), rememberIssuer(hub, issuerOf(hub))])
  const now = Math.floor(hub.clock.now() / 1_000)
  const claims = { client_id: client.clientId, scope: scopes.join(' '), site: client.siteId }
  const token = await new SignJWT(
    bound === undefined ? claims : { ...claims, cnf: { 'x5t#S256': bound } },
  )
    .setProtectedHeader({ alg: signingAlgorithm, typ: 'at+jwt', kid })
    .setIssuer(issuer)
    .setAudience(audience)
    .setSubject(client.clientId)
    .setJti(randomUUID())
    .setIssuedAt(now)
    .setExpirationTime(now + hub.config.tokenSeconds)
    .sign(key)
  return { token, expiresIn: hub.config.tokenSeconds }
}

/**
 * The caller, by the token and the thumbprint of the connection's certificate. Throws UNAUTHORIZED
 * with the reason.
 */
export async function verifyToken(hub: Hub, token: string, certificate?: string): Promise<Caller> {
  if (token === '') throw refuse('no bearer token was sent.')
  if (token.length > tokenBytes) throw refuse('the token is too long.')
  const claims = await claimsOf(hub, token)
  if (claims.expiresAt <= hub.clock.now()) throw refuse(expired)
  if (!claims.outside && (await isRevoked(hub, claims)))
    throw refuse('the token was revoked; request a new one.')
  const row = await knownClient(hub, claims.clientId)
  // For an outside issuer, the same id in another site is a different client.
  const client = claims.outside && row?.siteId !== claims.siteId ? undefined : row
  if (client?.disabled) throw refuse(`client ${client.clientId} is disabled.`)
  if (client && client.siteId !== claims.siteId) throw refuse('its client belongs to another site.')
  mustShowCertificate(claims, client, certificate)
  if (claims.outside) return outsideCaller(hub, claims, client)
  if (!client) throw refuse('its client was removed.')
  // An id that was removed and added again is a different client.
  if ((claims.issuedAt ?? 0) + skewMs < client.since)
    throw refuse('it was issued before its client was added.')
  return { ...client, scopes: granted(client, claims.scopes) }
}

export type Revocation = 'revoked' | 'unknown' | 'of another client' | 'of another issuer'

/**
 * Revokes a token for the client that it was issued to (RFC 7009). An invalid token counts as
 * revoked.
 */
export async function revokeToken(
  hub: Hub,
  client: Pick<KnownClient, 'siteId' | 'clientId'>,
  token: string,
  traceId: string,
): Promise<Revocation> {
  const claims = await claimsOf(hub, token).catch((error: unknown) => {
    if (error instanceof HubError && error.code === 'UNAUTHORIZED') return undefined
    throw error
  })
  if (claims?.outside) return 'of another issuer'
  if (claims?.tokenId === undefined || claims.expiresAt <= hub.clock.now()) return 'unknown'
  const { clientId, siteId } = client
  if (claims.clientId !== clientId || claims.siteId !== siteId) return 'of another client'
  const name = tokenName(claims.tokenId)
  await hub.db.transact(async (tx) => {
    if (!(await revoke(hub, tx, name, claims.expiresAt))) return
    const act = { thing: 'token', verb: 'revoked', id: claims.tokenId ?? '', siteId } as const
    await recordActs(hub, tx, { actor: 'client', clientId, siteId, traceId }, [act])
  })
  knowRevoked(hub, name, claims.expiresAt)
  return 'revoked'
}

/** The certificate must be the one the token is bound to and one the client still has. */
function mustShowCertificate(
  claims: Claims,
  client: KnownClient | undefined,
  shown: string | undefined,
): void {
  const isBound = claims.certificate !== undefined
  if (isBound && claims.certificate !== shown)
    throw refuse('it is bound to a client certificate that this connection did not present.')
  const mustBeKnown = (client?.certificates.length ?? 0) > 0 || (isBound && !claims.outside)
  if (mustBeKnown && (shown === undefined || !client?.certificates.includes(shown)))
    throw refuse('its client must present one of its registered certificates.')
}

const expired = 'the token has expired; request a new one.'

type Verified = { readonly claims: Claims; readonly until: number }
/**
 * Cached by digest, so that no tokens are in memory. A verified signature stays valid; everything
 * else is checked on each call.
 */
const verified = perHub(() => new LRUCache<string, Verified>({ max: maxTokens }))

async function claimsOf(hub: Hub, token: string): Promise<Claims> {
  const tokens = verified(hub)
  const digest = hash('sha256', token, 'base64url')
  const known = tokens.get(digest)
  if (known && known.until > hub.clock.now()) return known.claims
  tokens.delete(digest)
  const claims = await readToken(hub, token)
  // An outside issuer may withdraw a key, so its signatures are verified again after five minutes.
  const until = claims.outside
    ? Math.min(claims.expiresAt, hub.clock.now() + 300_000)
    : claims.expiresAt
  tokens.set(digest, { claims, until })
  return claims
}

async function readToken(hub: Hub, token: string): Promise<Claims> {
  try {
    const { kid = '', alg } = decodeProtectedHeader(token)
    const { iss } = decodeJwt(token)
    if (iss !== undefined && iss === hub.config.outsideIssuer?.issuer)
      return await verifyOutside(hub, token)
    // The key must be ours: key references inside the token (jwk, jku, x5c, x5u) are ignored.
    const key = alg === signingAlgorithm ? await findVerifier(hub, kid) : undefined
    if (!key) throw refuse('the token was not signed by this hub.')
    const { payload } = await jwtVerify(token, key, {
      algorithms: [signingAlgorithm],
      typ: 'at+jwt',
      audience,
      currentDate: new Date(hub.clock.now()),
      requiredClaims: ['iss', 'sub', 'exp', 'iat', 'jti', 'client_id', 'site'],
    })
    if (!(await isOwnIssuer(hub, String(payload.iss))))
      throw refuse('the token has another issuer.')
    return {
      siteId: String(payload.site),
      clientId: String(payload.client_id),
      scopes: readScopes(payload.scope),
      expiresAt: Number(payload.exp) * 1_000,
      issuedAt: Number(payload.iat) * 1_000,
      tokenId: String(payload.jti),
      keyId: kid,
      ...boundTo(payload.cnf),
      outside: false,
    }
  } catch (error) {
    throw error instanceof errors.JOSEError || error instanceof TypeError ? reasonOf(error) : error
  }
}

/** An issuer name of this or another node; in the sandbox, every name the hub answers to. */
const isOwnIssuer = async (hub: Hub, issuer: string): Promise<boolean> =>
  (hub.config.profile === 'sandbox' && ownNames(hub.config)(nameInOrigin(issuer))) ||
  knowsIssuer(hub, issuer)

function reasonOf(error: Error): HubError {
  if (error instanceof errors.JWTExpired) return refuse(expired, error)
  if (error instanceof errors.JWTClaimValidationFailed)
    return refuse(`its claim "${error.claim}" is not right.`, error)
  if (error instanceof errors.JWSSignatureVerificationFailed)
    return refuse('the token was not signed by this hub.', error)
  return refuse('the token is malformed.', error)
}
