/** The hub's own TLS, as openssl sees it from outside. */
import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { request } from 'node:https'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { connect } from '@dragoman/sdk'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Certificate, hasOpenssl, makeCertificate, noOpenssl } from './certificates.ts'
import { startHub, type TestHub } from './hub.ts'

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'dragoman-tls-'))
})
afterAll(() => rmSync(folder, { recursive: true }))

const tlsEnv = ({ certPath, keyPath }: Certificate) => ({
  DRAGOMAN_TLS_CERT: certPath,
  DRAGOMAN_TLS_KEY: keyPath,
})

/** What openssl agrees on with the hub, or `none`. */
function agree(hub: TestHub, ...args: string[]): Promise<string> {
  const at = ['s_client', '-connect', new URL(hub.url).host, '-brief', ...args]
  return new Promise((resolve) => {
    const child = execFile('openssl', at, (_error, out, said) => {
      const suite = /^Ciphersuite: (\S+)$/m.exec(out + said)?.[1]
      resolve(suite === undefined || suite === '(NONE)' ? 'none' : suite)
    })
    child.stdin?.end()
  })
}

if (!hasOpenssl) process.stderr.write(`SKIPPED: TLS of the hub, because ${noOpenssl}\n`)

describe.skipIf(!hasOpenssl).each(['rsa', 'ec'] as const)(
  'with a certificate of kind %s',
  (kind) => {
    let hub: TestHub
    beforeAll(async () => {
      hub = await startHub({ env: tlsEnv(makeCertificate(folder, `localhost-${kind}`, kind)) })
    })
    afterAll(() => hub.close())

    it('TLS 1.2 has suites with forward secrecy and without CBC, and no other', async () => {
      const by = kind === 'rsa' ? 'RSA' : 'ECDSA'
      const good = ['AES128-GCM-SHA256', 'AES256-GCM-SHA384', 'CHACHA20-POLY1305'].map(
        (name) => `ECDHE-${by}-${name}`,
      )
      const agreeOn = (suites: string) => agree(hub, '-tls1_2', '-cipher', `${suites}:@SECLEVEL=0`)
      expect(await Promise.all(good.map(agreeOn))).toEqual(good)
      const others = [
        'AES128-GCM-SHA256',
        'AES256-SHA256',
        `ECDHE-${by}-AES128-SHA256`,
        `ECDHE-${by}-AES256-SHA`,
      ]
      for (const suite of others) expect(await agreeOn(suite), suite).toBe('none')
      expect(
        await agreeOn(`ALL:COMPLEMENTOFALL:!${good.join(':!')}`),
        'everything else that openssl has',
      ).toBe('none')
    })

    it('TLS 1.3 has its three, and nothing older than 1.2 is spoken', async () => {
      const three = [
        'TLS_AES_128_GCM_SHA256',
        'TLS_AES_256_GCM_SHA384',
        'TLS_CHACHA20_POLY1305_SHA256',
      ]
      expect(
        await Promise.all(three.map((suite) => agree(hub, '-tls1_3', '-ciphersuites', suite))),
      ).toEqual(three)
      for (const version of ['-tls1', '-tls1_1'])
        expect(await agree(hub, version, '-cipher', 'ALL:@SECLEVEL=0'), version).toBe('none')
    })
  },
)

it.skipIf(!hasOpenssl)('a certificate that nobody signed is told with what to do', async () => {
  const hub = await startHub({ env: tlsEnv(makeCertificate(folder, 'localhost-own')) })
  const { port } = new URL(hub.url)
  const own = connect({
    url: `https://localhost:${port}`,
    clientId: 'a',
    clientSecret: 'b',
    retry: { tries: 1 },
  })
  await expect(own.listJobs()).rejects.toThrow(
    /cannot be reached: (?:DEPTH_ZERO_SELF_SIGNED_CERT|UNABLE_TO_VERIFY_LEAF_SIGNATURE|SELF_SIGNED_CERT_IN_CHAIN)\. .*NODE_EXTRA_CA_CERTS/,
  )
  await hub.close()
})

describe.skipIf(!hasOpenssl)('Strict-Transport-Security', () => {
  const headerOf = (url: string): Promise<unknown> =>
    new Promise((resolve, reject) => {
      request(url, { rejectUnauthorized: false, agent: false }, (answer) =>
        resolve(answer.resume().headers['strict-transport-security']),
      )
        .on('error', reject)
        .end()
    })
  const year = 'max-age=31536000'

  it('goes with every answer of a hub that does TLS itself, refusals and file bytes too', async () => {
    const hub = await startHub({
      profile: 'production',
      env: tlsEnv(makeCertificate(folder, 'localhost')),
    })
    for (const path of [
      '/',
      '/healthz',
      '/v2/jobs',
      '/nowhere',
      '/fms/tus/none',
      '/ProjectSettingsService.svc?wsdl',
    ])
      expect(await headerOf(hub.url + path), path).toBe(year)
    await hub.close()
  })

  it('goes with the answers of a hub whose public URL is https, and of no other', async () => {
    const seen = async (profile: string, env: Record<string, string>) => {
      const hub = await startHub({ profile, env })
      const answer = await fetch(`${hub.url}/healthz`)
      await hub.close()
      return answer.headers.get('strict-transport-security')
    }
    expect(await seen('production', { DRAGOMAN_PUBLIC_URL: 'https://hub.example.org' })).toBe(year)
    expect(await seen('production', { DRAGOMAN_PUBLIC_URL: 'http://hub.example.org' })).toBe(null)
    expect(await seen('production', {})).toBe(null)
  })

  it('never goes out from the sandbox: it would hold for all of localhost', async () => {
    const hub = await startHub({ env: tlsEnv(makeCertificate(folder, 'localhost')) })
    expect(await headerOf(`${hub.url}/healthz`)).toBe(undefined)
    await hub.close()
  })
})
