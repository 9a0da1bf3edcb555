/** Contract, section 2 (Who is calling) and section 11 (Callers), over HTTP, on both databases. */
import { createHmac, createPublicKey, randomUUID } from 'node:crypto'
import { Agent, createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Scope } from '@dragoman/contract'
import {
  createRemoteJWKSet,
  decodeJwt,
  decodeProtectedHeader,
  exportJWK,
  generateKeyPair,
  jwtVerify,
  SignJWT,
} from 'jose'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  disableClient,
  listClients,
  removeClient,
} from '../../packages/server/src/domain/access/clients.ts'
import { rotateSecret } from '../../packages/server/src/domain/access/rotate-secret.ts'
import { findSigner, listPublicKeys } from '../../packages/server/src/domain/access/signing-keys.ts'
import { issuerOf } from '../../packages/server/src/domain/access/tokens.ts'
import { enrolClient } from '../../packages/server/src/domain/sites/enrol-client.ts'
import { closeHub, openHub } from '../../packages/server/src/hub.ts'
import { holdClock } from '../held-clock.ts'
import { bootstrapId, databases, startHub, type TestHub } from '../hub.ts'

type Form = Record<string, string> | string
type Sent = { headers?: Record<string, string>; from?: string; path?: string }
type TokenAnswer = Record<string, unknown> & { access_token: string; error?: string }

/** By node:http, because fetch cannot choose the address a call comes from. */
function askToken(
  hub: TestHub,
  form: Form,
  { headers = {}, from, path = '/connect/token' }: Sent = {},
) {
  const body = typeof form === 'string' ? form : new URLSearchParams(form).toString()
  const type = { 'content-type': 'application/x-www-form-urlencoded' }
  const options = {
    method: 'POST',
    headers: { ...type, ...headers },
    ...(from && { localAddress: from }),
  }
  return new Promise<{ status: number; headers: Record<string, unknown>; body: TokenAnswer }>(
    (resolve, reject) => {
      const call = request(new URL(path, hub.url), options, async (answer) => {
        let text = ''
        for await (const chunk of answer) text += chunk
        resolve({ status: answer.statusCode ?? 0, headers: answer.headers, body: JSON.parse(text) })
      })
      call.on('error', reject).end(body)
    },
  )
}

const basic = (id: string, secret: string) => ({
  authorization: `Basic ${Buffer.from(`${encodeURIComponent(id)}:${encodeURIComponent(secret)}`).toString('base64')}`,
})
const grant = { grant_type: 'client_credentials' }
const connector = { ...grant, client_id: 'demo-connector', client_secret: 'demo-connector-secret' }
const admin = { ...grant, client_id: 'demo-admin', client_secret: 'demo-admin-secret' }

