/**
 * deploy/nginx/dragoman.conf as it stands, in a real nginx over TLS: only addresses and places of
 * files are replaced. Behind it are one node that answers and one that is gone.
 */
import { randomBytes } from 'node:crypto'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import type { IncomingHttpHeaders } from 'node:http'
import { Agent, request } from 'node:https'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Certificate, hasOpenssl, makeCertificate, noOpenssl } from '../certificates.ts'
import { freePort } from '../free-port.ts'
import { startHub, type TestHub } from '../hub.ts'
import { until } from '../hub-place.ts'
import { hasNginx, type Nginx, startNginx } from '../nginx.ts'

const site = readFileSync(join(import.meta.dirname, '../../deploy/nginx/dragoman.conf'), 'utf8')
const nodes = readFileSync(join(import.meta.dirname, '../../deploy/nginx/nodes.conf'), 'utf8')
if (!hasNginx)
  process.stderr.write(
    'SKIPPED: deploy/nginx, because nginx is not installed (Debian: nginx-light)\n',
  )

/** Each text must be there. */
const replaced = (text: string, pairs: readonly (readonly [string, string])[]): string =>
  pairs.reduce((now, [from, to]) => {
    expect(now, `${from} is in the file`).toContain(from)
    return now.replaceAll(from, to)
  }, text)

if (!hasOpenssl) process.stderr.write(`SKIPPED: deploy/nginx, because ${noOpenssl}\n`)

