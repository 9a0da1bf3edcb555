/**
 * Clients that prove themselves by a certificate (RFC 8705), with real certificates and real
 * connections: the token endpoint knows them by its thumbprint, and a token that was given to a
 * certificate is good with that certificate alone.
 */
import { execFile, execFileSync, spawnSync } from 'node:child_process'
import { createHash, X509Certificate } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { request } from 'node:https'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { connect, type TLSSocket } from 'node:tls'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { setClient } from '../packages/server/src/domain/access/change-client.ts'
import { enrolClient } from '../packages/server/src/domain/sites/enrol-client.ts'
import { type Certificate, hasOpenssl, makeCertificate, noOpenssl } from './certificates.ts'
import { databases, startHub, type TestHub } from './hub.ts'

const thumbprintOf = ({ cert }: Certificate): string =>
  createHash('sha256').update(new X509Certificate(cert).raw).digest('base64url')

type Sent = { headers?: Record<string, string>; body?: string; with?: Certificate }
type Seen = { status: number; headers: Record<string, unknown>; text: string }

const wsdlCall = (name: string) =>
  `<s:Envelope xmlns:s="http://schemas.xmlsoap.org/soap/envelope/"><s:Body><${name} xmlns="urn:dragoman:project-settings"/></s:Body></s:Envelope>`
const soap = {
  'content-type': 'text/xml',
  soapaction: 'urn:dragoman:project-settings/IProjectSettingsService/GetOrganisationPriceList',
}

if (!hasOpenssl) process.stderr.write(`SKIPPED: client certificates, because ${noOpenssl}\n`)

