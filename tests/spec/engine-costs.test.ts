/**
 * Contract, section 14: what an engine costs is reserved before each call; when a limit is reached,
 * work waits, and nothing fails.
 */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import {
  countSaved,
  mustHaveRoom,
  reserve,
} from '../../packages/server/src/domain/engines/drivers/engine-costs.ts'
import { databases, startHub, type TestHub } from '../hub.ts'
import { startEngine, type TranslationEngine } from '../translation-engine.ts'

type JsonObject = Record<string, unknown>
type Request = {
  statusCode: string
  hasError: boolean
  lastTry?: { message: string; nextTime: string }
}
type Usage = {
  unit: string
  estimated: number
  billed?: number
  savedByMemory: number
  requests: number
}

const as = 'demo-connector'
const admin = 'demo-admin'
const day = 86_400_000

describe.each(databases)('costs of engines on %s', (database) => {
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

  const call = async <T = JsonObject>(who: string, method: string, path: string, body?: unknown) =>
    hub.call<T>(method, `/v2${path}`, { as: who, ...(body !== undefined && { body }) })
  const provider = async (limits?: JsonObject, url = engine.url): Promise<string> => {
    const body = {
      name: 'Engine',
      typeId: 'machine-translation',
      config: { url },
      ...(limits && { limits }),
    }
    const made = await call(admin, 'POST', '/providers', body)
    expect(made.status, JSON.stringify(made.body)).toBe(201)
    expect(made.body.limits).toEqual(limits)
    return String(made.body.id)
  }
  /** A job of one text for each value, sent and worked on. */
  const translate = async (providerId: string, ...values: string[]): Promise<string> => {
    const jobId = String((await call(as, 'POST', '/jobs', { jobName: 'MT' })).body.jobId)
    for (const value of values) {
      const request = {
        requestName: 'kv',
        sourceNativeId: 's',
        sourceNativeLanguageCode: 'en-us',
        targetNativeLanguageCodes: ['de-de'],
        fields: [{ key: 'a', value }],
      }
      expect((await call(as, 'POST', `/jobs/${jobId}/requests/add`, request)).status).toBe(201)
    }
    expect((await call(as, 'PUT', `/jobs/${jobId}/submit`, { providerId })).status).toBe(200)
    await hub.advance('1s')
    return jobId
  }
  const requests = async (jobId: string) =>
    (await call<{ requests: Request[] }>(as, 'GET', `/jobs/${jobId}/requests`)).body.requests
  const states = async (jobId: string) =>
    (await requests(jobId)).map(({ statusCode }) => statusCode)
  const usage = async (providerId: string, query = '') =>
    (await call<Usage>(as, 'GET', `/providers/${providerId}/usage${query}`)).body
  const held = async (providerId: string) =>
    (
      await call<{ findings: { rule: string; thingId: string; sentence: string }[] }>(
        admin,
        'GET',
        '/findings',
      )
    ).body.findings.filter(({ rule, thingId }) => rule === 'engine-held' && thingId === providerId)
  const meter = () =>
    engine.calls.flatMap(({ q }) => q).reduce((sum, text) => sum + [...text].length, 0)
  const payer = (providerId: string, jobId?: string) => ({
    provider: { site_id: 'demo', provider_id: providerId },
    jobId,
  })
  const characters = (cost: number) => ({ unit: 'CHARACTERS', cost, characters: cost }) as const

  it('are what the engine got, by day, and nothing for an error or a call that never went out', async () => {
    const providerId = await provider()
    await translate(providerId, 'Good morning 👋', 'Good night')
    expect(meter()).toBe(24)
    const first = { unit: 'CHARACTERS', estimated: 24, savedByMemory: 0, requests: 2 }
    expect(await usage(providerId)).toEqual(first)
    engine.be((_, nth) => (nth === 1 ? { status: 503, body: {} } : undefined))
    await translate(providerId, 'Again')
    expect(await usage(providerId)).toEqual({ ...first, estimated: 29, requests: 4 })
    // The engine may have counted it.
    engine.be((_, nth) => (nth === 1 ? 'breaks' : undefined))
    await translate(providerId, 'Twice')
    expect(await usage(providerId)).toEqual({ ...first, estimated: 39, requests: 6 })
    const nobody = await provider(undefined, 'http://127.0.0.1:9')
    await translate(nobody, 'Nobody hears this')
    expect(await usage(nobody)).toEqual({ ...first, estimated: 0, requests: 0 })
    await hub.advance('1d')
    const today = new Date(hub.inner.clock.now()).toISOString().slice(0, 10)
    expect(await usage(providerId, `?since=${today}`)).toMatchObject({ estimated: 0, requests: 0 })
    expect(await usage(providerId, `?until=${today}`)).toMatchObject({ estimated: 39 })
    expect(
      (await call(as, 'GET', `/providers/${providerId}/usage?since=2030-01-02&until=2030-01-01`))
        .status,
    ).toBe(400)
    expect((await call(as, 'GET', `/providers/${payer('x').provider.site_id}/usage`)).status).toBe(
      404,
    )
  })

  it('wait at the limit of a day, with a finding, and go on the next day', async () => {
    const providerId = await provider({ charactersPerDay: 20 })
    const fits = await translate(providerId, 'Good morning')
    const waits = await translate(providerId, 'Good afternoon', 'Night')
    expect(await states(fits)).toEqual(['REVIEW_TRANSLATION'])
    expect(await states(waits)).toEqual(['SENT_TO_PROVIDER', 'SENT_TO_PROVIDER'])
    const [request] = await requests(waits)
    expect(request).toMatchObject({
      hasError: false,
      lastTry: { message: expect.stringContaining('12 are used, and 14 more') },
    })
    expect(Date.parse(request?.lastTry?.nextTime ?? '') % day).toBe(0)
    expect(await usage(providerId)).toMatchObject({ estimated: 12, requests: 1 })
    expect(await held(providerId)).toMatchObject([
      {
        thingId: providerId,
        sentence: expect.stringMatching(
          /^Work of provider .* has been waiting since .*Z: The limit of 20 characters a day is reached/,
        ),
      },
    ])
    await hub.advance('1d')
    expect(await states(waits)).toEqual(['REVIEW_TRANSLATION', 'REVIEW_TRANSLATION'])
    expect(await held(providerId)).toEqual([])
    expect(await usage(providerId)).toMatchObject({ estimated: 31, requests: 3 })
  })

  it('go on at once when the limit of a job is raised or removed', async () => {
    const providerId = await provider({ charactersPerJob: 5 })
    const [one, other] = [
      await translate(providerId, 'Seven w'),
      await translate(providerId, 'Five!'),
    ]
    expect([await states(one), await states(other)]).toEqual([
      ['SENT_TO_PROVIDER'],
      ['REVIEW_TRANSLATION'],
    ])
    expect(await held(providerId)).toMatchObject([
      { sentence: expect.stringContaining('The limit of 5 characters a job is reached') },
    ])
    const change = (limits: JsonObject) =>
      call(admin, 'PATCH', `/providers/${providerId}`, { limits })
    expect((await change({ charactersPerDay: 0 })).status).toBe(400)
    expect((await change({ perDay: 1 })).status).toBe(400)
    expect((await change({ charactersPerJob: 6 })).body.limits).toEqual({ charactersPerJob: 6 })
    await hub.advance('1s')
    expect(await states(one)).toEqual(['SENT_TO_PROVIDER'])
    expect((await change({})).body.limits).toBeUndefined()
    await hub.advance('1s')
    expect(await states(one)).toEqual(['REVIEW_TRANSLATION'])
    expect(await held(providerId)).toEqual([])
  })

  it('are within the limit however many calls ask at once, and settled by what the vendor billed', async () => {
    const providerId = await provider({ charactersPerDay: 100 })
    const asked = await Promise.allSettled(
      Array.from({ length: 20 }, () => reserve(hub.inner, payer(providerId), characters(14))),
    )
    const passed = asked.flatMap((one) => (one.status === 'fulfilled' ? one.value : []))
    expect(passed).toHaveLength(7)
    expect(await usage(providerId)).toMatchObject({ estimated: 98, requests: 7 })
    await passed[0]?.settle(10)
    await passed[1]?.settle(14)
    await passed[2]?.release(false)
    expect(await usage(providerId)).toMatchObject({ estimated: 80, billed: 24, requests: 6 })
    await expect(mustHaveRoom(hub.inner, payer(providerId), 'CHARACTERS', 21)).rejects.toThrow(
      '80 are used, and 21 more',
    )
    await mustHaveRoom(hub.inner, payer(providerId), 'CHARACTERS', 20)
    await countSaved(hub.inner, payer(providerId), 'CHARACTERS', 55)
    expect(await usage(providerId)).toMatchObject({ estimated: 80, savedByMemory: 55 })
  })
})
