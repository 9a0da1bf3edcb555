/**
 * Tokens of another issuer the operator trusts (contract, section 2): its keys by JWKS URL, its
 * audience, and the claims for site, client and scopes. The site must exist here. If it has a
 * client with that id, the caller gets its providers, page format and quotas, and the client can be
 * disabled; otherwise the caller gets the defaults.
 */
import { HubError } from '@dragoman/contract'
import { createRemoteJWKSet, customFetch, errors, type JWTVerifyGetKey, jwtVerify } from 'jose'
import type { Hub } from '../../hub.ts'
import { fetchJson } from '../../outgoing/fetch-json.ts'
import { perHub } from '../../process/caches.ts'
import type { Caller } from './caller.ts'
import { boundTo, type Claims, readScopes, refuse } from './claims.ts'
import { consoleClientId, isName, nameRule } from './client-names.ts'
import { hasStayingSite } from './sites.ts'

/** Asymmetric algorithms only: a public key must never be accepted as a shared secret. */
const algorithms = [
  'ES256',
  'ES384',
  'ES512',
  'PS256',
  'PS384',
  'PS512',
  'RS256',
  'RS384',
  'RS512',
  'EdDSA',
  'Ed25519',
]

const keySets = perHub(() => new Map<string, JWTVerifyGetKey>())
function keysOf(hub: Hub, url: string): JWTVerifyGetKey {
  const known = keySets(hub).get(url)
  if (known) return known
  const keys = createRemoteJWKSet(new URL(url), {
    timeoutDuration: 5_000,
    cooldownDuration: 10_000,
    [customFetch]: fetchJson,
  })
  keySets(hub).set(url, keys)
  return keys
}

export async function verifyOutside(hub: Hub, token: string): Promise<Claims> {
  const trusted = hub.config.outsideIssuer
  if (!trusted) throw refuse('the token was not signed by this hub.')
  const { payload } = await jwtVerify(token, reachable(keysOf(hub, trusted.jwksUrl)), {
    algorithms,
    issuer: trusted.issuer,
    audience: trusted.audience,
    currentDate: new Date(hub.clock.now()),
    requiredClaims: ['exp', trusted.claims.site, trusted.claims.client],
  })
  const siteId = payload[trusted.claims.site]
  const clientId = payload[trusted.claims.client]
  if (typeof siteId !== 'string' || typeof clientId !== 'string')
    throw refuse(`its claims "${trusted.claims.site}" and "${trusted.claims.client}" must be text.`)
  const unnamed = !isName(siteId)
    ? trusted.claims.site
    : isName(clientId)
      ? undefined
      : trusted.claims.client
  if (unnamed !== undefined) throw refuse(`its claim "${unnamed}" ${nameRule}.`)
  if (clientId === consoleClientId)
    throw refuse(
      `its claim "${trusted.claims.client}" must not be "${consoleClientId}", which belongs to the console.`,
    )
  const expiresAt = Number(payload.exp) * 1_000
  // Its clients belong to sites; only the hub makes operators.
  const scopes = readScopes(payload[trusted.claims.scope]).filter((scope) => scope !== 'operator')
  return { siteId, clientId, scopes, expiresAt, ...boundTo(payload.cnf), outside: true }
}

export async function outsideCaller(
  hub: Hub,
  claims: Claims,
  client: Caller | undefined,
): Promise<Caller> {
  if (client) return { ...client, scopes: claims.scopes }
  if (!(await hasStayingSite(hub.db.read, claims.siteId)))
    throw refuse('its site does not exist on this hub.')
  const { siteId, clientId, scopes } = claims
  return {
    siteId,
    clientId,
    scopes,
    providerIds: [],
    pageFormat: 'full',
    since: undefined,
    quotas: {},
  }
}

/** If the issuer cannot be reached, the answer is 503, not 401: it is not the caller's fault. */
function reachable(keys: JWTVerifyGetKey): JWTVerifyGetKey {
  return async (header, token) => {
    try {
      return await keys(header, token)
    } catch (error) {
      const wrongKey =
        error instanceof errors.JWKSNoMatchingKey ||
        error instanceof errors.JWKSMultipleMatchingKeys
      if (wrongKey) throw refuse('the token was not signed by its issuer.', error)
      const because = 'the keys of the token issuer cannot be fetched.'
      throw new HubError('SERVICE_UNAVAILABLE', { because }, { retryAfter: 5, cause: error })
    }
  }
}
