/** Specification: Provider, Quota; contract, sections 2, 4 and 11 (Provider types). */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { databases, startHub, type TestHub } from '../hub.ts'
import { everything, run, type ScenarioCall } from '../scenario.ts'

type Provider = Record<string, unknown> & { id: string }

describe.each(databases)('providers on %s', (database) => {
  let hub: TestHub
  const admin = 'demo-admin'
  beforeAll(async () => {
    hub = await startHub({ database })
  })
  afterAll(() => hub.close())

  const providers = async (as = 'demo-connector') =>
    (await hub.call<{ providers: Provider[] }>('GET', '/v2/providers', { as })).body.providers
  const create = async (body: Record<string, unknown>) =>
    hub.call<Provider>('POST', '/v2/providers', {
      as: admin,
      body: { name: 'P', typeId: 'manual', ...body },
    })

  it('a sandbox has Pseudo and Manual, in both spellings', async () => {
    const found = await providers()
    expect(found.map((one) => one.name)).toEqual(['Pseudo', 'Manual'])
    for (const one of found)
      expect(one).toMatchObject({
        providerId: one.id,
        providerName: one.name,
        siteId: 'demo',
        status: 'ENABLED',
      })
    expect(found[0]?.capabilities).toMatchObject({
      supportUpdateTM: expect.any(Boolean),
      supportQuote: expect.any(Boolean),
    })
    expect((await providers('demo-provider')).map((one) => one.name)).toEqual(['Pseudo', 'Manual'])
  })

  it('shows the types it can drive, each with the schema of its config', async () => {
    const { body } = await hub.call<{ providertypes: { typeId: string }[] }>(
      'GET',
      '/v2/providers/types',
      {
        as: 'demo-connector',
      },
    )
    expect(body.providertypes.map((one) => one.typeId)).toEqual(
      expect.arrayContaining(['pseudo', 'manual']),
    )
    const one = await hub.call('GET', '/v2/providers/types/pseudo', { as: 'demo-connector' })
    expect(one.body).toMatchObject({
      typeId: 'pseudo',
      name: expect.any(String),
      description: expect.any(String),
      configSchema: {},
    })
    expect(
      (await hub.call('GET', '/v2/providers/types/nothing', { as: 'demo-connector' })).status,
    ).toBe(404)
  })

  it('is created and changed by an admin, and enabled and disabled by its status', async () => {
    const made = await create({ name: 'Agency', extendedMetadataSchema: { type: 'object' } })
    expect(made.status).toBe(201)
    expect(made.body).toMatchObject({
      name: 'Agency',
      typeId: 'manual',
      ExtendedMetadataSchema: { type: 'object' },
    })
    const path = `/v2/providers/${made.body.id}`
    expect(
      (await hub.call('PATCH', path, { as: admin, body: { status: 'DISABLED' } })).body.status,
    ).toBe('DISABLED')
    expect(
      (await hub.call('PATCH', path, { as: admin, body: { name: 'Bureau' } })).body,
    ).toMatchObject({
      name: 'Bureau',
      status: 'DISABLED',
    })
    expect((await hub.call('GET', path, { as: 'demo-connector' })).body).toMatchObject({
      name: 'Bureau',
      status: 'DISABLED',
    })
  })

  const schema = (extendedMetadataSchema: unknown) => ({
    name: 'P',
    typeId: 'manual',
    extendedMetadataSchema,
  })
  const bad: ScenarioCall[] = [
    {
      name: 'a connector that creates',
      call: 'POST /v2/providers',
      as: 'demo-connector',
      body: { name: 'P', typeId: 'manual' },
      status: 403,
      code: 'FORBIDDEN',
    },
    {
      name: 'a provider that creates',
      call: 'POST /v2/providers',
      as: 'demo-provider',
      body: { name: 'P', typeId: 'manual' },
      status: 403,
      code: 'FORBIDDEN',
    },
    {
      name: 'an unknown type',
      call: 'POST /v2/providers',
      body: { name: 'P', typeId: 'magic' },
      status: 400,
      says: /pseudo/,
    },
    {
      name: 'a config that does not fit',
      call: 'POST /v2/providers',
      body: { name: 'P', typeId: 'manual', config: { x: 1 } },
      status: 400,
    },
    { name: 'no name', call: 'POST /v2/providers', body: { typeId: 'manual' }, status: 400 },
    {
      name: 'an unknown provider',
      call: 'GET /v2/providers/nope',
      status: 404,
      code: 'PROVIDER_NOT_FOUND',
    },
    {
      name: 'a schema that is none',
      call: 'POST /v2/providers',
      body: schema({ type: 'rubbish' }),
      status: 400,
    },
    { name: 'a schema of text', call: 'POST /v2/providers', body: schema('x'), status: 400 },
    {
      name: 'a remote reference',
      call: 'POST /v2/providers',
      body: schema({ $ref: 'http://127.0.0.1:1/x' }),
      status: 400,
      says: /references/,
    },
    {
      name: 'a remote reference inside',
      call: 'POST /v2/providers',
      body: schema({ properties: { a: { $ref: 'file:///etc/passwd' } } }),
      status: 400,
    },
    {
      name: '$data',
      call: 'POST /v2/providers',
      body: schema({ properties: { a: { minimum: { $data: '1/b' } } } }),
      status: 400,
    },
    {
      name: 'a pattern that backtracks',
      call: 'POST /v2/providers',
      body: schema({ properties: { a: { pattern: '^(a+)+$' } } }),
      status: 400,
      says: /pattern/,
    },
    {
      name: 'a pattern that backtracks by choice',
      call: 'POST /v2/providers',
      body: schema({ properties: { a: { pattern: '^(a|a)*$' } } }),
      status: 400,
      says: /pattern/,
    },
    {
      name: 'such a pattern for names',
      call: 'POST /v2/providers',
      body: schema({ patternProperties: { '(x+x+)+y': {} } }),
      status: 400,
      says: /pattern/,
    },
    {
      name: 'a broken pattern',
      call: 'POST /v2/providers',
      body: schema({ properties: { a: { pattern: '(' } } }),
      status: 400,
    },
    {
      name: 'a schema too large',
      call: 'POST /v2/providers',
      body: schema({ description: 'x'.repeat(65_536) }),
      status: 413,
    },
    {
      name: 'a schema too deep',
      call: 'POST /v2/providers',
      body: schema(JSON.parse(`${'{"not":'.repeat(33)}{}${'}'.repeat(33)}`)),
      status: 400,
    },
  ]
  it.each(bad)('refuses $name and changes nothing', async (row) => {
    const before = await everything(hub)
    await run(hub, { as: admin, ...row })
    expect(await everything(hub)).toBe(before)
  })

  it('refuses an unknown status', async () => {
    const [one] = await providers()
    expect(
      (await hub.call('PATCH', `/v2/providers/${one?.id}`, { as: admin, body: { status: 'ON' } }))
        .status,
    ).toBe(400)
  })

  it("a job's metadata must fit the schema of its provider as soon as one is known", async () => {
    const { body: provider } = await create({
      extendedMetadataSchema: {
        type: 'object',
        required: ['cost'],
        properties: { cost: { type: 'number' } },
      },
    })
    const as = 'demo-connector'
    const job = { jobName: 'M', providerId: provider.id }
    const wrong = await hub.call('POST', '/v2/jobs', {
      as,
      body: { ...job, extendedMetadata: { cost: 'x' } },
    })
    expect([wrong.status, wrong.body.code, wrong.body.field]).toEqual([
      400,
      'METADATA_INVALID',
      'extendedMetadata/cost',
    ])
    const right = await hub.call('POST', '/v2/jobs', {
      as,
      body: { ...job, extendedMetadata: { cost: 1 } },
    })
    expect(right.status).toBe(201)
    const changed = await hub.call('PATCH', `/v2/jobs/${right.body.jobId}`, {
      as,
      body: { extendedMetadata: { cost: 'x' } },
    })
    expect(changed.body.code).toBe('METADATA_INVALID')
    const plain = await hub.call('POST', '/v2/jobs', {
      as,
      body: { jobName: 'N', extendedMetadata: {} },
    })
    const moved = await hub.call('PATCH', `/v2/jobs/${plain.body.jobId}`, {
      as,
      body: { providerId: provider.id },
    })
    expect(moved.body.code).toBe('METADATA_INVALID')
  })

  it('names every quota with its value', async () => {
    const { body } = await hub.call<{ quotas: { name: string; value: number }[] }>(
      'GET',
      '/v2/quota',
      {
        as: 'demo-connector',
      },
    )
    expect(Object.fromEntries(body.quotas.map((one) => [one.name, one.value]))).toEqual({
      MaxStatusUpdatesPerSite: 10_000,
      MaxReqsPerJob: 2_000,
      MaxSupportAssetsPerJob: 1_000,
      MaxCommentsPerJob: 10_000,
      MaxFilesPerJob: 1_000,
      MaxBytesPerSite: 1024 ** 4,
      MaxOpenTransfersPerJob: 5_000,
      MaxSourceContentsPerJob: 10_000,
      MaxTmUpdatesPerJob: 1_000,
      MaxProviderListeners: 10,
      MaxProvidersPerSite: 1_000,
      MaxOpenImportsPerSite: 10,
      MaxTermsPerSite: 100_000,
      MaxTermBytesPerSite: 32 * 1024 ** 2,
      MaxAnalysisCodesPerSite: 10_000,
      MaxPriceListsPerSite: 10_000,
    })
  })
})
