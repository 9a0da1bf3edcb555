/**
 * By which names the hub may be called, and from which web pages: a page of another site must not
 * reach the sandbox on its reader's machine, and no hub repeats a name that a caller has made up.
 */
import { request } from 'node:http'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { nameIn, ownNames } from '../packages/server/src/config/own-names.ts'
import { bootstrapId, type Env, startHub, type TestHub } from './hub.ts'

type Seen = { status: number; headers: Record<string, string | string[] | undefined>; text: string }

/** A call on a bare request: fetch would not let us choose Host and Origin. */
function send(
  hub: TestHub,
  call: string,
  headers: Record<string, string> = {},
  body: string | undefined = undefined,
): Promise<Seen> {
  const [method, path] = call.split(' ') as [string, string]
  const { port, hostname } = new URL(hub.url)
  return new Promise((resolve, reject) => {
    const sent = body ? { ...headers, 'content-length': Buffer.byteLength(body) } : headers
    const asked = request(
      { host: hostname, port, method, path, headers: sent, agent: false },
      async (answer) =>
        resolve({
          status: answer.statusCode ?? 0,
          headers: answer.headers,
          text: Buffer.concat(await answer.toArray()).toString(),
        }),
    )
    asked.on('error', reject)
    asked.end(body)
  })
}

const json = { 'content-type': 'application/json' }
const form = { 'content-type': 'application/x-www-form-urlencoded' }
const demoForm =
  'grant_type=client_credentials&client_id=demo-admin&client_secret=demo-admin-secret'

