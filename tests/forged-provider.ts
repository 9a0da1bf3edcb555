/**
 * An OpenID provider on loopback that says whatever a test wants: its metadata, its keys, its
 * tokens and its user info.
 */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { exportJWK, generateKeyPair, SignJWT } from 'jose'
import type { Env, TestHub } from './hub.ts'
import { type Visitor, visit } from './visitor.ts'

type Said = Record<string, unknown>

/** What differs from an honest provider. Undefined leaves a member out. */
export type Forgery = {
  readonly metadata?: Said
  readonly keys?: unknown
  /** Claims of the id_token. */
  readonly token?: Said
  readonly userInfo?: Said
}

export type ForgedProvider = {
  readonly issuer: string
  readonly env: Env
  /** Signs in as a browser does; returns where the hub leads, and the browser. */
  signIn(
    hub: TestHub,
    forgery?: Forgery,
    start?: string,
  ): Promise<{ location: string; browser: Visitor }>
  close(): Promise<void>
}

export async function startForgedProvider(roles?: string): Promise<ForgedProvider> {
  const { publicKey, privateKey } = await generateKeyPair('ES256')
  const keys = { keys: [{ ...(await exportJWK(publicKey)), kid: 'k1', alg: 'ES256', use: 'sig' }] }
  let forgery: Forgery = {}
  let nonce = ''
  let now = 0
  const server = createServer(async (request, answer) => {
    const path = (request.url ?? '').split('?')[0] ?? ''
    const say = answers[path]
    const body = say ? await say() : {}
    answer
      .writeHead(say ? 200 : 404, { 'content-type': 'application/json' })
      .end(typeof body === 'string' ? body : JSON.stringify(body))
  })
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready))
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const idToken = () => {
    const iat = Math.floor(now / 1_000)
    const claims = {
      iss: issuer,
      aud: 'hub',
      sub: 'u1',
      iat,
      exp: iat + 300,
      nonce,
      ...forgery.token,
    }
    return new SignJWT(JSON.parse(JSON.stringify(claims)))
      .setProtectedHeader({ alg: 'ES256', kid: 'k1' })
      .sign(privateKey)
  }
  const answers: Readonly<Record<string, () => unknown>> = {
    '/.well-known/openid-configuration': () => ({
      issuer,
      authorization_endpoint: `${issuer}/auth`,
      token_endpoint: `${issuer}/token`,
      jwks_uri: `${issuer}/keys`,
      ...(forgery.userInfo && { userinfo_endpoint: `${issuer}/userinfo` }),
      ...forgery.metadata,
    }),
    '/keys': () => forgery.keys ?? keys,
    '/token': async () => ({
      id_token: await idToken(),
      access_token: 'any',
      token_type: 'Bearer',
    }),
    '/userinfo': () => forgery.userInfo,
  }
  return {
    issuer,
    env: {
      DRAGOMAN_LISTENER_ALLOW: '127.0.0.1',
      DRAGOMAN_OIDC_ISSUER: issuer,
      DRAGOMAN_OIDC_CLIENT_ID: 'hub',
      ...(roles !== undefined && { DRAGOMAN_OIDC_ROLES: roles }),
    },
    async signIn(hub, given = {}, start = '/oidc/start') {
      // What the hub keeps of a provider for ten minutes is of the last forgery.
      hub.inner.clock.setOffset(hub.inner.clock.offset() + 601_000)
      forgery = given
      now = hub.inner.clock.now()
      const browser = visit(hub)
      const begun = await browser.call('GET', start)
      const to = begun.headers.get('location') ?? `${begun.status}`
      if (!to.startsWith(issuer)) return { location: to.replace(hub.url, ''), browser }
      const asked = new URL(to).searchParams
      nonce = asked.get('nonce') ?? ''
      const query = { code: 'any', state: asked.get('state') ?? '' }
      const ended = await browser.call('GET', '/oidc/return', { query })
      return {
        location: (ended.headers.get('location') ?? `${ended.status}`).replace(hub.url, ''),
        browser,
      }
    },
    close: async () => {
      server.closeAllConnections()
      await new Promise<void>((closed) => server.close(() => closed()))
    },
  }
}
