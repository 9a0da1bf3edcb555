/** Contract, section 12: clients, by an admin for its site and by an operator for the hub. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { enrolClient } from '../../packages/server/src/domain/sites/enrol-client.ts'
import { type Answer, databases, startHub, type TestHub } from '../hub.ts'
import { everything, run, type ScenarioCall } from '../scenario.ts'

type Client = {
  clientId: string
  siteId: string
  clientSecret?: string
  lastUsedDate?: string
  secrets: object[]
}
type Page = { clients: Client[]; pagination: { navNext?: string } }

describe.each(databases)('clients as calls on %s', (database) => {
  let hub: TestHub
  beforeAll(async () => {
    hub = await startHub({ database })
    const { secret } = await enrolClient(hub.inner, {
      siteId: 'elsewhere',
      clientId: 'far',
      scopes: ['admin'],
    })
    hub.secrets.set('far', secret)
  })
  afterAll(() => hub.close())

  const add = (body: object, as = 'demo-admin', headers = {}) =>
    hub.call<Client & { code: string }>('POST', '/v2/clients', { as, body, headers })
  const made = async (body: object, as?: string): Promise<Client> => {
    const answer = await add(body, as)
    expect([answer.status, answer.body]).toEqual([201, expect.objectContaining(body)])
    hub.secrets.set(answer.body.clientId, answer.body.clientSecret ?? '')
    return answer.body
  }
  const acts = async () =>
    (
      await hub.inner.db.read
        .selectFrom('audit')
        .selectAll()
        .orderBy('audit_id', 'desc')
        .limit(4)
        .execute()
    ).map(({ actor, client_id, site_id, thing, thing_id, verb }) => [
      actor,
      client_id,
      site_id,
      thing,
      thing_id,
      verb,
    ])

  it('are added by an admin, with everything that a change may set, and show their secret once', async () => {
    const body = {
      clientId: 'cms',
      scopes: ['content'],
      pageFormat: 'plain',
      rateLimit: 50,
      allowFrom: ['127.0.0.0/8'],
    }
    const client = await made({ ...body, quotas: { MaxReqsPerJob: 7 } })
    expect(client).toMatchObject({
      siteId: 'demo',
      disabled: false,
      providers: [],
      certificates: [],
    })
    expect(client.clientSecret).toMatch(/^drg_[\w-]{43}$/)
    expect((await acts())[0]).toEqual(['client', 'demo-admin', 'demo', 'client', 'cms', 'added'])
    const { status, body: found } = await hub.call<Client>('GET', '/v2/clients/cms', {
      as: 'demo-admin',
    })
    const { clientSecret, ...rest } = client
    expect([status, found]).toEqual([200, rest])
    expect((await hub.call('GET', '/v2/jobs', { as: 'cms' })).status).toBe(200)
    await hub.inner.db.ready()
    for (const table of ['calls', 'audit', 'idempotency', 'client_secrets'] as const)
      expect(
        JSON.stringify(await hub.inner.db.read.selectFrom(table).selectAll().execute()),
      ).not.toContain(clientSecret)
    expect(hub.logged()).not.toContain(clientSecret)
  })

  it('with an Idempotency-Key are added once; the stored answer is sealed', async () => {
    const headers = { 'idempotency-key': 'add-1' }
    const first = await add({ clientId: 'keyed', scopes: ['content'] }, 'demo-admin', headers)
    const again = await add({ clientId: 'keyed', scopes: ['content'] }, 'demo-admin', headers)
    expect([first.status, again.body]).toEqual([201, first.body])
    const stored = await hub.inner.db.read.selectFrom('idempotency').selectAll().execute()
    expect(stored.some(({ path }) => path === '/v2/clients')).toBe(true)
    expect(JSON.stringify(stored)).not.toContain(first.body.clientSecret)
  })

  it('are listed in pages, newest first: an admin sees its site, an operator all of them', async () => {
    const all = async (
      as: string,
      query: Record<string, string | number> = {},
    ): Promise<Client[]> => {
      const found: Client[] = []
      for (let navNext: string | undefined = ''; navNext !== undefined; ) {
        const asked: Record<string, string | number> = {
          pageSize: 2,
          ...query,
          ...(navNext && { navNext }),
        }
        const { status, body }: Answer<Page> = await hub.call<Page>('GET', '/v2/clients', {
          as,
          query: asked,
        })
        expect(status).toBe(200)
        expect(body.clients.length).toBeLessThanOrEqual(2)
        found.push(...body.clients)
        navNext = body.pagination.navNext
      }
      return found
    }
    const demo = await all('demo-admin')
    expect(new Set(demo.map(({ siteId }) => siteId))).toEqual(new Set(['demo']))
    expect(demo.map(({ clientId }) => clientId).slice(0, 2)).toEqual(['keyed', 'cms'])
    expect(new Set(demo.map(({ clientId }) => clientId)).size).toBe(demo.length)
    const hubs = await all('demo-operator')
    expect(new Set(hubs.map(({ siteId }) => siteId))).toEqual(new Set(['demo', 'elsewhere', '']))
    expect(
      (await all('demo-operator', { siteId: 'elsewhere' })).map(({ clientId }) => clientId),
    ).toEqual(['far'])
    // An admin cannot look further by naming another site.
    expect((await all('far', { siteId: 'demo' })).map(({ clientId }) => clientId)).toEqual(['far'])
    const { body } = await hub.call<Page>('GET', '/v2/clients', {
      as: 'demo-operator',
      query: { pageSize: 1 },
    })
    const foreign = await hub.call('GET', '/v2/clients', {
      as: 'demo-admin',
      query: { navNext: body.pagination.navNext ?? '' },
    })
    expect([foreign.status, foreign.body.code]).toEqual([400, 'INVALID_CURSOR'])
  })

  it('say when they last called, written at most once an hour', async () => {
    await made({ clientId: 'used', scopes: ['content'] })
    const lastUsed = async () =>
      (await hub.call<Client>('GET', '/v2/clients/used', { as: 'demo-operator' })).body.lastUsedDate
    expect(await lastUsed()).toBeUndefined()
    const use = async () => {
      expect((await hub.call('GET', '/v2/jobs', { as: 'used' })).status).toBe(200)
      await expect.poll(() => lastUsed()).toBeDefined()
    }
    await use()
    const first = await lastUsed()
    await hub.advance('50m')
    await use()
    // The next call is in the log by now, and so are those before it.
    const logged = () =>
      hub.inner.db.read
        .selectFrom('calls')
        .select('call_id')
        .where('client_id', '=', 'used')
        .execute()
    await expect.poll(async () => (await logged()).length).toBe(2)
    expect(await lastUsed()).toBe(first)
    await hub.advance('11m')
    await use()
    await expect.poll(() => lastUsed()).not.toBe(first)
    expect(Date.parse((await lastUsed()) ?? '') - Date.parse(first ?? '')).toBeGreaterThan(
      3_600_000,
    )
  })

  it('get a new secret; the old one ends with the overlap', async () => {
    const { clientSecret: old = '' } = await made({ clientId: 'turning', scopes: ['content'] })
    const rotate = (body?: object) =>
      hub.call<{ clientSecret: string; oldSecretsUntil: string }>(
        'POST',
        '/v2/clients/turning/rotate',
        {
          as: 'demo-admin',
          ...(body && { body }),
        },
      )
    const { status, body } = await rotate({ overlap: '2h' })
    expect([status, body]).toEqual([
      200,
      {
        clientId: 'turning',
        clientSecret: expect.stringMatching(/^drg_/),
        oldSecretsUntil: expect.any(String),
      },
    ])
    expect((await acts())[0]).toEqual([
      'client',
      'demo-admin',
      'demo',
      'client',
      'turning',
      'secret rotated',
    ])
    for (const secret of [old, body.clientSecret])
      expect(await hub.token('turning', secret)).toMatch(/^eyJ/)
    await hub.advance('3h')
    await expect(hub.token('turning', old)).rejects.toThrow('401')
    expect(await hub.token('turning', body.clientSecret)).toMatch(/^eyJ/)
    const { body: last } = await rotate({ overlap: '0s' })
    await expect(hub.token('turning', body.clientSecret)).rejects.toThrow('401')
    expect(await hub.token('turning', last.clientSecret)).toMatch(/^eyJ/)
    expect((await rotate()).status).toBe(200)
  })

  it('are removed with their tokens', async () => {
    await made({ clientId: 'leaving', scopes: ['content'] })
    expect((await hub.call('GET', '/v2/jobs', { as: 'leaving' })).status).toBe(200)
    const { status, body } = await hub.call('DELETE', '/v2/clients/leaving', { as: 'demo-admin' })
    expect([status, body.clientId]).toEqual([200, 'leaving'])
    expect((await acts())[0]).toEqual([
      'client',
      'demo-admin',
      'demo',
      'client',
      'leaving',
      'removed',
    ])
    expect((await hub.call('GET', '/v2/jobs', { as: 'leaving' })).status).toBe(401)
    expect((await hub.call('GET', '/v2/clients/leaving', { as: 'demo-admin' })).status).toBe(404)
  })

  it('are added by an operator to any site, which is created if it is new, and as other operators', async () => {
    await made(
      { clientId: 'second-admin', siteId: 'elsewhere', scopes: ['admin'] },
      'demo-operator',
    )
    await made({ clientId: 'pioneer', siteId: 'frontier', scopes: ['admin'] }, 'demo-operator')
    expect(await acts()).toContainEqual([
      'client',
      'demo-operator',
      'frontier',
      'client',
      'pioneer',
      'added',
    ])
    expect((await hub.call('GET', '/v2/jobs', { as: 'pioneer' })).status).toBe(200)
    const operator = await made(
      { clientId: 'second-operator', scopes: ['operator'] },
      'demo-operator',
    )
    expect(operator.siteId).toBe('')
    expect((await hub.call('GET', '/v2/clients/pioneer', { as: 'second-operator' })).status).toBe(
      200,
    )
  })

  it('stay: the last admin of a site and the last operator, also if two are taken at once', async () => {
    const change = (clientId: string, as: string, body: object) =>
      hub.call('PATCH', `/v2/clients/${clientId}`, { as, body })
    expect((await change('second-operator', 'demo-operator', { disabled: true })).status).toBe(200)
    for (const last of [
      await change('demo-operator', 'demo-operator', { disabled: true }),
      await hub.call('DELETE', '/v2/clients/demo-operator', { as: 'demo-operator' }),
    ])
      expect([last.status, last.body.code]).toEqual([409, 'LAST_OPERATOR'])
    await change('second-operator', 'demo-operator', { disabled: false })
    const both = await Promise.all(
      ['far', 'second-admin'].map((clientId) =>
        hub.call('DELETE', `/v2/clients/${clientId}`, { as: 'demo-operator' }),
      ),
    )
    expect(both.map(({ status }) => status).sort()).toEqual([200, 409])
    expect(both.find(({ status }) => status === 409)?.body.code).toBe('LAST_ADMIN')
    await made({ clientId: 'far', siteId: 'elsewhere', scopes: ['admin'] }, 'demo-operator').catch(
      () => {},
    )
  })

  const rows: ScenarioCall[] = [
    { name: 'a connector that lists', call: 'GET /v2/clients', as: 'demo-connector', status: 403 },
    {
      name: "another site's client",
      call: 'GET /v2/clients/pioneer',
      status: 404,
      code: 'CLIENT_NOT_FOUND',
    },
    { name: "another site's client, removed", call: 'DELETE /v2/clients/pioneer', status: 404 },
    {
      name: "another site's client, rotated",
      call: 'POST /v2/clients/pioneer/rotate',
      body: {},
      status: 404,
    },
    { name: 'an operator client for an admin', call: 'GET /v2/clients/demo-operator', status: 404 },
    { name: 'an unknown client', call: 'GET /v2/clients/nobody', as: 'demo-operator', status: 404 },
    {
      name: 'an id that is no name',
      call: 'GET /v2/clients/-x',
      status: 400,
      code: 'INVALID_PARAMETER',
    },
    {
      name: 'the last admin',
      call: 'DELETE /v2/clients/demo-admin',
      status: 409,
      code: 'LAST_ADMIN',
    },
    {
      name: 'a taken id',
      call: 'POST /v2/clients',
      body: { clientId: 'pioneer', scopes: ['content'] },
      status: 409,
      code: 'CLIENT_EXISTS',
    },
    {
      name: 'no id',
      call: 'POST /v2/clients',
      body: { scopes: ['content'] },
      status: 400,
      code: 'INVALID_REQUEST',
    },
    { name: 'no scope', call: 'POST /v2/clients', body: { clientId: 'x1' }, status: 400 },
    {
      name: 'an operator made by an admin',
      call: 'POST /v2/clients',
      body: { clientId: 'x1', scopes: ['operator'] },
      status: 403,
      says: /only an operator adds an operator/,
    },
    {
      name: 'an operator by a change of an admin',
      call: 'PATCH /v2/clients/cms',
      body: { scopes: ['operator'] },
      status: 400,
    },
    {
      name: 'a client in another site',
      call: 'POST /v2/clients',
      body: { clientId: 'x1', scopes: ['content'], siteId: 'elsewhere' },
      status: 403,
      says: /its own site/,
    },
    {
      name: 'an operator that names no site',
      call: 'POST /v2/clients',
      as: 'demo-operator',
      body: { clientId: 'x1', scopes: ['content'] },
      status: 400,
      says: /siteId is missing/,
    },
    {
      name: 'an operator in a site',
      call: 'POST /v2/clients',
      as: 'demo-operator',
      body: { clientId: 'x1', siteId: 'new-one', scopes: ['operator'] },
      status: 400,
    },
    {
      name: 'an unknown provider',
      call: 'POST /v2/clients',
      body: { clientId: 'x1', scopes: ['provider'], providers: ['nobody'] },
      status: 404,
      code: 'PROVIDER_NOT_FOUND',
    },
    {
      name: 'a bad network',
      call: 'POST /v2/clients',
      body: { clientId: 'x1', scopes: ['content'], allowFrom: ['here'] },
      status: 400,
    },
    {
      name: 'a bad overlap',
      call: 'POST /v2/clients/cms/rotate',
      body: { overlap: 'soon' },
      status: 400,
      says: /90s, 5m, 2h or 3d/,
    },
  ]
  it.each(rows)('refuses $name and changes nothing', async (row) => {
    const before = await everything(hub)
    await run(hub, { as: 'demo-admin', ...row })
    expect(await everything(hub)).toBe(before)
  })
})

describe('the bootstrap client', () => {
  it('is an operator if DRAGOMAN_BOOTSTRAP_SCOPE says so', async () => {
    const hub = await startHub({
      profile: 'staging',
      env: { DRAGOMAN_BOOTSTRAP_SCOPE: 'operator' },
    })
    try {
      const { status, body } = await hub.call<Page>('GET', '/v2/clients', { as: 'first-admin' })
      expect([status, body.clients]).toEqual([
        200,
        [expect.objectContaining({ clientId: 'first-admin', siteId: '', scopes: ['operator'] })],
      ])
    } finally {
      await hub.close()
    }
  })
})
