/** Contract, section 12: a new signing key now, and the tokens of the old ones revoked. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { databases } from '../hub.ts'
import { everything, run, type ScenarioCall } from '../scenario.ts'
import { type Nodes, startNodes } from '../two-nodes.ts'

type Rotated = { keyId: string; createdDate: string; revokedKeys: number }

describe.each(databases)('signing keys on %s', (database) => {
  let nodes: Nodes
  beforeAll(async () => {
    nodes = await startNodes(database)
  })
  afterAll(() => nodes.close())

  const rotate = (body?: object) =>
    nodes.hub.call<Rotated>('POST', '/v2/keys/rotate', {
      as: 'demo-operator',
      ...(body && { body }),
    })
  const kidOf = (token: string): string =>
    JSON.parse(Buffer.from(token.split('.')[0] ?? '', 'base64url').toString()).kid
  const tokenAt = async (url: string): Promise<string> => {
    const form = {
      grant_type: 'client_credentials',
      client_id: 'demo-admin',
      client_secret: 'demo-admin-secret',
    }
    const answer = await fetch(`${url}/connect/token`, {
      method: 'POST',
      body: new URLSearchParams(form),
    })
    return ((await answer.json()) as { access_token: string }).access_token
  }
  const statuses = (token: string) =>
    Promise.all(
      nodes.urls.map(async (url) => {
        const answer = await fetch(`${url}/v2/jobs`, {
          headers: { authorization: `Bearer ${token}` },
        })
        return answer.status
      }),
    )
  const published = async () => {
    const { body } = await nodes.hub.call<{ keys: { kid: string }[] }>(
      'GET',
      '/.well-known/jwks.json',
    )
    return body.keys.map(({ kid }) => kid)
  }
  const all = (status: number) => nodes.urls.map(() => status)

  it('are rotated now: every node signs with the new one, and old tokens stay valid', async () => {
    const old = await Promise.all(nodes.urls.map(tokenAt))
    const { status, body } = await rotate()
    expect([status, body]).toEqual([
      200,
      { keyId: expect.any(String), createdDate: expect.any(String), revokedKeys: 0 },
    ])
    for (const url of nodes.urls) expect(kidOf(await tokenAt(url))).toBe(body.keyId)
    for (const token of old) {
      expect(kidOf(token)).not.toBe(body.keyId)
      expect(await statuses(token)).toEqual(all(200))
    }
    expect(await published()).toEqual(expect.arrayContaining([body.keyId, kidOf(old[0] ?? '')]))
    const act = await nodes.hub.inner.db.read
      .selectFrom('audit')
      .selectAll()
      .where('thing_id', '=', body.keyId)
      .execute()
    expect(act).toMatchObject([
      { actor: 'client', client_id: 'demo-operator', thing: 'signing key', verb: 'made' },
    ])
  })

  it('are revoked with their tokens, here at once and on other nodes within seconds', async () => {
    const old = await tokenAt(nodes.urls[0] ?? '')
    expect(await statuses(old)).toEqual(all(200))
    const { body } = await rotate({ revoke: true })
    expect(body.revokedKeys).toBeGreaterThan(0)
    expect((await statuses(old))[0]).toBe(401)
    for (const url of nodes.urls) expect(kidOf(await tokenAt(url))).toBe(body.keyId)
    await nodes.advance('6s')
    expect(await statuses(old)).toEqual(all(401))
    expect(await statuses(await tokenAt(nodes.urls.at(-1) ?? ''))).toEqual(all(200))
    expect(await published()).toEqual([body.keyId])
    const acts = await nodes.hub.inner.db.read
      .selectFrom('audit')
      .selectAll()
      .where('verb', '=', 'revoked')
      .execute()
    expect(acts.map(({ thing_id }) => thing_id)).toContain(kidOf(old))
  })

  const rows: ScenarioCall[] = [
    { name: 'an admin', call: 'POST /v2/keys/rotate', as: 'demo-admin', body: {}, status: 403 },
    {
      name: 'a connector',
      call: 'POST /v2/keys/rotate',
      as: 'demo-connector',
      body: {},
      status: 403,
    },
    {
      name: 'a word for revoke',
      call: 'POST /v2/keys/rotate',
      body: { revoke: 'yes' },
      status: 400,
    },
  ]
  it.each(rows)('are not rotated by $name', async (row) => {
    const before = await everything(nodes.hub)
    await run(nodes.hub, { as: 'demo-operator', ...row })
    expect(await everything(nodes.hub)).toBe(before)
  })
})