describe.each(databases)('on %s', (database) => {
  let hub: TestHub
  beforeAll(async () => {
    hub = await startHub({ database })
  })
  afterAll(() => hub.close())

  const addClient = (clientId: string, scopes: Scope[], secret?: string, siteId = 'demo') =>
    enrolClient(hub.inner, { siteId, clientId, scopes, ...(secret !== undefined && { secret }) })
  const withToken = (token: string, path = '/v2/jobs') =>
    hub.call<{ code?: string; message: string; traceId: string }>('GET', path, {
      headers: { authorization: `Bearer ${token}` },
    })

  describe('the token endpoint', () => {
    test('answers a form with exactly four members that must not be stored', async () => {
      const { status, headers, body } = await askToken(hub, connector)
      expect(status).toBe(200)
      expect(body).toEqual({
        access_token: expect.any(String),
        expires_in: 3600,
        token_type: 'Bearer',
        scope: 'content',
      })
      expect(headers).toMatchObject({ 'cache-control': 'no-store', pragma: 'no-cache' })
      expect((await withToken(body.access_token)).status).toBe(200)
    })

    test('takes HTTP Basic, whose halves are form-encoded, with or without the same client_id in the form', async () => {
      const secret = 'ä b+c%:d&e=f'
      await addClient('basic-client', ['content'], secret)
      for (const form of [grant, { ...grant, client_id: 'basic-client' }])
        expect((await askToken(hub, form, { headers: basic('basic-client', secret) })).status).toBe(
          200,
        )
      const plus = Buffer.from(
        `basic-client:${encodeURIComponent(secret).replaceAll('%20', '+')}`,
      ).toString('base64')
      expect(
        (await askToken(hub, grant, { headers: { authorization: `basic ${plus}` } })).status,
      ).toBe(200)
      expect(
        (await askToken(hub, { ...grant, client_id: 'basic-client', client_secret: secret }))
          .status,
      ).toBe(200)
    })

    const refusals: [string, Form, Sent, number, string][] = [
      [
        'a JSON body',
        JSON.stringify(connector),
        { headers: { 'content-type': 'application/json' } },
        400,
        'invalid_request',
      ],
      [
        'another media type',
        'grant_type=x',
        { headers: { 'content-type': 'text/plain' } },
        400,
        'invalid_request',
      ],
      ['an empty form', '', {}, 400, 'invalid_request'],
      ['no grant_type', { ...connector, grant_type: '' }, {}, 400, 'invalid_request'],
      [
        'a repeated grant_type',
        `${new URLSearchParams(connector)}&grant_type=client_credentials`,
        {},
        400,
        'invalid_request',
      ],
      [
        'a repeated scope',
        `${new URLSearchParams(connector)}&scope=content&scope=content`,
        {},
        400,
        'invalid_request',
      ],
      [
        'another grant_type',
        { ...connector, grant_type: 'password' },
        {},
        400,
        'unsupported_grant_type',
      ],
      [
        'credentials in both places',
        connector,
        { headers: basic('demo-connector', 'demo-connector-secret') },
        400,
        'invalid_request',
      ],
      [
        'two client ids',
        { ...grant, client_id: 'other' },
        { headers: basic('demo-connector', 'x') },
        400,
        'invalid_request',
      ],
      [
        'a secret in the address',
        grant,
        { path: '/connect/token?client_id=a&client_secret=b' },
        400,
        'invalid_request',
      ],
      ['no credentials', grant, {}, 401, 'invalid_client'],
      ['no secret', { ...grant, client_id: 'demo-connector' }, {}, 401, 'invalid_client'],
      ['a wrong secret', { ...connector, client_secret: 'wrong' }, {}, 401, 'invalid_client'],
      [
        "another client's secret",
        { ...connector, client_secret: 'demo-admin-secret' },
        {},
        401,
        'invalid_client',
      ],
      ['an unknown client', { ...connector, client_id: 'nobody' }, {}, 401, 'invalid_client'],
      [
        'a client id with another case',
        { ...connector, client_id: 'Demo-Connector' },
        {},
        401,
        'invalid_client',
      ],
      ['a client id with NUL', { ...connector, client_id: 'a\0b' }, {}, 401, 'invalid_client'],
      ['a client id of SQL', { ...connector, client_id: "' or 1=1 --" }, {}, 401, 'invalid_client'],
      [
        'a client id of 10,000 letters',
        { ...connector, client_id: 'a'.repeat(10_000) },
        {},
        401,
        'invalid_client',
      ],
      [
        'Basic that is no base64',
        grant,
        { headers: { authorization: 'Basic %%%' } },
        401,
        'invalid_client',
      ],
      [
        'Basic with a stray percent sign',
        grant,
        { headers: { authorization: `Basic ${btoa('a:%zz')}` } },
        401,
        'invalid_client',
      ],
      ['an unknown scope', { ...connector, scope: 'content everything' }, {}, 400, 'invalid_scope'],
      ['no scope that the client has', { ...connector, scope: 'admin' }, {}, 400, 'invalid_scope'],
      [
        'several scopes, none of which the client has',
        { ...connector, scope: 'admin provider' },
        {},
        400,
        'invalid_scope',
      ],
    ]
    test.each(refusals)('refuses %s', async (_, form, sent, status, error) => {
      const answer = await askToken(hub, form, sent)
      expect({ status: answer.status, error: answer.body.error }).toEqual({ status, error })
      expect(answer.headers).toMatchObject({
        'cache-control': 'no-store',
        'content-type': expect.stringContaining('json'),
      })
      expect(answer.body).toMatchObject({
        error_description: expect.any(String),
        code: status === 401 ? 'UNAUTHORIZED' : 'INVALID_REQUEST',
        traceId: answer.headers['x-request-id'],
      })
      const challenge = answer.headers['www-authenticate']
      if (status === 401 && sent.headers?.authorization) expect(challenge).toMatch(/^Basic realm=/)
      else expect(challenge).toBeUndefined()
      expect(answer.body).not.toHaveProperty('access_token')
    })

    test('refuses a form that is too large, and lives', async () => {
      const { status, body } = await askToken(hub, { ...connector, pad: 'x'.repeat(20_000) })
      expect({ status, code: body.code }).toEqual({ status: 413, code: 'CONTENT_TOO_LARGE' })
      expect((await askToken(hub, connector)).status).toBe(200)
    })

    test.each([2 ** 20, 2 ** 40])(
      'refuses a declared body of %i bytes before it has arrived',
      async (length) => {
        const status = await new Promise<number | undefined>((resolve, reject) => {
          const sent = {
            'content-type': 'application/x-www-form-urlencoded',
            'content-length': length,
          }
          const agent = new Agent({ keepAlive: true })
          const call = request(
            `${hub.url}/connect/token`,
            { method: 'POST', headers: sent, agent },
            (answer) => {
              resolve(answer.statusCode)
              call.destroy()
            },
          )
          call.once('error', reject).flushHeaders()
        })
        expect(status).toBe(413)
      },
    )

    test('ignores parameters it does not know and a stale bearer', async () => {
      const headers = { authorization: 'Bearer of.old.times' }
      expect(
        (await askToken(hub, { ...connector, audience: 'x', resource: 'y' }, { headers })).status,
      ).toBe(200)
    })

    test('tells an unknown client and a wrong secret the same', async () => {
      const answers = [{ client_id: 'nobody' }, { client_secret: 'wrong' }].map(async (wrong) => {
        const { status, body } = await askToken(hub, { ...connector, ...wrong })
        return { status, ...body, traceId: '' }
      })
      const [one, other] = await Promise.all(answers)
      expect(one).toEqual(other)
    })

    test('takes many calls of one client at once', async () => {
      await addClient('busy', ['content'], 'a given secret')
      const form = { ...grant, client_id: 'busy', client_secret: 'a given secret' }
      const all = await Promise.all(Array.from({ length: 60 }, () => askToken(hub, form)))
      expect(new Set(all.map(({ status }) => status))).toEqual(new Set([200]))
    })
  })

  describe('scopes', () => {
    test('of more scopes than the client has, those are granted that it has, and named', async () => {
      const all = 'content provider settings admin operator'
      expect((await askToken(hub, { ...connector, scope: all })).body.scope).toBe('content')
      const { body } = await askToken(hub, { ...connector, scope: 'operator content' })
      expect(body.scope).toBe('content')
      expect((await withToken(body.access_token)).status).toBe(200)
    })

    test('the authorization endpoint, which libraries demand, says what to use instead', async () => {
      const { status, body } = await hub.call<{ error: string; error_description: string }>(
        'GET',
        '/connect/authorize?response_type=code',
      )
      expect([status, body.error]).toEqual([400, 'unsupported_response_type'])
      expect(body.error_description).toContain('client_credentials')
    })

    test('an asked scope narrows the token, and the token alone counts', async () => {
      await addClient('both', ['content', 'settings'], 'both-ways')
      const both = { ...grant, client_id: 'both', client_secret: 'both-ways' }
      expect((await askToken(hub, both)).body.scope).toBe('content settings')
      const { body } = await askToken(hub, { ...both, scope: 'settings' })
      expect(body.scope).toBe('settings')
      const { status, body: problem } = await withToken(body.access_token)
      expect({ status, code: problem.code }).toEqual({ status: 403, code: 'FORBIDDEN' })
    })

    test.each(['content', 'provider settings', 'content provider settings admin', 'admin'])(
      'admin may ask for %s',
      async (scope) => {
        const { status, body } = await askToken(hub, { ...admin, scope })
        expect({ status, scope: body.scope }).toEqual({ status: 200, scope })
      },
    )

    test('an operator belongs to no site and reaches nothing in one; an admin is no operator', async () => {
      const operator = {
        ...grant,
        client_id: 'demo-operator',
        client_secret: 'demo-operator-secret',
      }
      const { body } = await askToken(hub, operator)
      expect(body.scope).toBe('operator')
      expect((await withToken(body.access_token)).body.code).toBe('FORBIDDEN')
      for (const scope of ['content', 'admin'])
        expect((await askToken(hub, { ...operator, scope })).body.error).toBe('invalid_scope')
      expect((await askToken(hub, { ...admin, scope: 'operator' })).body.error).toBe(
        'invalid_scope',
      )
    })

    test.each([
      [
        'an operator of a site',
        'demo',
        ['operator'],
        'An operator belongs to no site; leave the site out.',
      ],
      [
        'an operator with another scope',
        '',
        ['operator', 'admin'],
        'The scope operator cannot be combined',
      ],
      ['another client without a site', '', ['admin'], 'The site "" must be'],
    ] as const)('%s is refused', async (_, siteId, scopes, sentence) => {
      await expect(addClient('nobody', [...scopes], undefined, siteId)).rejects.toThrow(sentence)
    })

    test('admin narrowed to content creates no provider, admin itself does', async () => {
      const make = async (token: string) => {
        const headers = { authorization: `Bearer ${token}` }
        return (
          await hub.call('POST', '/v2/providers', {
            headers,
            body: { name: 'Mine', typeId: 'manual' },
          })
        ).status
      }
      expect(
        await make((await askToken(hub, { ...admin, scope: 'content' })).body.access_token),
      ).toBe(403)
      expect(await make((await askToken(hub, admin)).body.access_token)).toBe(201)
    })

    test('the provider and settings clients are kept from the connector side', async () => {
      for (const client of ['demo-provider', 'demo-settings'])
        expect((await hub.call('GET', '/v2/jobs', { as: client })).status).toBe(403)
    })
  })

  describe('a bearer that is not good', () => {
    let far = 0
    beforeAll(() => {
      far = Math.floor(Date.now() / 1_000) + 3_600
    })
    const claims = () => ({
      client_id: 'demo-connector',
      site: 'demo',
      scope: 'content',
      jti: 'j',
      sub: 'demo-connector',
    })
    const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
    const full = () => ({
      ...claims(),
      iss: issuerOf(hub.inner),
      aud: 'dragoman',
      iat: Math.floor(hub.inner.clock.now() / 1_000),
      exp: far,
    })
    /** Signed with our own key: only what the row changes is wrong. */
    const ours = async (change: object, header: object = {}) => {
      const { kid, key } = await findSigner(hub.inner)
      return new SignJWT({ ...full(), ...change })
        .setProtectedHeader({ alg: 'ES256', typ: 'at+jwt', kid, ...header })
        .sign(key, { crit: { x: true } })
    }
    const foreign = async (header: (jwk: object) => object) => {
      const pair = await generateKeyPair('ES256', { extractable: true })
      const kid = (await findSigner(hub.inner)).kid
      const head = { alg: 'ES256', typ: 'at+jwt', kid, ...header(await exportJWK(pair.publicKey)) }
      return new SignJWT(full()).setProtectedHeader(head).sign(pair.privateKey)
    }
    /** The public key taken for a shared secret. */
    const confused = async (form: 'pem' | 'json') => {
      const [jwk] = await listPublicKeys(hub.inner)
      const pem = createPublicKey({ key: jwk as never, format: 'jwk' }).export({
        type: 'spki',
        format: 'pem',
      })
      const text = `${part({ alg: 'HS256', typ: 'at+jwt', kid: jwk?.kid })}.${part(full())}`
      const secret = form === 'pem' ? pem : JSON.stringify(jwk)
      return `${text}.${createHmac('sha256', secret).update(text).digest('base64url')}`
    }

    test('the same token unchanged would be good', async () => {
      expect((await withToken(await ours({}))).status).toBe(200)
    })

    const tokens: [string, () => Promise<string> | string][] = [
      ['no JWT at all', () => 'abc'],
      ['three empty parts', () => '..'],
      ['alg none', () => `${part({ alg: 'none', typ: 'at+jwt' })}.${part(full())}.`],
      [
        'alg None with our kid',
        async () =>
          `${part({ alg: 'None', typ: 'at+jwt', kid: (await findSigner(hub.inner)).kid })}.${part(full())}.`,
      ],
      ['HS256 with the public key as PEM', () => confused('pem')],
      ['HS256 with the public key as JWK', () => confused('json')],
      ['our kid, another key', () => foreign(() => ({}))],
      ['a foreign kid', () => foreign(() => ({ kid: 'mine' }))],
      ['a foreign key in its own header', () => foreign((jwk) => ({ jwk, kid: 'mine' }))],
      ['no kid', () => foreign(() => ({ kid: undefined }))],
      ['a kid of SQL', () => foreign(() => ({ kid: "x' or '1'='1" }))],
      ['another type', () => ours({}, { typ: 'JWT' })],
      ['a critical extension nobody knows', () => ours({}, { crit: ['x'], x: 1 })],
      ['another issuer', () => ours({ iss: 'https://elsewhere.example' })],
      ['another audience', () => ours({ aud: 'elsewhere' })],
      ['no expiry', () => ours({ exp: undefined })],
      ['an expiry in the past', () => ours({ exp: far - 3_601 })],
      ['an expiry that is no number', () => ours({ exp: 'never' })],
      ['a beginning in the future', () => ours({ nbf: far })],
      ['no client', () => ours({ client_id: undefined })],
      ['an unknown client', () => ours({ client_id: 'nobody' })],
      ['a client of another site', () => ours({ site: 'other' })],
      [
        'a changed payload',
        async () =>
          (await ours({})).replace(/\.[^.]+\./, `.${part({ ...full(), scope: 'admin' })}.`),
      ],
      ['a cut signature', async () => (await ours({})).slice(0, -4)],
      ['a token of 9 kB', () => ours({ pad: 'x'.repeat(9_000) })],
    ]
    test.each(tokens)('%s is a 401 with an error object', async (_, make) => {
      const { status, headers, body } = await withToken(await make())
      expect({ status, code: body.code }).toEqual({ status: 401, code: 'UNAUTHORIZED' })
      expect(body.traceId).toBe(headers.get('x-request-id'))
      expect(headers.get('www-authenticate')).toBe('Bearer realm="dragoman", error="invalid_token"')
    })

    test.each([
      ['none', {}, 'Bearer realm="dragoman"'],
      [
        'an empty one',
        { authorization: 'Bearer ' },
        'Bearer realm="dragoman", error="invalid_token"',
      ],
      [
        'Basic',
        basic('demo-connector', 'demo-connector-secret'),
        'Bearer realm="dragoman", error="invalid_token"',
      ],
    ])('%s is a 401 that asks for a token', async (_, headers, challenge) => {
      const answer = await hub.call('GET', '/v2/jobs', { headers })
      expect({ status: answer.status, code: answer.body.code }).toEqual({
        status: 401,
        code: 'UNAUTHORIZED',
      })
      expect(answer.headers.get('www-authenticate')).toBe(challenge)
    })

    test('a token of 64 kB is refused before it is read, as JSON, and the hub lives', async () => {
      const { status, body } = await withToken('x'.repeat(64 * 1024))
      expect([401, 431]).toContain(status)
      expect(body.code).toBeTypeOf('string')
      expect((await withToken(await ours({}))).status).toBe(200)
    })

    test('an address in a header is never asked', async () => {
      let asked = 0
      const path = `/${randomUUID()}/jwks`
      const trap = createServer((request, answer) => {
        // Clients of other tests may still call the hub that had this port before.
        if (request.url === path) asked += 1
        answer.end('{"keys":[]}')
      })
      await new Promise<void>((ready) => trap.listen(0, '127.0.0.1', ready))
      const url = `http://127.0.0.1:${(trap.address() as AddressInfo).port}${path}`
      for (const header of [{ jku: url }, { x5u: url }, { jku: url, kid: 'mine' }])
        expect((await withToken(await foreign(() => header))).status).toBe(401)
      trap.close()
      expect(asked).toBe(0)
    })
  })

  describe('secrets', () => {
    test('nothing stored or logged holds a secret or a token', async () => {
      const { secret } = await addClient('careful', ['content'])
      await addClient('given', ['content'], 'a secret that was given')
      const { body } = await askToken(hub, {
        ...grant,
        client_id: 'careful',
        client_secret: secret,
      })
      await withToken(body.access_token)
      await askToken(hub, grant, { headers: basic('given', 'a secret that was given') })
      const stored = JSON.stringify(
        await hub.inner.db.read.selectFrom('client_secrets').selectAll().execute(),
      )
      for (const text of [
        secret,
        'a secret that was given',
        body.access_token,
        basic('given', 'a secret that was given').authorization,
      ]) {
        expect(stored).not.toContain(text)
        expect(hub.logged()).not.toContain(text)
      }
      expect(stored).toContain('scrypt$32768$')
      expect(stored).toContain('keyed$')
    })

    test('after a rotation both secrets work for the overlap, then only the new one', async () => {
      await addClient('turning', ['content'], 'the old one')
      const { secret } = await rotateSecret(hub.inner, 'turning', {
        overlap: { count: 2, unit: 'h' },
      })
      const status = async (client_secret: string) =>
        (await askToken(hub, { ...grant, client_id: 'turning', client_secret })).status
      expect([await status('the old one'), await status(secret)]).toEqual([200, 200])
      await hub.advance('119m')
      expect([await status('the old one'), await status(secret)]).toEqual([200, 200])
      await hub.advance('1m')
      expect([await status('the old one'), await status(secret)]).toEqual([401, 200])
      await rotateSecret(hub.inner, 'turning', {
        secret: 'the third',
        overlap: { count: 0, unit: 's' },
      })
      expect([await status(secret), await status('the third')]).toEqual([401, 200])
    })
  })

  test('a token ends when it says', async () => {
    const { body } = await askToken(hub, connector)
    const { exp = 0, iat = 0 } = decodeJwt(body.access_token)
    expect(exp - iat).toBe(body.expires_in)
    expect((await withToken(body.access_token)).status).toBe(200)
    await hub.advance('59m')
    expect((await withToken(body.access_token)).status).toBe(200)
    await hub.advance('1m')
    const refused = await withToken(body.access_token)
    expect(refused.status).toBe(401)
    expect(refused.body.message).toContain('expired')
  })

  test('a client disabled beside the running hub is refused within a minute, its token too', async () => {
    const { secret } = await addClient('leaving', ['content'])
    const form = { ...grant, client_id: 'leaving', client_secret: secret }
    const { body } = await askToken(hub, form)
    expect((await withToken(body.access_token)).status).toBe(200)
    const tool = await openHub(hub.inner.config, { as: 'tool', log: hub.inner.log })
    await disableClient(tool, 'leaving')
    expect((await askToken(hub, form)).status).toBe(401)
    await hub.advance('60s')
    const refused = await withToken(body.access_token)
    expect({ status: refused.status, code: refused.body.code }).toEqual({
      status: 401,
      code: 'UNAUTHORIZED',
    })
    await removeClient(tool, 'leaving')
    await closeHub(tool)
    expect((await askToken(hub, form)).status).toBe(401)
  })

  test('a token outlives the turn of the keys: twenty hours old it is good, on every one of forty days', async () => {
    await hub.restart({ DRAGOMAN_TOKEN_SECONDS: '86400' })
    const kids = new Set<unknown>()
    let last = (await askToken(hub, connector)).body.access_token
    for (let hours = 0; hours < 40 * 24; hours += 20) {
      await hub.advance('20h')
      expect((await withToken(last)).status).toBe(200)
      const { kid } = decodeProtectedHeader(last)
      const { body } = await hub.call<{ keys: { kid: string }[] }>('GET', '/.well-known/jwks.json')
      expect(body.keys.map((key) => key.kid)).toContain(kid)
      kids.add(kid)
      last = (await askToken(hub, connector)).body.access_token
    }
    expect(kids.size).toBe(2)
    await hub.restart()
    expect((await withToken(last)).status).toBe(200)
  })

  describe('guessing', () => {
    test('ten failures of one client and address bring a pause that grows; nobody else is touched', async () => {
      await addClient('guessed', ['content'], 'never found')
      const right = { ...grant, client_id: 'guessed', client_secret: 'never found' }
      const wrong = { ...right, client_secret: 'guess' }
      const release = holdClock(hub.inner)
      for (let i = 0; i < 10; i++) expect((await askToken(hub, wrong)).status).toBe(401)
      const pauses: number[] = []
      for (let i = 0; i < 3; i++) {
        const { status, headers, body } = await askToken(hub, right)
        expect({ status, error: body.error, code: body.code }).toEqual({
          status: 429,
          error: 'slow_down',
          code: 'RATE_LIMITED',
        })
        pauses.push(Number(headers['retry-after']))
      }
      expect(pauses.toSorted((a, b) => a - b)).toEqual(pauses)
      expect(new Set(pauses).size).toBe(3)
      expect(Math.max(...pauses)).toBeLessThanOrEqual(60)
      expect((await askToken(hub, right, { from: '127.0.0.2' })).status).toBe(200)
      expect((await askToken(hub, connector)).status).toBe(200)
      expect((await askToken(hub, right)).status).toBe(429)
      release()
      await hub.advance('60s')
      expect((await askToken(hub, right)).status).toBe(200)
    })

    test('an unknown client is slowed down like a known one', async () => {
      const form = { ...grant, client_id: 'ghost', client_secret: 'guess' }
      holdClock(hub.inner)
      for (let i = 0; i < 10; i++) expect((await askToken(hub, form)).status).toBe(401)
      expect((await askToken(hub, form)).status).toBe(429)
      expect((await askToken(hub, form, { from: '127.0.0.2' })).status).toBe(401)
    })
  })

  describe('metadata', () => {
    test('both pages say the same, in the name of the call', async () => {
      const pages = ['oauth-authorization-server', 'openid-configuration'].map((name) =>
        hub.call('GET', `/.well-known/${name}`),
      )
      const [one, other] = await Promise.all(pages)
      expect(one?.body).toEqual(other?.body)
      expect(one?.body).toMatchObject({
        issuer: hub.url,
        authorization_endpoint: `${hub.url}/connect/authorize`,
        token_endpoint: `${hub.url}/connect/token`,
        jwks_uri: `${hub.url}/.well-known/jwks.json`,
        grant_types_supported: ['client_credentials'],
        token_endpoint_auth_methods_supported: ['client_secret_basic', 'client_secret_post'],
        scopes_supported: ['content', 'provider', 'settings', 'admin', 'operator'],
      })
      const elsewhere = hub.url.replace('127.0.0.1', 'localhost')
      const named = await fetch(`${elsewhere}/.well-known/openid-configuration`).catch(
        () => undefined,
      )
      if (named)
        expect(await named.json()).toMatchObject({
          issuer: elsewhere,
          token_endpoint: `${elsewhere}/connect/token`,
        })
    })

    test('any JWT library verifies a token from what the metadata says', async () => {
      const { body: about } = await hub.call<{ issuer: string; jwks_uri: string }>(
        'GET',
        '/.well-known/openid-configuration',
      )
      const { body } = await askToken(hub, connector)
      const { payload } = await jwtVerify(
        body.access_token,
        createRemoteJWKSet(new URL(about.jwks_uri)),
        {
          issuer: about.issuer,
          audience: 'dragoman',
          typ: 'at+jwt',
          currentDate: new Date(hub.inner.clock.now()),
        },
      )
      expect(payload).toMatchObject({
        sub: 'demo-connector',
        client_id: 'demo-connector',
        site: 'demo',
        scope: 'content',
      })
    })

    test('the published keys are public', async () => {
      const { body } = await hub.call<{ keys: object[] }>('GET', '/.well-known/jwks.json')
      for (const key of body.keys) {
        expect(key).toMatchObject({
          kty: 'EC',
          crv: 'P-256',
          alg: 'ES256',
          use: 'sig',
          kid: expect.any(String),
        })
        expect(key).not.toHaveProperty('d')
      }
    })

    test('a public URL is the issuer and the name in every page; tokens from before stay good', async () => {
      const before = (await askToken(hub, connector)).body.access_token
      await hub.restart({ DRAGOMAN_PUBLIC_URL: 'https://hub.example/translate/' })
      const { body } = await hub.call('GET', '/.well-known/oauth-authorization-server')
      expect(body).toMatchObject({
        issuer: 'https://hub.example/translate',
        token_endpoint: 'https://hub.example/translate/connect/token',
      })
      const after = (await askToken(hub, connector)).body.access_token
      expect(decodeJwt(after).iss).toBe('https://hub.example/translate')
      for (const token of [before, after]) expect((await withToken(token)).status).toBe(200)
      await hub.restart()
      expect((await withToken(after)).status).toBe(200)
    })
  })

  describe('sites', () => {
    type Providers = { providers: { name: string; id: string }[] }
    test('a new site of the sandbox gets its own Pseudo and Manual', async () => {
      const { secret } = await addClient('second-admin', ['admin'], undefined, 'second')
      hub.secrets.set('second-admin', secret)
      const { body } = await hub.call<Providers>('GET', '/v2/providers', { as: 'second-admin' })
      expect(body.providers.map(({ name }) => name).toSorted()).toEqual(['Manual', 'Pseudo'])
      const demo = await hub.call<Providers>('GET', '/v2/providers', { as: 'demo-admin' })
      for (const { id } of body.providers)
        expect(demo.body.providers.map((provider) => provider.id)).not.toContain(id)
    })

    test('a client id is unique over all sites, and a provider must be of the own site', async () => {
      await expect(addClient('demo-admin', ['admin'], undefined, 'second')).rejects.toThrow(
        'is already in use',
      )
      const { body } = await hub.call<Providers>('GET', '/v2/providers', { as: 'demo-admin' })
      const providerIds = body.providers.slice(0, 1).map(({ id }) => id)
      const input = {
        siteId: 'second',
        clientId: 'thief',
        scopes: ['provider'] as const,
        providerIds,
      }
      await expect(enrolClient(hub.inner, input)).rejects.toMatchObject({
        code: 'PROVIDER_NOT_FOUND',
      })
      expect((await listClients(hub.inner)).map(({ clientId }) => clientId)).not.toContain('thief')
    })

    test('a start changes nothing, a reset brings the first day back', async () => {
      const list = async () =>
        (await listClients(hub.inner)).map(({ clientId, providerIds }) => [
          clientId,
          ...providerIds,
        ])
      const before = await list()
      await hub.restart()
      expect(await list()).toEqual(before)
      await rotateSecret(hub.inner, 'demo-connector', {
        secret: 'changed',
        overlap: { count: 0, unit: 's' },
      })
      expect((await askToken(hub, connector)).status).toBe(401)
      await hub.advance('3d')
      const { status } = await hub.call('POST', '/sandbox/reset')
      expect(status).toBe(200)
      expect((await list()).map(([clientId]) => clientId)).toEqual([
        'demo-operator',
        'demo-admin',
        'demo-connector',
        'demo-provider',
        'demo-settings',
      ])
      const token = (await askToken(hub, connector)).body.access_token
      expect((await withToken(token)).status).toBe(200)
      expect(Math.abs(Number(decodeJwt(token).iat) * 1_000 - Date.now())).toBeLessThan(60_000)
      const own = (await list()).find(([clientId]) => clientId === 'demo-provider')
      expect(own).toHaveLength(3)
    })
  })

  describe('in production', () => {
    let real: TestHub
    beforeAll(async () => {
      real = await startHub({
        database,
        profile: 'production',
        env: { DRAGOMAN_RATE_LIMIT: 'off' },
      })
    })
    afterAll(() => real.close())

    test('there is the bootstrap client, admin of the site main, and nobody of the sandbox', async () => {
      expect(await listClients(real.inner)).toMatchObject([
        { clientId: bootstrapId, siteId: 'main', scopes: ['admin'] },
      ])
      expect((await askToken(real, admin)).status).toBe(401)
      const { body } = await real.call<{ providers: object[] }>('GET', '/v2/providers', {
        as: bootstrapId,
      })
      expect(body.providers).toEqual([])
    })

    test('guessing is slowed down here too', async () => {
      const wrong = { ...grant, client_id: bootstrapId, client_secret: 'guess' }
      for (let i = 0; i < 10; i++) expect((await askToken(real, wrong)).status).toBe(401)
      const { status, headers } = await askToken(real, wrong)
      expect(status).toBe(429)
      expect(Number(headers['retry-after'])).toBeGreaterThan(0)
      const secret = real.secrets.get(bootstrapId) ?? ''
      expect(
        (await askToken(real, { ...wrong, client_secret: secret }, { from: '127.0.0.2' })).status,
      ).toBe(200)
    })

    test('a bootstrap client that was removed stays removed', async () => {
      await removeClient(real.inner, bootstrapId)
      await real.restart()
      expect(await listClients(real.inner)).toEqual([])
    })
  })
})