describe('the sandbox', () => {
  let hub: TestHub
  let port: string
  beforeAll(async () => {
    hub = await startHub()
    port = new URL(hub.url).port
  })
  afterAll(() => hub.close())
  const clock = async () =>
    JSON.parse((await send(hub, 'GET /sandbox/clock')).text).offsetMs as number

  const doors = [
    ['GET /', {}, ''],
    ['GET /docs', {}, ''],
    ['GET /openapi.json', {}, ''],
    ['GET /metrics', {}, ''],
    ['GET /.well-known/openid-configuration', {}, ''],
    ['POST /connect/token', form, demoForm],
    ['GET /v2/jobs', {}, ''],
    ['GET /ProjectSettingsService.svc?wsdl', {}, ''],
    ['POST /ProjectSettingsService.svc', { 'content-type': 'text/xml' }, '<x/>'],
    ['OPTIONS /fms/tus/none', {}, ''],
    ['GET /fms/files/none', {}, ''],
    ['GET /sandbox/clock', {}, ''],
    ['POST /sandbox/clock/advance', json, '{"by":"1y"}'],
    ['POST /sandbox/faults', json, '{"scenario":"rate-limit-storm"}'],
    ['GET /sandbox/due', {}, ''],
    ['POST /sandbox/seed', json, '{"jobs":1}'],
    ['POST /sandbox/certify', json, '{}'],
    ['POST /sandbox/reset', {}, ''],
    ['GET /nowhere', {}, ''],
  ] as const

  it.each(doors)('refuses %s under a name that is not loopback', async (call, headers, body) => {
    const before = await clock()
    for (const host of [
      'evil.example',
      `evil.example:${port}`,
      '127.0.0.1.evil.example',
      'localhost.evil.example',
      '10.0.0.1',
    ]) {
      const seen = await send(hub, call, { ...headers, host }, body)
      expect(seen.status, host).toBe(421)
      expect(seen.text, host).toContain('loopback')
      expect(seen.text, host).not.toContain('access_token')
    }
    expect(await clock()).toBe(before)
  })

  it.each(doors)('refuses %s from a page of another site', async (call, headers, body) => {
    const before = await clock()
    for (const origin of [
      'https://evil.example',
      'http://localhost.evil.example',
      'http://evil.example:80',
      'null',
      'file://',
    ]) {
      const seen = await send(hub, call, { ...headers, origin }, body)
      expect(seen.status, origin).toBe(403)
      expect(seen.text, origin).toContain('DRAGOMAN_CORS_ORIGINS')
      expect(seen.headers['access-control-allow-origin'], origin).toBe(undefined)
    }
    expect(await clock()).toBe(before)
  })

  it('refuses a page of another site also where the browser hides its origin', async () => {
    const before = await clock()
    const site = { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'no-cors' }
    expect((await send(hub, 'POST /connect/token', { ...form, ...site }, demoForm)).status).toBe(
      403,
    )
    expect(
      (await send(hub, 'POST /sandbox/clock/advance', { ...json, ...site }, '{"by":"1d"}')).status,
    ).toBe(403)
    expect(
      (
        await send(hub, 'GET /docs', {
          'sec-fetch-site': 'cross-site',
          'sec-fetch-mode': 'navigate',
        })
      ).status,
    ).toBe(200)
    expect((await send(hub, 'GET /sandbox/calls', site)).status).toBe(403)
    expect((await send(hub, 'GET /sandbox/clock', {})).status).toBe(200)
    expect(await clock()).toBe(before)
  })

  it('sends the JSON of the console to its own pages only, and as nothing but JSON', async () => {
    const { headers } = await send(hub, 'GET /console/api/session', {
      'sec-fetch-site': 'same-origin',
    })
    expect(headers['x-content-type-options']).toBe('nosniff')
    expect(headers['cross-origin-resource-policy']).toBe('same-origin')
  })

  it('takes every name of loopback, on any port, and answers by it', async () => {
    for (const name of [
      'localhost',
      'LOCALHOST',
      'localhost.',
      'hub.localhost',
      '127.0.0.1',
      '127.1.2.3',
      '[::1]',
    ])
      for (const host of [name, `${name}:${port}`, `${name}:1`]) {
        const seen = await send(hub, 'GET /.well-known/openid-configuration', { host })
        expect(seen.status, host).toBe(200)
        const told = JSON.parse(seen.text)
        expect(told.issuer, host).toBe(`http://${host}`)
        expect(told.token_endpoint, host).toBe(`http://${host}/connect/token`)
      }
  })

  it('takes health checks by any name', async () => {
    for (const path of ['/healthz', '/readyz'])
      expect((await send(hub, `GET ${path}`, { host: 'hub.internal' })).status, path).toBe(200)
    expect((await send(hub, 'GET /healthzz', { host: 'hub.internal' })).status).toBe(421)
  })

  it('is not misled by what a proxy would have forwarded', async () => {
    const trusting = await startHub({ env: { DRAGOMAN_TRUST_PROXY: 'true' } })
    const forged = { host: 'evil.example', 'x-forwarded-host': 'localhost' }
    expect((await send(trusting, 'GET /v2/jobs', forged)).status).toBe(421)
    expect(
      (await send(trusting, 'GET /v2/jobs', { 'x-forwarded-host': 'evil.example' })).status,
    ).toBe(421)
    expect((await send(trusting, 'GET /v2/jobs', { 'x-forwarded-host': 'localhost' })).status).toBe(
      401,
    )
    await trusting.close()
  })

  it('lets pages on loopback in by CORS, whatever their port', async () => {
    for (const origin of [
      'http://localhost:5173',
      'https://127.0.0.1:9',
      'http://[::1]:3000',
      'http://app.localhost',
    ]) {
      const preflight = await send(hub, 'OPTIONS /v2/jobs', {
        origin,
        'access-control-request-method': 'POST',
        'access-control-request-headers': 'authorization,content-type',
      })
      expect(preflight.status, origin).toBe(204)
      expect(preflight.headers['access-control-allow-origin'], origin).toBe(origin)
      expect(preflight.headers['access-control-allow-headers'], origin).toBe(
        'authorization,content-type',
      )
      const token = await send(hub, 'POST /connect/token', { ...form, origin }, demoForm)
      expect(token.status, origin).toBe(200)
      expect(token.headers['access-control-allow-origin'], origin).toBe(origin)
      expect(token.headers.vary, origin).toBe('Origin')
    }
  })

  it('takes bodies under /sandbox as JSON only', async () => {
    const before = await clock()
    const types = [
      'text/plain',
      'application/x-www-form-urlencoded',
      'multipart/form-data; boundary=x',
      'text/json',
    ]
    for (const call of [
      'POST /sandbox/clock/advance',
      'POST /sandbox/faults',
      'POST /sandbox/seed',
      'POST /sandbox/certify',
      'POST /sandbox/reset',
      'DELETE /sandbox/faults',
    ])
      for (const headers of [...types.map((type) => ({ 'content-type': type })), {}]) {
        const seen = await send(hub, call, headers, '{"by":"1d"}')
        expect([seen.status, call, headers]).toEqual([415, call, headers])
        expect(seen.text).toContain('application/json')
      }
    expect(await clock()).toBe(before)
    const typed = { 'content-type': 'application/json; charset=utf-8' }
    expect((await send(hub, 'POST /sandbox/clock/advance', typed, '{"by":"1s"}')).status).toBe(200)
    expect(
      (await send(hub, 'DELETE /sandbox/faults')).status,
      'without a body it needs no type',
    ).toBe(200)
  })

  it('signs tokens by the name asked, and takes them under every other name', async () => {
    const answers = await Promise.all(
      ['localhost', '127.0.0.1', '[::1]'].map(async (name) => {
        const seen = await send(
          hub,
          'POST /connect/token',
          { ...form, host: `${name}:${port}` },
          demoForm,
        )
        return { name, token: JSON.parse(seen.text).access_token as string }
      }),
    )
    for (const { name, token } of answers) {
      const claims = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString())
      expect(claims.iss).toBe(`http://${name}:${port}`)
      for (const host of ['localhost', '127.0.0.1', `[::1]:${port}`, 'other.localhost:1'])
        expect(
          (await send(hub, 'GET /v2/jobs', { host, authorization: `Bearer ${token}` })).status,
          host,
        ).toBe(200)
    }
    await hub.restart()
    for (const { token } of answers)
      expect((await send(hub, 'GET /v2/jobs', { authorization: `Bearer ${token}` })).status).toBe(
        200,
      )
  })

  it('answers to its public URL and to names that the operator gives it', async () => {
    const env = {
      DRAGOMAN_PUBLIC_URL: 'https://sandbox.example.org/hub',
      DRAGOMAN_HOSTS: 'dragoman, [fd00::7]',
    }
    const named = await startHub({ env })
    for (const host of ['sandbox.example.org', 'Dragoman:8080', '[FD00:0::7]:80', 'localhost'])
      expect((await send(named, 'GET /v2/jobs', { host })).status, host).toBe(401)
    expect((await send(named, 'GET /v2/jobs', { host: 'example.org' })).status).toBe(421)
    const own = { ...form, origin: 'https://sandbox.example.org' }
    expect((await send(named, 'POST /connect/token', own, demoForm)).status).toBe(200)
    await named.close()
  })
})

