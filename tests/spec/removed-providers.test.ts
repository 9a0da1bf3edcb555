/** A provider is removed only if nothing refers to it. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { databases, startHub, type TestHub } from '../hub.ts'

describe.each(databases)('removing a provider on %s', (database) => {
  let hub: TestHub
  const as = 'demo-admin'
  beforeAll(async () => {
    hub = await startHub({ database })
  })
  afterAll(() => hub.close())
  const create = async (): Promise<string> => {
    const { body } = await hub.call('POST', '/v2/providers', {
      as,
      body: { name: 'P', typeId: 'manual' },
    })
    return String(body.id)
  }
  const remove = (id: string) => hub.call('DELETE', `/v2/providers/${id}`, { as })

  it('removes one that was never used, once', async () => {
    const id = await create()
    for (const other of ['demo-connector', 'demo-provider', 'demo-settings'])
      expect((await hub.call('DELETE', `/v2/providers/${id}`, { as: other })).status, other).toBe(
        403,
      )
    expect(await remove(id)).toMatchObject({ status: 200, body: { id, name: 'P' } })
    expect(await remove(id)).toMatchObject({ status: 404, body: { code: 'PROVIDER_NOT_FOUND' } })
    expect((await hub.call('GET', `/v2/providers/${id}`, { as })).status).toBe(404)
  })

  type Using = (id: string) => Promise<unknown>
  const call = (method: string, path: string, body: Record<string, unknown>) =>
    hub.call(method, `/v2${path}`, { as, body })
  const uses: readonly [string, Using][] = [
    ['a job has it', (id) => call('POST', '/jobs', { jobName: 'x', providerId: id })],
    ['a rule of the routing names it', (id) => putRules([{ name: 'x', providerId: id }])],
    [
      'a client works for it',
      (id) =>
        call('POST', '/clients', { clientId: `c${id}`, scopes: ['provider'], providers: [id] }),
    ],
    [
      'a person works for it',
      (id) =>
        call('POST', '/people', {
          email: `${id}@example.org`,
          name: 'x',
          sites: [{ siteId: 'demo', roles: ['translator'], providers: [id] }],
        }),
    ],
    [
      'a listener names it',
      (id) => call('POST', '/listeners', { jobUri: 'http://127.0.0.1:9/x', providerId: id }),
    ],
  ]
  const putRules = async (rules: unknown[]) => {
    const { body } = await hub.call('GET', '/v2/settings/routing', { as })
    return call('PUT', '/settings/routing', { version: body.version, rules })
  }

  it.each(uses)('is refused because %s', async (because, use) => {
    const id = await create()
    expect(await use(id)).toMatchObject({ status: expect.toSatisfy((code) => code < 300) })
    const { status, body } = await remove(id)
    expect([status, body.code]).toEqual([409, 'PROVIDER_IN_USE'])
    expect(body.message).toBe(
      `Provider ${id} cannot be removed: ${because}. Disable it, so that it gets no new jobs.`,
    )
    expect((await hub.call('GET', `/v2/providers/${id}`, { as })).status).toBe(200)
  })
})