if (databases.includes('postgres'))
  test('a token of one node is good on another of the same database', async () => {
    const one = await startHub({ database: 'postgres' })
    const { databaseUrl, masterKey } = one.inner.config
    const env = {
      DRAGOMAN_DATABASE_URL: databaseUrl,
      DRAGOMAN_MASTER_KEY: masterKey?.toString('base64'),
    }
    const other = await startHub({ env })
    try {
      for (const [from, to] of [
        [one, other],
        [other, one],
      ] as const) {
        const headers = { authorization: `Bearer ${await from.token('demo-connector')}` }
        expect((await to.call('GET', '/v2/jobs', { headers })).status).toBe(200)
      }
      const wrong = { ...connector, client_secret: 'guess' }
      for (let i = 0; i < 10; i++)
        expect((await askToken(i % 2 ? one : other, wrong)).status).toBe(401)
      expect((await askToken(one, wrong)).status).toBe(429)
      expect((await askToken(other, wrong)).status).toBe(429)
    } finally {
      await other.close()
      await one.close()
    }
  })

test('deployed clients ask for scopes by the names that the operator maps', async () => {
  const hub = await startHub({
    env: { DRAGOMAN_SCOPE_ALIASES: 'gcm.*=content, *.vendor=provider' },
  })
  try {
    const ask = async (scope: string) => {
      const { status, body } = await askToken(hub, { ...admin, scope })
      return [status, body.scope ?? body.error]
    }
    expect(await ask('gcm.api.jobs')).toEqual([200, 'content'])
    expect(await ask('gcm.read gcm.write some.vendor settings')).toEqual([
      200,
      'content provider settings',
    ])
    expect(await ask('gcm')).toEqual([400, 'invalid_scope'])
    expect(await ask('gcm.read other')).toEqual([400, 'invalid_scope'])
    const denied = await askToken(hub, { ...connector, scope: 'some.vendor' })
    expect([denied.status, denied.body.error]).toEqual([400, 'invalid_scope'])
  } finally {
    await hub.close()
  }
})
