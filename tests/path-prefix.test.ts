/**
 * The hub below a path of its public URL, behind a real nginx that takes the prefix away or passes
 * it on.
 */
import { connect, sourceOf } from '@dragoman/sdk'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { freePort } from './free-port.ts'
import { startHub, type TestHub } from './hub.ts'
import { hasNginx, type Nginx, startNginx } from './nginx.ts'

if (!hasNginx)
  process.stderr.write(
    'SKIPPED: behind a path prefix, because nginx is not installed (Debian: nginx-light)\n',
  )

/** `to` is what stands behind the hub's address in proxy_pass: a slash takes the prefix away. */
const site = (port: number, hubUrl: string, to: string): string => `client_max_body_size 0;
  server { listen 127.0.0.1:${port}; location /hub/ { proxy_pass ${hubUrl}${to}; proxy_set_header Host $http_host; } }`

describe.skipIf(!hasNginx).each([
  ['takes the prefix away', '/'],
  ['passes the prefix on', ''],
])('behind an nginx that %s', (_, to) => {
  let hub: TestHub
  let url: string
  let nginx: Nginx
  beforeAll(async () => {
    const port = await freePort()
    url = `http://127.0.0.1:${port}/hub`
    hub = await startHub({ env: { DRAGOMAN_PUBLIC_URL: url } })
    nginx = await startNginx(port, () => site(port, hub.url.replace(/\/hub$/, ''), to))
  })
  afterAll(async () => {
    await nginx?.stop()
    await hub?.close()
  })
  const token = async (): Promise<Record<string, string>> => {
    const body = new URLSearchParams({
      grant_type: 'client_credentials',
      client_id: 'demo-connector',
      client_secret: 'demo-connector-secret',
    })
    const answer = await fetch(`${url}/connect/token`, { method: 'POST', body })
    return {
      authorization: `Bearer ${((await answer.json()) as { access_token: string }).access_token}`,
    }
  }

  it('every link of the pages leads to a page', async () => {
    for (const page of ['/', '/docs']) {
      const text = await (await fetch(url + page)).text()
      const links = [...text.matchAll(/href="(\/[^"]*)"/g)].map(([, path = '']) => path)
      expect(links.length).toBeGreaterThan(2)
      for (const link of links) expect(link).toMatch(/^\/hub\//)
      // Of the docs, one page of each kind; tests/docs-site follows them all.
      const kinds = new Map(
        links.map((link) => [page === '/' ? link : link.split('/').slice(0, 4).join('/'), link]),
      )
      for (const link of kinds.values())
        expect((await fetch(new URL(link, url))).status, link).toBe(200)
    }
  })

  it('the OpenAPI document and discovery name the prefix', async () => {
    const document = (await (await fetch(`${url}/openapi.json`)).json()) as { servers: unknown }
    expect(document.servers).toEqual([{ url }])
    const about = (await (await fetch(`${url}/.well-known/openid-configuration`)).json()) as Record<
      string,
      string
    >
    expect(about.issuer).toBe(url)
    expect(about.token_endpoint).toBe(`${url}/connect/token`)
    expect((await fetch(about.jwks_uri ?? '')).status).toBe(200)
  })

  it('links of pages, Link headers and TUS locations carry it and can be followed', async () => {
    const headers = await token()
    for (let made = 0; made < 2; made += 1)
      await hub.call('POST', '/v2/jobs', { as: 'demo-connector', body: { jobName: 'x' } })
    const list = await fetch(`${url}/v2/jobs?pageSize=1`, { headers })
    const { _links: links } = (await list.json()) as {
      _links: { self: { href: string }; next: { href: string } }
    }
    expect(links.self.href).toBe('/hub/v2/jobs?pageSize=1')
    expect((await fetch(new URL(links.next.href, url), { headers })).status).toBe(200)
    const locations: string[] = []
    const connection = connect({
      url,
      clientId: 'demo-connector',
      clientSecret: 'demo-connector-secret',
      fetch: async (input, init) => {
        const answer = await fetch(input, init)
        if (answer.status === 201) locations.push(answer.headers.get('location') ?? '')
        return answer
      },
    })
    const { jobId } = await connection.createJob({ body: { jobName: 'files' } })
    const old = await fetch(`${url}/v2/jobs/${jobId}/statusupdates`, { headers })
    expect([old.status, old.headers.get('link')]).toEqual([
      200,
      '</hub/v2/statusupdates>; rel="successor-version"',
    ])
    const bytes = new Uint8Array(1_200_000).fill(97)
    const { fmsFileId } = await connection.upload(jobId, sourceOf('large.txt', bytes))
    expect(fmsFileId).toBeTruthy()
    const redirect = await fetch(`${url}/v2/jobs/${jobId}/sourcefiles/${fmsFileId}`, {
      headers,
      redirect: 'manual',
    })
    expect(redirect.headers.get('location')).toMatch(new RegExp(`^${url}/fms/files/`))
    expect((await (await connection.download({ jobId, fmsFileId })).bytes()).length).toBe(
      bytes.length,
    )
    expect(locations.filter((one) => one.includes('/fms/tus/'))).toEqual([
      expect.stringMatching(/^\/hub\/fms\/tus\//),
    ])
  })
})

it('a path that only begins like the prefix is not taken for it', async () => {
  const hub = await startHub({ env: { DRAGOMAN_PUBLIC_URL: 'http://127.0.0.1/hub' } })
  try {
    expect((await hub.call('GET', '/hubris/healthz')).status).toBe(404)
    expect((await hub.call('GET', '/hub/healthz')).status).toBe(200)
    expect((await hub.call('GET', '/healthz')).status).toBe(200)
  } finally {
    await hub.close()
  }
})

it('a public URL with a path of the hub itself stops the start', async () => {
  await expect(
    startHub({ env: { DRAGOMAN_PUBLIC_URL: 'https://example.org/v2/' } }),
  ).rejects.toThrow(
    /^DRAGOMAN_PUBLIC_URL is "https:\/\/example\.org\/v2", but \/v2\/\S+ is a path of the hub itself, .* use another path, such as \/hub\.$/,
  )
  const hub = await startHub({ env: { DRAGOMAN_PUBLIC_URL: 'http://127.0.0.1/v2x' } })
  expect((await hub.call('GET', '/v2x/v2/jobs', { as: 'demo-connector' })).status).toBe(200)
  await hub.close()
})