describe.skipIf(!hasNginx || !hasOpenssl)('the nginx site', () => {
  let hub: TestHub
  let nginx: Nginx
  let folder: string
  let certificate: Certificate
  let agent: Agent
  let url: string
  let plainUrl: string
  let auth: Record<string, string>

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'dragoman-site-'))
    certificate = makeCertificate(folder, 'localhost')
    agent = new Agent({ ca: certificate.cert, keepAlive: true })
    const [port, plainPort, nobody] = [await freePort(), await freePort(), await freePort()]
    url = `https://127.0.0.1:${port}/hub`
    plainUrl = `http://127.0.0.1:${plainPort}/hub`
    hub = await startHub({ env: { DRAGOMAN_PUBLIC_URL: url, DRAGOMAN_TRUST_PROXY: 'loopback' } })
    const node = new URL(hub.url).host
    const own = (place: string) =>
      replaced(nodes, [
        [
          'server 127.0.0.1:8080 max_fails=1 fail_timeout=2s;',
          `server 127.0.0.1:${nobody} max_fails=1 fail_timeout=2s; server ${node} max_fails=1 fail_timeout=2s;`,
        ],
      ]) +
      replaced(site, [
        ['listen [::]:80;\n', '\n'],
        ['listen [::]:443 ssl;\n', '\n'],
        ['listen 80;', `listen 127.0.0.1:${plainPort};`],
        ['listen 443 ssl;', `listen 127.0.0.1:${port} ssl;`],
        ['/etc/nginx/tls/fullchain.pem', certificate.certPath],
        ['/etc/nginx/tls/privkey.pem', certificate.keyPath],
        ['/var/log/nginx/dragoman.log', `${place}/access.log`],
        ['/var/cache/nginx-dragoman', `${place}/files`],
        ['/var/www/acme', folder],
      ])
    nginx = await startNginx(port, own)
    const form = new URLSearchParams({
      grant_type: 'client_credentials',
      client_id: 'demo-connector',
    })
    form.set('client_secret', 'demo-connector-secret')
    const { body } = await ask(
      'POST',
      '/connect/token',
      { 'content-type': 'application/x-www-form-urlencoded' },
      `${form}`,
    )
    auth = { authorization: `Bearer ${body.access_token}` }
  })
  afterAll(async () => {
    agent?.destroy()
    await nginx?.stop()
    await hub?.close()
    rmSync(folder, { recursive: true, force: true })
  })

  type Got = {
    status: number
    headers: IncomingHttpHeaders
    bytes: Buffer
    body: Record<string, never>
  }
  const ask = (
    method: string,
    to: string,
    headers: Record<string, string> = {},
    sent?: string | Buffer,
  ): Promise<Got> =>
    new Promise((resolve, reject) => {
      const target = to.startsWith('/') ? url + to : to
      const call = request(target, { method, agent, headers }, async (answer) => {
        const bytes = Buffer.concat(await answer.toArray())
        const isJson = answer.headers['content-type']?.includes('json')
        const body = isJson ? (JSON.parse(bytes.toString()) as Got['body']) : {}
        resolve({ status: answer.statusCode ?? 0, headers: answer.headers, bytes, body })
      })
      call.on('error', reject).end(sent)
    })
  const json = { 'content-type': 'application/json' }

  /** A job with a transfer object for one file. */
  const begin = async () => {
    const { jobId } = (await ask('POST', '/v2/jobs', { ...auth, ...json }, '{"jobName":"x"}')).body
    const { status, body } = await ask('POST', `/v2/jobs/${jobId}/sourcefiles?fileName=a.bin`, auth)
    expect(status).toBe(201)
    const { fmsFileId, fmsSASToken, fmsUploadUrl, fmsPostMultipartUrl } = body as unknown as Record<
      string,
      string
    >
    return {
      jobId,
      fmsFileId,
      token: fmsSASToken ?? '',
      tus: fmsUploadUrl ?? '',
      multipart: fmsPostMultipartUrl ?? '',
    }
  }
  type Begun = Awaited<ReturnType<typeof begin>>
  const download = async ({ jobId, fmsFileId }: Begun, headers: Record<string, string> = {}) => {
    const { status, headers: told } = await ask(
      'GET',
      `/v2/jobs/${jobId}/sourcefiles/${fmsFileId}`,
      auth,
    )
    expect([status, told.location?.startsWith(`${url}/fms/files/`)]).toEqual([307, true])
    return ask('GET', told.location ?? '', headers)
  }
  const tusHeaders = ({ token }: Begun) => ({ sastoken: token, 'tus-resumable': '1.0.0' })
  const beginTus = async (begun: Begun, length: number): Promise<string> => {
    const made = await ask('POST', begun.tus, {
      ...tusHeaders(begun),
      'upload-length': String(length),
    })
    expect([made.status, made.headers.location?.startsWith('/hub/fms/tus/')]).toEqual([201, true])
    return new URL(made.headers.location ?? '', url).href
  }
  const patchHeaders = (begun: Begun, offset: number) => ({
    ...tusHeaders(begun),
    'content-type': 'application/offset+octet-stream',
    'upload-offset': String(offset),
  })

  it('sends plain HTTP to TLS, and the path without a slash to the start page', async () => {
    const plain = await fetch(`${plainUrl}/v2/jobs?pageSize=1`, { redirect: 'manual' })
    expect([plain.status, plain.headers.get('location')]).toEqual([
      308,
      'https://127.0.0.1/hub/v2/jobs?pageSize=1',
    ])
    expect((await ask('GET', url)).headers.location).toBe('https://127.0.0.1/hub/')
    const page = await ask('GET', '/')
    expect([page.status, page.bytes.toString().includes('href="/hub/docs"')]).toEqual([200, true])
  })

  it('answers the challenge of an authority over plain HTTP', async () => {
    mkdirSync(join(folder, '.well-known/acme-challenge'), { recursive: true })
    writeFileSync(join(folder, '.well-known/acme-challenge/proof'), 'mine')
    const asked = await fetch(new URL('/.well-known/acme-challenge/proof', plainUrl), {
      redirect: 'manual',
    })
    expect([asked.status, await asked.text()]).toEqual([200, 'mine'])
  })

  it('keeps files of the console, one copy for each encoding, and nothing else', async () => {
    const page = (await ask('GET', '/docs')).bytes.toString()
    const [path = ''] = /\/console\/assets\/[\w.-]+\.js/.exec(page) ?? []
    const got = async (encoding: string) => {
      const { status, headers, bytes } = await ask('GET', path, { 'accept-encoding': encoding })
      return [status, headers['x-cache'], headers['content-encoding'], bytes.length > 0]
    }
    expect(await got('br')).toEqual([200, 'MISS', 'br', true])
    expect(await got('br')).toEqual([200, 'HIT', 'br', true])
    expect(await got('identity')).toEqual([200, 'MISS', undefined, true])
    expect(await got('identity')).toEqual([200, 'HIT', undefined, true])
    // Asked of the node that is gone, too.
    for (const time of [1, 2])
      expect([time, (await ask('GET', '/console/assets/nothing.js')).headers['x-cache']]).toEqual([
        time,
        'MISS',
      ])
    for (const other of ['/', '/docs', '/v2/jobs'])
      expect((await ask('GET', other, auth)).headers['x-cache']).toBeUndefined()
  })

  it('takes a direct upload and gives it back, whole and in part', async () => {
    const begun = await begin()
    const bytes = randomBytes(3_000_000)
    const head = '--edge\r\ncontent-disposition: form-data; name="file"; filename="a.bin"\r\n\r\n'
    const form = Buffer.concat([Buffer.from(head), bytes, Buffer.from('\r\n--edge--\r\n')])
    const sent = await ask(
      'POST',
      begun.multipart,
      { 'content-type': 'multipart/form-data; boundary=edge' },
      form,
    )
    expect(sent.status).toBe(201)
    expect((await download(begun)).bytes.equals(bytes)).toBe(true)
    const part = await download(begun, { range: 'bytes=1000-1999' })
    expect([part.status, part.bytes.equals(bytes.subarray(1_000, 2_000))]).toEqual([206, true])
  })

  it('passes a TUS upload on as it arrives: what came before an interruption is kept', async () => {
    const begun = await begin()
    const bytes = randomBytes(4_000_000)
    const upload = await beginTus(begun, bytes.length)
    const headers = { ...patchHeaders(begun, 0), 'content-length': String(bytes.length) }
    const broken = request(upload, { method: 'PATCH', agent: false, ca: certificate.cert, headers })
    broken.on('error', () => {})
    // Enough that nginx must have read most of it when the last write is taken.
    await new Promise<void>((resolve) =>
      broken.write(bytes.subarray(0, 3_000_000), () => resolve()),
    )
    broken.destroy()
    const offset = await until('bytes that the hub has kept', async () =>
      Number((await ask('HEAD', upload, tusHeaders(begun))).headers['upload-offset']),
    )
    const rest = await ask('PATCH', upload, patchHeaders(begun, offset), bytes.subarray(offset))
    expect([rest.status, rest.headers['upload-offset']]).toEqual([204, String(bytes.length)])
    expect((await download(begun)).bytes.equals(bytes)).toBe(true)
  })

  it('leaves the refusal of a large body to the hub, whose answer callers understand', async () => {
    const { jobId } = await begin()
    const large = Buffer.alloc(17 * 1024 ** 2, 32)
    const refused = await ask('POST', `/v2/jobs/${jobId}/requests/add`, { ...auth, ...json }, large)
    expect([refused.status, refused.headers['content-type']]).toEqual([
      413,
      expect.stringContaining('application/json'),
    ])
  })

  it('tells the hub the address of the caller, whatever the caller claims', async () => {
    const traceId = `forwarded-${Date.now()}`
    const claims = {
      'x-forwarded-for': '203.0.113.9',
      'x-forwarded-host': 'evil.example',
      forwarded: 'for=203.0.113.9',
    }
    expect(
      (await ask('GET', '/v2/jobs', { ...auth, ...claims, 'x-request-id': traceId })).status,
    ).toBe(200)
    const row = await until('the row of the call', () =>
      hub.inner.db.read
        .selectFrom('calls')
        .selectAll()
        .where('trace_id', '=', traceId)
        .executeTakeFirst(),
    )
    expect(row.address).toBe('127.0.0.1')
    expect(nginx.read('access.log')).toContain(traceId)
  })

  it('asks the other node when one is gone', async () => {
    const statuses = await Promise.all(
      Array.from({ length: 20 }, async () => (await ask('GET', '/v2/jobs', auth)).status),
    )
    expect(new Set(statuses)).toEqual(new Set([200]))
  })

  it('logs no signature and no upload token', async () => {
    const log = nginx.read('access.log')
    expect(log).toMatch(/"GET \/hub\/fms\/files\/\S+" 20[06] /)
    expect(log).not.toMatch(/sig=|token=|\?/)
  })
})