describe('production', () => {
  const start = (env: Env) =>
    startHub({ profile: 'production', env: { DRAGOMAN_RATE_LIMIT: 'off', ...env } })
  const links = async (hub: TestHub, headers: Record<string, string>) => {
    const { status, text } = await send(hub, 'GET /.well-known/oauth-authorization-server', headers)
    return status === 200 ? (JSON.parse(text).token_endpoint as string) : status
  }

  it('on loopback answers to loopback names only', async () => {
    const hub = await start({})
    expect(await links(hub, { host: 'localhost:80' })).toBe('http://localhost:80/connect/token')
    expect(await links(hub, { host: 'evil.example' })).toBe(421)
    const { text } = await send(hub, 'GET /v2/jobs', { host: 'evil.example' })
    expect(JSON.parse(text)).toMatchObject({ code: 'MISDIRECTED_REQUEST' })
    expect(text).toContain('DRAGOMAN_PUBLIC_URL')
    expect(
      (await send(hub, 'POST /ProjectSettingsService.svc', { host: 'evil.example' }, '<x/>'))
        .status,
    ).toBe(421)
    for (const path of ['/healthz', '/readyz'])
      expect((await send(hub, `GET ${path}`, { host: '10.4.5.6' })).status, path).toBe(200)
    await hub.close()
  })

  it('answers to the names of DRAGOMAN_HOSTS, also where a proxy forwards them, and to no other', async () => {
    const hub = await start({ DRAGOMAN_HOSTS: 'hub.example.org', DRAGOMAN_TRUST_PROXY: 'loopback' })
    expect(await links(hub, { host: 'hub.example.org' })).toBe(
      'http://hub.example.org/connect/token',
    )
    const forwarded = { 'x-forwarded-host': 'hub.example.org', 'x-forwarded-proto': 'https' }
    expect(await links(hub, { host: 'upstream:8080', ...forwarded })).toBe(
      'https://hub.example.org/connect/token',
    )
    expect(await links(hub, { host: 'evil.example' })).toBe(421)
    expect(await links(hub, { host: 'hub.example.org', 'x-forwarded-host': 'evil.example' })).toBe(
      421,
    )
    await hub.close()
  })

  it('answers to loopback names only where it listens on loopback', () => {
    const isOwn = ownNames({
      host: '0.0.0.0',
      hosts: ['hub.example.org'],
      publicUrl: 'http://other.example:81/x',
    })
    expect(['hub.example.org', 'other.example'].map(isOwn)).toEqual([true, true])
    expect(
      ['localhost', '127.0.0.1', '::1', 'other.example:81', '', undefined].map(isOwn),
    ).not.toContain(true)
  })

  it.each([
    ['127.0.0.1:8080', '127.0.0.1'],
    ['LOCALHOST:1', 'localhost'],
    ['hub.example.org.', 'hub.example.org'],
    ['[::1]:80', '::1'],
    ['127.0.0.1.', undefined],
    ['0x7f.1', undefined],
    ['2130706433', undefined],
    ['127.1:8080', undefined],
  ])('reads the name of %s as %s', (host, name) => expect(nameIn(host)).toBe(name))

  it('with a public URL calls itself by that whatever name it is reached by', async () => {
    const hub = await start({ DRAGOMAN_PUBLIC_URL: 'https://hub.example.org' })
    for (const host of ['hub.example.org', 'upstream:8080', '10.1.2.3'])
      expect(await links(hub, { host })).toBe('https://hub.example.org/connect/token')
    await hub.close()
  })

  it('leaves origins to CORS: other clients than browsers send some too', async () => {
    const hub = await start({})
    const token = await hub.token(bootstrapId)
    const headers = { authorization: `Bearer ${token}`, origin: 'https://elsewhere.example' }
    const seen = await send(hub, 'GET /v2/jobs', headers)
    expect(seen.status).toBe(200)
    expect(seen.headers['access-control-allow-origin']).toBe(undefined)
    await hub.close()
  })
})
