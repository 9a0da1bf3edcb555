/**
 * Contract, sections 13 and 14: what the memory knows is not sent, and every machine segment says
 * who made it and its risk.
 */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Engine, Told } from '../../packages/server/src/domain/engines/drivers/ask-batches.ts'
import { openKnown } from '../../packages/server/src/domain/engines/drivers/known-texts.ts'
import { translateSegments } from '../../packages/server/src/domain/engines/drivers/translate-segments.ts'
import { databases, startHub, type TestHub } from '../hub.ts'
import { startEngine, type TranslationEngine } from '../translation-engine.ts'

const as = 'demo-connector'
const admin = 'demo-admin'
const pair = { sourceNativeLanguageCode: 'en-us', targetNativeLanguageCode: 'de-de' }
type Segment = {
  segmentId: string
  version: number
  key: string
  target: unknown[]
  origin: string
  engine?: object
  risk?: number
  riskReasons?: string[]
}

describe.each(databases)('machine segments on %s', (database) => {
  let hub: TestHub
  let engine: TranslationEngine
  let providerId: string
  beforeAll(async () => {
    hub = await startHub({ database })
    engine = await startEngine()
    const config = { url: engine.url }
    const body = { name: 'Engine', typeId: 'machine-translation', config }
    providerId = String((await hub.call('POST', '/v2/providers', { as: admin, body })).body.id)
    const unit = (source: string, target: string) =>
      hub.call('POST', '/v2/settings/memory/units', {
        as: admin,
        body: { ...pair, source, target },
      })
    for (const made of [
      await unit('Hello {name}, welcome.', 'Hallo {name}, willkommen.'),
      await unit('Bye {name}', 'Tschüss'),
      await unit('Good morning', 'Guten Morgen'),
    ])
      expect(made.status, JSON.stringify(made.body)).toBe(201)
    const term = {
      entries: [
        { language: 'en', text: 'basket', status: 'PREFERRED' },
        { language: 'de', text: 'Warenkorb', status: 'PREFERRED' },
      ],
    }
    expect((await hub.call('POST', '/v2/settings/terms', { as: admin, body: term })).status).toBe(
      201,
    )
  })
  afterAll(async () => {
    await hub.close()
    await engine.close()
  })
  beforeEach(() => engine.be())

  const work = async (values: Record<string, string>) => {
    const jobId = String(
      (await hub.call('POST', '/v2/jobs', { as, body: { jobName: 'M' } })).body.jobId,
    )
    const fields = Object.entries(values).map(([key, value]) => ({ key, value }))
    const request = {
      requestName: 'r',
      sourceNativeId: 's',
      sourceNativeLanguageCode: 'en-us',
      targetNativeLanguageCodes: ['de-de'],
      fields,
    }
    const path = `/v2/jobs/${jobId}`
    const added = await hub.call<{ requests: { requestId: string }[] }>(
      'POST',
      `${path}/requests/add`,
      {
        as,
        body: request,
      },
    )
    await hub.call('PUT', `${path}/submit`, { as, body: { providerId } })
    await hub.advance('1s')
    const requestId = added.body.requests[0]?.requestId ?? ''
    const { body } = await hub.call<{ segments: Segment[] }>(
      'GET',
      `${path}/requests/${requestId}/segments`,
      { as },
    )
    return { byKey: new Map(body.segments.map((one) => [one.key, one])) }
  }

  it('takes what the memory has word for word, with the codes and blanks of the source, and sends the rest', async () => {
    const { byKey } = await work({
      exact: '  Hello {name}, welcome. ',
      other: 'Hello {first}, welcome.',
      lossy: 'Bye {name}',
      plain: 'Good morning',
      fresh: 'Something new',
    })
    expect(engine.calls.flatMap(({ q }) => q)).toEqual([
      'Hello <x id="1"/>, welcome.',
      'Bye <x id="1"/>',
      'Something new',
    ])
    expect(byKey.get('exact')).toMatchObject({
      target: ['  Hallo ', { tag: 1 }, ', willkommen. '],
      origin: 'MEMORY',
      risk: 0,
      riskReasons: [],
    })
    expect(byKey.get('exact')).not.toHaveProperty('engine')
    expect(byKey.get('plain')).toMatchObject({ target: ['Guten Morgen'], origin: 'MEMORY' })
    const usage = await hub.call('GET', `/v2/providers/${providerId}/usage`, { as: admin })
    expect(usage.body).toMatchObject({
      savedByMemory: '  Hello {name}, welcome. Good morning'.length,
    })
    expect(byKey.get('fresh')).toMatchObject({
      origin: 'MACHINE',
      engine: { providerId, name: 'LibreTranslate' },
      risk: expect.any(Number),
      riskBasis: 'SHIPPED',
      riskReasons: ['SAME_AS_SOURCE'],
    })
    expect(byKey.get('fresh')?.risk).toBeGreaterThanOrEqual(50)
  })

  it('does not ask the memory when a provider is tried out', async () => {
    const body = { ...pair, text: 'Good morning' }
    const tried = await hub.call('POST', `/v2/providers/${providerId}/test`, { as: admin, body })
    expect(tried.body).toMatchObject({ works: true, translation: 'GOOD MORNING' })
  })

  it('names a term that was not used as a risk', async () => {
    engine.be(({ q }) => ({
      body: {
        translatedText: q.map((text) =>
          text.includes('with') ? 'Ihr Warenkorb ist leer.' : 'Ihr Korb ist leer.',
        ),
      },
    }))
    const { byKey } = await work({
      bad: 'Your basket is empty.',
      good: 'Your basket with nothing.',
    })
    expect(byKey.get('bad')).toMatchObject({ origin: 'MACHINE', riskReasons: ['TERMS'] })
    expect(byKey.get('bad')?.risk).toBeGreaterThanOrEqual(30)
    expect(byKey.get('good')).toMatchObject({ origin: 'MACHINE', riskReasons: [] })
  })

  it('tells an engine what it takes along: similar translations, neighbours, notes and terms', async () => {
    const texts = [
      { parts: [{ type: 'text', text: 'Good morning all' }], notes: ['A greeting'] },
      { parts: [{ type: 'text', text: 'An empty basket' }] },
    ] as const
    const takes = { terms: true, references: true, context: true }
    const place = { siteId: 'demo', sourceLanguage: 'en-us', targetLanguage: 'de-de' }
    const known = await openKnown(hub.inner, place, texts, takes)
    const told: Told[] = []
    const limits = { perCall: { most: 1_000, unit: 'CHARACTERS' } } as const
    const sizes = { batchSize: 9, batchBytes: 9_000, concurrency: 1 }
    const ask: Engine['ask'] = async (sent, along) => {
      told.push(along)
      return sent.map((text) => text.toUpperCase())
    }
    const one: Engine = { providerId, name: 'E', style: 'xml', limits, ...sizes, takes, ask }
    await translateSegments(
      texts.map(({ parts }) => parts),
      place,
      { engines: [one, { ...one, takes: {} }], known },
    )
    expect(told).toEqual([
      {
        about: [
          {
            after: 'An empty basket',
            notes: ['A greeting'],
            references: [
              { source: 'Good morning', target: 'Guten Morgen', percent: expect.any(Number) },
            ],
          },
          { before: 'Good morning all' },
        ],
        terms: [{ source: 'basket', target: 'Warenkorb' }],
      },
    ])
  })
})
