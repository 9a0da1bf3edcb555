/**
 * Contract, sections 11 and 12: what a client may do, changed by an admin of its site and at the
 * command line.
 */
import { request } from 'node:http'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { setClient } from '../../packages/server/src/domain/access/change-client.ts'
import { mustFindProvider } from '../../packages/server/src/domain/engines/providers.ts'
import { enrolClient } from '../../packages/server/src/domain/sites/enrol-client.ts'
import { databases, startHub, type TestHub } from '../hub.ts'
import { everything, run, type ScenarioCall } from '../scenario.ts'

describe.each(databases)('clients on %s', (database) => {
  let hub: TestHub
  const path = '/v2/clients/worker'
  beforeAll(async () => {
    hub = await startHub({ database })
    for (const [clientId, siteId, scopes] of [
      ['worker', 'demo', ['content']],
      ['far', 'elsewhere', ['admin']],
    ] as const) {
      const { secret } = await enrolClient(hub.inner, { siteId, clientId, scopes: [...scopes] })
      hub.secrets.set(clientId, secret)
    }
  })
  afterAll(() => hub.close())

  const patch = (body: object, as = 'demo-admin') => hub.call('PATCH', path, { as, body })
  const quotaOf = async (name: string) =>
    (
      await hub.call<{ quotas: { name: string; value: number }[] }>('GET', '/v2/quota', {
        as: 'worker',
      })
    ).body.quotas.find((one) => one.name === name)?.value

  it('have their quotas raised by name, and given back', async () => {
    const raised = await patch({ quotas: { MaxReqsPerJob: 3, MaxFilesPerJob: 7 } })
    expect(raised).toMatchObject({
      status: 200,
      body: { clientId: 'worker', quotas: { MaxReqsPerJob: 3 } },
    })
    expect([await quotaOf('MaxReqsPerJob'), await quotaOf('MaxFilesPerJob')]).toEqual([3, 7])
    const { body: job } = await hub.call('POST', '/v2/jobs', {
      as: 'worker',
      body: { jobName: 'Four' },
    })
    const requests = [1, 2].map((at) => ({
      requestName: `r${at}`,
      sourceNativeId: String(at),
      sourceNativeLanguageCode: 'en-us',
      targetNativeLanguageCodes: ['de-de', 'fr-fr'],
      fields: [{ key: 'a', value: 'b' }],
    }))
    const add = () =>
      hub.call('POST', `/v2/jobs/${job.jobId}/requests/add`, { as: 'worker', body: { requests } })
    expect(await add()).toMatchObject({
      status: 409,
      body: { code: 'QUOTA_EXCEEDED', quota: { name: 'MaxReqsPerJob', limit: 3, used: 0 } },
    })
    expect((await patch({ quotas: { MaxReqsPerJob: null } })).body.quotas).toEqual({
      MaxFilesPerJob: 7,
    })
    expect(await quotaOf('MaxReqsPerJob')).toBe(2_000)
    expect((await add()).status).toBe(201)
  })

  it('have their scopes, providers and page format changed', async () => {
    const { body } = await hub.call<{ providers: { id: string; name: string }[] }>(
      'GET',
      '/v2/providers',
      {
        as: 'demo-admin',
      },
    )
    const manual = body.providers.find(({ name }) => name === 'Manual')?.id
    const change = {
      scopes: ['content', 'provider'],
      providers: [manual, manual],
      pageFormat: 'plain',
    }
    expect((await patch(change)).body).toMatchObject({ ...change, providers: [manual] })
    const token = await hub.token('worker')
    const headers = { authorization: `Bearer ${token}` }
    expect((await hub.call('GET', `/v2/providers/${manual}/jobs`, { headers })).status).toBe(200)
    expect(Object.keys((await hub.call<object>('GET', '/v2/jobs', { headers })).body)).toEqual([
      'pagination',
      'jobs',
    ])
    expect(
      (await patch({ scopes: ['content'], providers: [], pageFormat: 'full' })).body.providers,
    ).toEqual([])
    expect((await hub.call('GET', `/v2/providers/${manual}/jobs`, { headers })).status).toBe(403)
  })

  it('are disabled and enabled', async () => {
    expect((await patch({ disabled: true })).body.disabled).toBe(true)
    expect((await hub.call('GET', '/v2/jobs', { as: 'worker' })).status).toBe(401)
    expect((await patch({ disabled: false })).body.disabled).toBe(false)
    expect((await hub.call('GET', '/v2/jobs', { as: 'worker' })).status).toBe(200)
  })

  const bad: ScenarioCall[] = [
    {
      name: 'an unknown quota',
      call: `PATCH ${path}`,
      body: { quotas: { MaxFun: 1 } },
      status: 400,
    },
    {
      name: 'a negative quota',
      call: `PATCH ${path}`,
      body: { quotas: { MaxReqsPerJob: -1 } },
      status: 400,
    },
    { name: 'no scope at all', call: `PATCH ${path}`, body: { scopes: [] }, status: 400 },
    { name: 'an unknown scope', call: `PATCH ${path}`, body: { scopes: ['root'] }, status: 400 },
    {
      name: 'providers without the scope',
      call: `PATCH ${path}`,
      body: { providers: ['x'] },
      status: 400,
    },
    {
      name: 'an unknown provider',
      call: `PATCH ${path}`,
      body: { scopes: ['provider'], providers: ['nobody'] },
      status: 404,
      code: 'PROVIDER_NOT_FOUND',
    },
    {
      name: 'no network',
      call: `PATCH ${path}`,
      body: { allowFrom: ['somewhere'] },
      status: 400,
      says: /192\.0\.2\.0\/24/,
    },
    {
      name: 'an unknown client',
      call: 'PATCH /v2/clients/nobody',
      body: {},
      status: 404,
      code: 'CLIENT_NOT_FOUND',
    },
    {
      name: "another site's client",
      call: 'PATCH /v2/clients/far',
      body: {},
      status: 404,
      code: 'CLIENT_NOT_FOUND',
    },
    {
      name: 'the last admin',
      call: 'PATCH /v2/clients/far',
      as: 'far',
      body: { scopes: ['content'] },
      status: 409,
    },
    {
      name: 'the last admin off',
      call: 'PATCH /v2/clients/far',
      as: 'far',
      body: { disabled: true },
      status: 409,
    },
    { name: 'a connector', call: `PATCH ${path}`, as: 'demo-connector', body: {}, status: 403 },
  ]
  it.each(bad)('refuses $name and changes nothing', async (row) => {
    const before = await everything(hub)
    await run(hub, { as: 'demo-admin', ...row })
    expect(await everything(hub)).toBe(before)
  })

  /** By node:http, because fetch cannot choose the address a call comes from. */
  const from = (
    address: string,
    method: string,
    way: string,
    headers: Record<string, string>,
    body?: string,
  ) =>
    new Promise<number>((resolve, reject) => {
      const call = request(
        new URL(way, hub.url),
        { method, headers, localAddress: address },
        (answer) => {
          answer.resume().on('end', () => resolve(answer.statusCode ?? 0))
        },
      )
      call.on('error', reject).end(body)
    })

  it('may be slowed down wherever they call from', async () => {
    const headers = { authorization: `Bearer ${await hub.token('worker')}` }
    await setClient(hub.inner, 'worker', { rateLimit: 1 }, mustFindProvider)
    const calls = Array.from({ length: 40 }, (_, at) =>
      from(`127.0.0.${1 + (at % 4)}`, 'GET', '/v2/quota', headers),
    )
    const statuses = await Promise.all(calls)
    expect(new Set(statuses)).toEqual(new Set([200, 429]))
    const others = await Promise.all(
      [1, 2, 3].map(() => hub.call('GET', '/v2/quota', { as: 'demo-connector' })),
    )
    expect(others.map(({ status }) => status)).toEqual([200, 200, 200])
    await setClient(hub.inner, 'worker', { rateLimit: 0 }, mustFindProvider)
    expect((await hub.call('GET', '/v2/quota', { headers })).status).toBe(200)
  })

  it('may be bound to networks, on every door', async () => {
    const token = await hub.token('worker')
    const secret = hub.secrets.get('worker') ?? ''
    const bearer = { authorization: `Bearer ${token}` }
    const form = `grant_type=client_credentials&client_id=worker&client_secret=${encodeURIComponent(secret)}`
    const formType = { 'content-type': 'application/x-www-form-urlencoded' }
    const basic = { authorization: `Basic ${Buffer.from(`worker:${secret}`).toString('base64')}` }
    const statuses = async (address: string) => [
      await from(address, 'GET', '/v2/jobs', bearer),
      await from(address, 'POST', '/connect/token', formType, form),
      await from(
        address,
        'POST',
        '/ProjectSettingsService.svc',
        { ...basic, 'content-type': 'text/xml' },
        '<a/>',
      ),
    ]
    await setClient(
      hub.inner,
      'worker',
      { scopes: ['content', 'settings'], allowFrom: ['127.0.0.1', '2001:db8::/32'] },
      mustFindProvider,
    )
    expect(await statuses('127.0.0.2')).toEqual([403, 403, 403])
    expect((await statuses('127.0.0.1')).slice(0, 2)).toEqual([200, 200])
    await setClient(hub.inner, 'worker', { allowFrom: [] }, mustFindProvider)
    expect((await statuses('127.0.0.2')).slice(0, 2)).toEqual([200, 200])
  })
})
