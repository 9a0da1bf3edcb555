/** RFC 7009 (contract, section 12): a client takes back a token before it expires. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { databases, startHub, type TestHub } from '../hub.ts'
import { startNodes } from '../two-nodes.ts'

describe.each(databases)('revocation on %s', (database) => {
  let hub: TestHub
  beforeAll(async () => {
    hub = await startHub({ database })
  })
  afterAll(() => hub.close())

  const connector = { client_id: 'demo-connector', client_secret: 'demo-connector-secret' }
  const post = async (
    form: Record<string, string> | string,
    headers: Record<string, string> = {},
  ) => {
    const body = typeof form === 'string' ? form : new URLSearchParams(form)
    const answer = await fetch(`${hub.url}/connect/revocation`, { method: 'POST', body, headers })
    const text = await answer.text()
    return {
      status: answer.status,
      headers: answer.headers,
      body: text === '' ? {} : JSON.parse(text),
    }
  }
  const statusWith = async (token: string) =>
    (await hub.call('GET', '/v2/jobs', { headers: { authorization: `Bearer ${token}` } })).status

  it('ends a token everywhere, and no other one', async () => {
    const [first, second] = [await hub.token('demo-connector'), await hub.token('demo-connector')]
    expect([await statusWith(first), await statusWith(second)]).toEqual([200, 200])
    const { status, headers } = await post({
      ...connector,
      token: first,
      token_type_hint: 'access_token',
    })
    expect([status, headers.get('cache-control')]).toEqual([200, 'no-store'])
    expect([await statusWith(first), await statusWith(second)]).toEqual([401, 200])
    const act = await hub.inner.db.read
      .selectFrom('audit')
      .selectAll()
      .where('thing', '=', 'token')
      .execute()
    expect(act).toMatchObject([
      { actor: 'client', client_id: 'demo-connector', site_id: 'demo', verb: 'revoked' },
    ])
    expect(JSON.stringify(act)).not.toContain('eyJ')
    // Again, and with Basic: as good as done.
    const basic = `Basic ${Buffer.from('demo-connector:demo-connector-secret').toString('base64')}`
    expect((await post({ token: first }, { authorization: basic })).status).toBe(200)
    expect(await statusWith(first)).toBe(401)
  })

  it('of a token that is unknown, damaged or expired answers 200', async () => {
    const old = await hub.token('demo-connector')
    for (const token of ['none', 'eyJ.eyJ.x', `${old.slice(0, -4)}AAAA`])
      expect([token, (await post({ ...connector, token })).status]).toEqual([token, 200])
    expect(await statusWith(old)).toBe(200)
    await hub.advance('2h')
    expect((await post({ ...connector, token: old })).status).toBe(200)
  })

  it('is refused with the codes of the RFC', async () => {
    const token = await hub.token('demo-admin')
    const refused = async (form: Record<string, string>) => {
      const { status, body } = await post(form)
      return [status, body.error]
    }
    expect(await refused({ ...connector })).toEqual([400, 'invalid_request'])
    expect(await refused({ token })).toEqual([401, 'invalid_client'])
    expect(await refused({ ...connector, client_secret: 'wrong', token })).toEqual([
      401,
      'invalid_client',
    ])
    expect(await refused({ ...connector, token })).toEqual([400, 'unauthorized_client'])
    expect(await statusWith(token)).toBe(200)
    const json = await post('{}', { 'content-type': 'application/json' })
    expect([json.status, json.body.error]).toEqual([400, 'invalid_request'])
    const get = await fetch(`${hub.url}/connect/revocation`)
    expect([get.status, get.headers.get('allow')]).toEqual([405, 'POST'])
  })

  it('slows guessers down like the token endpoint', async () => {
    const guess = () => post({ client_id: 'demo-settings', client_secret: 'wrong', token: 'x' })
    const statuses: number[] = []
    for (let at = 0; at < 30 && !statuses.includes(429); at += 1)
      statuses.push((await guess()).status)
    expect(statuses.at(-1)).toBe(429)
  })

  it('is in the metadata', async () => {
    const { body } = await hub.call('GET', '/.well-known/oauth-authorization-server')
    expect(body).toMatchObject({
      revocation_endpoint: `${hub.url}/connect/revocation`,
      revocation_endpoint_auth_methods_supported: ['client_secret_basic', 'client_secret_post'],
    })
  })

  it('is forgotten when the token has expired anyway', async () => {
    const token = await hub.token('demo-connector')
    await post({ ...connector, token })
    const rows = () => hub.inner.db.read.selectFrom('revoked').select('name').execute()
    expect((await rows()).length).toBeGreaterThan(0)
    await hub.advance('26h')
    expect(await rows()).toEqual([])
    expect(await statusWith(token)).toBe(401)
  })
})

describe.each(databases)('revocation with two nodes on %s', (database) => {
  it('is known to the other node within seconds', async () => {
    const nodes = await startNodes(database)
    try {
      const token = await nodes.hub.token('demo-connector')
      const headers = { authorization: `Bearer ${token}` }
      const statuses = () =>
        Promise.all(
          nodes.urls.map(async (url) => (await fetch(`${url}/v2/jobs`, { headers })).status),
        )
      expect(new Set(await statuses())).toEqual(new Set([200]))
      const form = { client_id: 'demo-connector', client_secret: 'demo-connector-secret', token }
      const first = nodes.urls[0] ?? ''
      await fetch(`${first}/connect/revocation`, {
        method: 'POST',
        body: new URLSearchParams(form),
      })
      expect((await fetch(`${first}/v2/jobs`, { headers })).status).toBe(401)
      await nodes.advance('6s')
      expect(new Set(await statuses())).toEqual(new Set([401]))
    } finally {
      await nodes.close()
    }
  })
})
