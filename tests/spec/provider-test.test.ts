/**
 * A provider is tried out, and its config is read and changed without its secrets; for each type,
 * on both databases.
 */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { enrolClient } from '../../packages/server/src/domain/sites/enrol-client.ts'
import { databases, startHub, type TestHub } from '../hub.ts'
import { everything, run } from '../scenario.ts'
import { startEngine, type TranslationEngine } from '../translation-engine.ts'

type Body = Record<string, unknown>

const admin = 'demo-admin'
const apiKey = 'key-that-nobody-may-see'

describe.each(databases)('the test of a provider on %s', (database) => {
  let hub: TestHub
  let engine: TranslationEngine
  beforeAll(async () => {
    hub = await startHub({ database })
    engine = await startEngine()
  })
  afterAll(async () => {
    await hub.close()
    await engine.close()
  })
  beforeEach(() => engine.be())

  const call = (method: string, path: string, body?: unknown, as = admin) =>
    hub.call<Body>(method, `/v2${path}`, { as, ...(body !== undefined && { body }) })
  const create = async (typeId: string, config: Body = {}): Promise<string> => {
    const made = await call('POST', '/providers', { name: typeId, typeId, config })
    expect(made.status, JSON.stringify(made.body)).toBe(201)
    return String(made.body.id)
  }
  const test = (providerId: string, body?: Body) =>
    call('POST', `/providers/${providerId}/test`, body)

  it('lets pseudo-translation translate a sentence', async () => {
    const found = await test(await create('pseudo'), { text: 'Hello {name}' })
    expect(found.status).toBe(200)
    expect(found.body).toMatchObject({
      works: true,
      text: 'Hello {name}',
      translation: expect.stringContaining('{name}'),
    })
    expect(found.body.durationMs).toEqual(expect.any(Number))
  })

  it('lets an engine translate, and tells the pair', async () => {
    const providerId = await create('machine-translation', { url: engine.url, apiKey })
    const found = await test(providerId, {
      text: 'Hello',
      sourceNativeLanguageCode: 'en-us',
      targetNativeLanguageCode: 'fr-fr',
    })
    expect(found.body).toMatchObject({
      works: true,
      translation: 'HELLO',
      targetNativeLanguageCode: 'fr-fr',
    })
    expect(engine.calls).toMatchObject([{ source: 'en', target: 'fr', api_key: apiKey }])
    expect((await test(providerId)).body).toMatchObject({
      works: true,
      text: expect.stringContaining('fox'),
    })
  })

  it('says clearly why an engine does not work, and never shows its key', async () => {
    const providerId = await create('machine-translation', {
      url: engine.url,
      apiKey,
      timeoutSeconds: 1,
    })
    engine.be(() => ({ status: 403, body: { error: `wrong key ${apiKey}` } }))
    const refused = await test(providerId)
    expect([refused.status, refused.body.works]).toEqual([200, false])
    expect(refused.body.error).toMatch(/returned 403: wrong key …/)
    engine.be(() => 'breaks')
    expect((await test(providerId)).body).toMatchObject({
      works: false,
      error: expect.stringMatching(/could not be reached/),
    })
    engine.be(() => 'waits')
    expect((await test(providerId)).body).toMatchObject({
      works: false,
      error: expect.stringMatching(/within 1 s/),
    })
    const closed = await create('machine-translation', { url: 'http://127.0.0.1:9' })
    expect((await test(closed)).body).toMatchObject({
      works: false,
      error: expect.stringMatching(/refused/),
    })
  })

  it.each(['manual', 'api'])('finds the clients that deliver for %s', async (typeId) => {
    const providerId = await create(typeId)
    expect((await test(providerId)).body).toMatchObject({
      works: false,
      clients: [],
      error: expect.any(String),
    })
    const clientId = `agency-${typeId}`
    await call('POST', '/clients', { clientId, scopes: ['provider'], providers: [providerId] })
    expect((await test(providerId)).body).toMatchObject({ works: true, clients: [{ clientId }] })
    await call('PATCH', `/clients/${clientId}`, { disabled: true })
    expect((await test(providerId)).body).toMatchObject({ works: false, clients: [] })
  })

  it('writes nothing but its line of the audit log', async () => {
    const providerId = await create('pseudo')
    const without = async () => JSON.stringify({ ...JSON.parse(await everything(hub)), audit: [] })
    const before = await without()
    await test(providerId)
    expect(await without()).toBe(before)
    const { body } = await call('GET', `/audit?thing=provider&thingId=${providerId}`)
    expect((body.audit as Body[])[0]).toMatchObject({ verb: 'tested', thingId: providerId })
  })

  it('refuses others, other sites, and what is no language', async () => {
    const { secret } = await enrolClient(hub.inner, {
      siteId: 'other',
      clientId: 'other-admin',
      scopes: ['admin'],
    })
    hub.secrets.set('other-admin', secret)
    const providerId = await create('pseudo')
    const path = `/v2/providers/${providerId}/test`
    const body = {}
    await run(hub, {
      name: 'a connector',
      call: `POST ${path}`,
      body,
      status: 403,
      code: 'FORBIDDEN',
    })
    await run(hub, {
      name: 'another site',
      call: `POST ${path}`,
      as: 'other-admin',
      body,
      status: 404,
    })
    await run(hub, {
      name: 'its config',
      call: `GET /v2/providers/${providerId}/config`,
      as: 'other-admin',
      status: 404,
    })
    await run(hub, {
      name: 'a connector',
      call: `GET /v2/providers/${providerId}/config`,
      status: 403,
    })
    const wrong = { targetNativeLanguageCode: 'klingonish' }
    await run(hub, {
      name: 'no language',
      call: `POST ${path}`,
      as: admin,
      body: wrong,
      status: 400,
      code: 'INVALID_LANGUAGE',
    })
  })

  it('shows the config without its secrets, and keeps them through a change', async () => {
    const providerId = await create('machine-translation', {
      url: engine.url,
      apiKey,
      batchSize: 5,
    })
    const config = await call('GET', `/providers/${providerId}/config`)
    expect(config.body).toEqual({
      providerId,
      config: { url: engine.url, batchSize: 5 },
      secrets: ['apiKey'],
    })
    const change = (body: Body) => call('PATCH', `/providers/${providerId}`, body)
    expect(
      (await change({ config: { url: engine.url, batchSize: 7 }, keepSecrets: true })).status,
    ).toBe(200)
    await test(providerId)
    expect(engine.calls.at(-1)?.api_key).toBe(apiKey)
    await change({ config: { url: engine.url } })
    expect((await call('GET', `/providers/${providerId}/config`)).body.secrets).toEqual([])
  })

  it('does not send a secret to another host', async () => {
    const providerId = await create('machine-translation', { url: engine.url, apiKey })
    const before = await everything(hub)
    const moved = await call('PATCH', `/providers/${providerId}`, {
      config: { url: 'http://127.0.0.1:9/' },
      keepSecrets: true,
    })
    expect([moved.status, moved.body.details]).toEqual([
      400,
      [{ path: 'config/apiKey', message: expect.stringMatching(/send it again/) }],
    ])
    expect(await everything(hub)).toBe(before)
  })

  it('names every fault of a config at its field', async () => {
    const { status, body } = await call('POST', '/providers', {
      name: 'x',
      typeId: 'machine-translation',
      config: { batchSize: 'many', format: 'pdf' },
    })
    expect(status).toBe(400)
    expect((body.details as { path: string }[]).map(({ path }) => path).sort()).toEqual([
      'config/batchSize',
      'config/format',
      'config/url',
    ])
  })
})