describe.skipIf(!hasOpenssl).each(databases)('client certificates on %s', (database) => {
  let folder: string
  let server: Certificate
  let own: Certificate
  let next: Certificate
  let other: Certificate
  let hub: TestHub
  const secrets = new Map<string, string>()
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'dragoman-mtls-'))
    server = makeCertificate(folder, 'localhost')
    own = makeCertificate(folder, 'own', 'rsa')
    next = makeCertificate(folder, 'next')
    other = makeCertificate(folder, 'other')
    const tls = { DRAGOMAN_TLS_CERT: server.certPath, DRAGOMAN_TLS_KEY: server.keyPath }
    hub = await startHub({ database, env: { ...tls, DRAGOMAN_TLS_CLIENT_CERTS: 'on' } })
    const add = async (clientId: string, certificates: string[], secret?: string) => {
      const scopes = ['content', 'settings'] as const
      const input = {
        siteId: 'demo',
        clientId,
        scopes,
        certificates,
        ...(secret !== undefined && { secret }),
      }
      secrets.set(clientId, (await enrolClient(hub.inner, input)).secret)
    }
    await add('by-certificate', [thumbprintOf(own), thumbprintOf(next)])
    await add('by-both', [thumbprintOf(own)], 'a secret beside the certificate')
    await add('by-secret', [])
  })
  afterAll(async () => {
    await hub?.close()
    rmSync(folder, { recursive: true })
  })

  function send(call: string, { headers = {}, body, with: shown }: Sent = {}): Promise<Seen> {
    const [method, path] = call.split(' ') as [string, string]
    const identity = shown ? { cert: shown.cert, key: shown.key } : {}
    return new Promise((resolve, reject) => {
      const asked = request(
        `${hub.url}${path}`,
        { method, headers, ca: server.cert, agent: false, ...identity },
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
  const form = { 'content-type': 'application/x-www-form-urlencoded' }
  const askToken = (fields: Record<string, string>, shown?: Certificate) =>
    send('POST /connect/token', {
      headers: form,
      body: new URLSearchParams({ grant_type: 'client_credentials', ...fields }).toString(),
      ...(shown && { with: shown }),
    })
  const tokenOf = async (fields: Record<string, string>, shown?: Certificate): Promise<string> => {
    const seen = await askToken(fields, shown)
    expect(seen.status, seen.text).toBe(200)
    return JSON.parse(seen.text).access_token
  }
  const claimsOf = (token: string) =>
    JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString())
  const bearer = (token: string) => ({ authorization: `Bearer ${token}` })

  it('are named in the metadata', async () => {
    for (const name of ['oauth-authorization-server', 'openid-configuration']) {
      const { text } = await send(`GET /.well-known/${name}`)
      expect(JSON.parse(text)).toMatchObject({
        tls_client_certificate_bound_access_tokens: true,
        token_endpoint_auth_methods_supported: [
          'client_secret_basic',
          'client_secret_post',
          'tls_client_auth',
          'self_signed_tls_client_auth',
        ],
      })
    }
  })

  it('stand in the place of a secret, and the token is bound to the one that was shown', async () => {
    for (const shown of [own, next]) {
      const token = await tokenOf({ client_id: 'by-certificate' }, shown)
      expect(claimsOf(token).cnf).toEqual({ 'x5t#S256': thumbprintOf(shown) })
    }
    expect(secrets.get('by-certificate'), 'nobody made a secret for it').toBe('')
  })

  it.each([
    ['no certificate', { client_id: 'by-certificate' }, undefined],
    ['a certificate of somebody else', { client_id: 'by-certificate' }, 'other'],
    [
      'its secret alone',
      { client_id: 'by-both', client_secret: 'a secret beside the certificate' },
      undefined,
    ],
    [
      'its secret and another certificate',
      { client_id: 'by-both', client_secret: 'a secret beside the certificate' },
      'other',
    ],
    [
      'its certificate and a wrong secret',
      { client_id: 'by-both', client_secret: 'guessed' },
      'own',
    ],
    ['a certificate where it has none', { client_id: 'by-secret' }, 'own'],
    ['a certificate of a client that is not there', { client_id: 'nobody' }, 'own'],
  ] as const)('give no token for %s', async (_, fields, which) => {
    const shown = which && { own, other }[which]
    const seen = await askToken(fields, shown)
    expect(seen.status).toBe(401)
    expect(JSON.parse(seen.text).error).toBe('invalid_client')
  })

  it('leave clients with secrets as they were, whatever certificate they show', async () => {
    for (const shown of [undefined, other]) {
      const token = await tokenOf(
        { client_id: 'demo-connector', client_secret: 'demo-connector-secret' },
        shown,
      )
      expect(claimsOf(token).cnf).toBe(undefined)
      expect((await send('GET /v2/jobs', { headers: bearer(token) })).status).toBe(200)
    }
  })

  it('are asked for by every door that takes a token', async () => {
    const token = await tokenOf({ client_id: 'by-certificate' }, own)
    const calls: [string, Sent][] = [
      ['GET /v2/jobs', {}],
      ['POST /v2/jobs/none/upload', {}],
      ['GET /v2/settings/analysiscodes', {}],
      [
        'POST /ProjectSettingsService.svc',
        { headers: soap, body: wsdlCall('GetOrganisationPriceList') },
      ],
    ]
    for (const [call, sent] of calls) {
      const headers = { ...sent.headers, ...bearer(token) }
      for (const shown of [undefined, other, next]) {
        const seen = await send(call, { ...sent, headers, ...(shown && { with: shown }) })
        expect([call, seen.status]).toEqual([call, 401])
        expect(String(seen.headers['www-authenticate'])).toContain('Bearer')
        expect(seen.text).toContain('certificate')
      }
      expect((await send(call, { ...sent, headers, with: own })).status, call).not.toBe(401)
    }
    const { headers } = await send('GET /v2/jobs', { headers: bearer(token) })
    expect(headers['www-authenticate']).toContain('error="invalid_token"')
  })

  it('are asked for beside HTTP Basic at the SOAP service too', async () => {
    const basic = Buffer.from('by-both:a secret beside the certificate').toString('base64')
    const call = {
      headers: { ...soap, authorization: `Basic ${basic}` },
      body: wsdlCall('GetOrganisationPriceList'),
    }
    expect((await send('POST /ProjectSettingsService.svc', call)).status).toBe(401)
    expect((await send('POST /ProjectSettingsService.svc', { ...call, with: other })).status).toBe(
      401,
    )
    expect(
      (await send('POST /ProjectSettingsService.svc', { ...call, with: own })).status,
    ).not.toBe(401)
  })

  it('hold over a resumed connection', async () => {
    const at = {
      port: Number(new URL(hub.url).port),
      host: '127.0.0.1',
      ca: server.cert,
      cert: own.cert,
      key: own.key,
    }
    const token = await tokenOf({ client_id: 'by-certificate' }, own)
    const call = `GET /v2/jobs HTTP/1.1\r\nhost: 127.0.0.1\r\nauthorization: Bearer ${token}\r\nconnection: close\r\n\r\n`
    for (const maxVersion of ['TLSv1.2', 'TLSv1.3'] as const) {
      let session: Buffer | undefined
      const once = (socket: TLSSocket): Promise<string> =>
        new Promise((resolve, reject) => {
          socket.on('session', (one: Buffer) => {
            session = one
          })
          let text = ''
          socket.setEncoding('utf8').on('data', (more: string) => {
            text += more
          })
          let reused = false
          socket.once('secureConnect', () => {
            reused = socket.isSessionReused()
            socket.write(call)
          })
          socket.on('error', reject).on('close', () => resolve(`${reused} ${text.slice(9, 12)}`))
        })
      expect(await once(connect({ ...at, maxVersion }))).toBe('false 200')
      expect(await once(connect({ ...at, maxVersion, session }))).toBe('true 200')
    }
  })

  it('work for curl and openssl as they come', async ({ skip }) => {
    skip(spawnSync('curl', ['--version']).status !== 0, 'curl is not installed')
    const curl = (...args: string[]): Promise<string> =>
      new Promise((resolve, reject) =>
        execFile('curl', ['-s', '--cacert', server.certPath, ...args], (error, out) =>
          error ? reject(error) : resolve(out),
        ),
      )
    const identity = ['--cert', own.certPath, '--key', own.keyPath]
    const ask = [
      '-d',
      'grant_type=client_credentials',
      '-d',
      'client_id=by-certificate',
      `${hub.url}/connect/token`,
    ]
    const { access_token: token } = JSON.parse(await curl(...identity, ...ask))
    const status = (...args: string[]) =>
      curl(
        '-o',
        '/dev/null',
        '-w',
        '%{http_code}',
        '-H',
        `Authorization: Bearer ${token}`,
        ...args,
        `${hub.url}/v2/jobs`,
      )
    expect(await status(...identity)).toBe('200')
    expect(await status()).toBe('401')
    const printed = execFileSync('openssl', [
      'x509',
      '-in',
      own.certPath,
      '-noout',
      '-fingerprint',
      '-sha256',
    ]).toString()
    const hex = printed.trim().split('=')[1]?.replaceAll(':', '') ?? ''
    expect(Buffer.from(hex, 'hex').toString('base64url')).toBe(claimsOf(token).cnf['x5t#S256'])
  })

  it('end with their thumbprint, and their tokens with them', async () => {
    const token = await tokenOf({ client_id: 'by-certificate' }, next)
    const call = () => send('GET /v2/jobs', { headers: bearer(token), with: next })
    expect((await call()).status).toBe(200)
    const set = (certificates: string[]) =>
      setClient(hub.inner, 'by-certificate', { certificates }, async () => undefined)
    await set([thumbprintOf(own)])
    expect((await call()).status).toBe(401)
    expect((await askToken({ client_id: 'by-certificate' }, next)).status).toBe(401)
    await set([])
    expect((await call()).status, 'a token of a certificate that was withdrawn').toBe(401)
    await set([thumbprintOf(next)])
    expect((await call()).status).toBe(200)
  })
})

it.skipIf(!hasOpenssl)(
  'certificates are asked for only where the operator turns it on',
  async () => {
    const folder = mkdtempSync(join(tmpdir(), 'dragoman-mtls-off-'))
    const { certPath, keyPath, cert } = makeCertificate(folder, 'localhost')
    const client = makeCertificate(folder, 'client')
    const hub = await startHub({ env: { DRAGOMAN_TLS_CERT: certPath, DRAGOMAN_TLS_KEY: keyPath } })
    const scopes = ['content'] as const
    const certificates = [thumbprintOf(client)]
    await enrolClient(hub.inner, {
      siteId: 'demo',
      clientId: 'by-certificate',
      scopes,
      certificates,
    })
    const send = (path: string, body?: string) =>
      new Promise<{ status: number; text: string }>((resolve, reject) => {
        const headers = { 'content-type': 'application/x-www-form-urlencoded' }
        const options = {
          ca: cert,
          cert: client.cert,
          key: client.key,
          agent: false,
          headers,
        } as const
        request(
          `${hub.url}${path}`,
          { ...options, method: body === undefined ? 'GET' : 'POST' },
          async (answer) =>
            resolve({
              status: answer.statusCode ?? 0,
              text: Buffer.concat(await answer.toArray()).toString(),
            }),
        )
          .on('error', reject)
          .end(body)
      })
    const about = JSON.parse((await send('/.well-known/oauth-authorization-server')).text)
    expect(about.tls_client_certificate_bound_access_tokens).toBe(undefined)
    expect(about.token_endpoint_auth_methods_supported).toEqual([
      'client_secret_basic',
      'client_secret_post',
    ])
    const form = 'grant_type=client_credentials&client_id=by-certificate'
    expect((await send('/connect/token', form)).status, 'closed rather than open').toBe(401)
    await hub.close()
    rmSync(folder, { recursive: true })
  },
)
