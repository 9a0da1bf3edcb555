/**
 * Contract, section 18: the risk of a machine's translation says what it rests on, learns from the
 * verdicts of its own site, and never falls below the signs.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { enrolClient } from '../../packages/server/src/domain/sites/enrol-client.ts'
import { databases, startHub, type TestHub } from '../hub.ts'
import { startEngine, type TranslationEngine } from '../translation-engine.ts'

const [as, admin] = ['demo-connector', 'demo-admin']
type Segment = {
  segmentId: string
  key: string
  version: number
  risk: number
  riskBasis: string
  riskVerdicts: number
  riskReasons: string[]
  origin: string
}
type Pair = {
  sourceNativeLanguageCode: string
  targetNativeLanguageCode: string
  basis: string
  verdicts: number
  agreement?: number
}
type Work = { path: string; requestId: string; segments: Segment[] }

describe.each(databases)('the quality of machine translations (%s)', (database) => {
  let hub: TestHub
  let engine: TranslationEngine
  let providerId = ''
  beforeAll(async () => {
    hub = await startHub({ database })
    engine = await startEngine()
    engine.be(({ q }) => ({ body: { translatedText: q.map(reversed) } }))
    const body = { name: 'Engine', typeId: 'machine-translation', config: { url: engine.url } }
    providerId = String((await hub.call('POST', '/v2/providers', { as: admin, body })).body.id)
  })
  afterAll(async () => {
    await hub.close()
    await engine.close()
  })

  /** Long enough to be judged, and too short to be refused for its language. */
  const reversed = (text: string) =>
    text.startsWith('Same') ? text : text.split(' ').reverse().join(' ')
  const work = async (texts: readonly string[], target: string, by = providerId): Promise<Work> => {
    const job = await hub.call('POST', '/v2/jobs', { as, body: { jobName: 'Q' } })
    const path = `/v2/jobs/${job.body.jobId}`
    const added = await hub.call<{ requests: { requestId: string }[] }>(
      'POST',
      `${path}/requests/add`,
      {
        as,
        body: {
          ...{ requestName: 'r', sourceNativeId: 's', sourceNativeLanguageCode: 'en-us' },
          targetNativeLanguageCodes: [target],
          fields: texts.map((value, at) => ({ key: `k${at}`, value })),
        },
      },
    )
    expect(added.status, JSON.stringify(added.body)).toBeLessThan(300)
    await hub.call('PUT', `${path}/submit`, { as, body: { providerId: by } })
    await hub.advance('1s')
    const requestId = added.body.requests[0]?.requestId ?? ''
    const { body } = await hub.call<{ segments: Segment[] }>(
      'GET',
      `${path}/requests/${requestId}/segments?pageSize=50`,
      { as },
    )
    return { path, requestId, segments: body.segments }
  }
  const judge = async ({ path, requestId }: Work, { segmentId }: Segment, isBad: boolean) => {
    const { status, body } = await hub.call(
      'PUT',
      `${path}/requests/${requestId}/segments/${segmentId}/review`,
      { as, body: isBad ? { verdict: 'WRONG', severity: 'MAJOR' } : { verdict: 'OK' } },
    )
    expect(status, JSON.stringify(body)).toBe(200)
  }
  const qualityOf = async (target: string, who = admin) => {
    const { status, body } = await hub.call<{ pairs: Pair[] }>('GET', '/v2/settings/quality', {
      as: who,
    })
    expect(status).toBe(200)
    return body.pairs.find(
      (one) => one.sourceNativeLanguageCode === 'en' && one.targetNativeLanguageCode === target,
    )
  }
  const bad = (at: number) => `one, two, three, four, five (${'abcdefgh'[at % 8]})`
  const good = (at: number) => `Door ${'abcdefgh'[at % 8]}`
  const texts = (from: number) =>
    Array.from({ length: 40 }, (_, at) => (at % 2 === 0 ? bad(from + at) : good(from + at)))

  it('comes from the shipped model where it knows the pair, with the signs as a floor', async () => {
    const { segments } = await work(['Open the door', 'Same text as before'], 'de-de')
    const [one, same] = segments
    expect(one).toMatchObject({ origin: 'MACHINE', riskBasis: 'SHIPPED', riskVerdicts: 0 })
    expect(one?.risk).toBeGreaterThan(0)
    expect(one?.risk).toBeLessThan(100)
    expect(same).toMatchObject({ riskBasis: 'SHIPPED', riskReasons: ['SAME_AS_SOURCE'] })
    expect(same?.risk).toBeGreaterThanOrEqual(50)
    expect(await qualityOf('de')).toMatchObject({ basis: 'SHIPPED', verdicts: 0 })
  })

  it('learns a pair that nobody knows from the verdicts of the site, in the background', async () => {
    const first = await work(texts(0), 'fi-fi')
    for (const { risk, riskBasis } of first.segments)
      expect([risk, riskBasis]).toEqual([0, 'SIGNS'])
    for (const segment of first.segments.slice(0, 10))
      await judge(first, segment, Number(segment.key.slice(1)) % 2 === 0)
    await hub.advance('2m')
    // Ten verdicts are no model.
    expect(await qualityOf('fi')).toEqual({
      ...{ sourceNativeLanguageCode: 'en', targetNativeLanguageCode: 'fi' },
      ...{ basis: 'SIGNS', verdicts: 10 },
    })
    for (const segment of first.segments)
      await judge(first, segment, Number(segment.key.slice(1)) % 2 === 0)
    await hub.advance('2m')
    expect(await qualityOf('fi')).toMatchObject({ basis: 'LEARNED', verdicts: 40 })
    const { segments } = await work(texts(3), 'fi-fi')
    for (const { key, risk, riskBasis, riskVerdicts } of segments) {
      expect([riskBasis, riskVerdicts]).toEqual(['LEARNED', 40])
      if (Number(key.slice(1)) % 2 === 0) expect(risk, key).toBeGreaterThan(60)
      else expect(risk, key).toBeLessThan(40)
    }
    // What was shown stays.
    const again = await hub.call<{ segments: Segment[] }>(
      'GET',
      `${first.path}/requests/${first.requestId}/segments`,
      { as },
    )
    expect(again.body.segments.map(({ riskBasis }) => riskBasis)).not.toContain('LEARNED')
  })

  it('learns from what people left and what they wrote anew in the drafts of engines', async () => {
    const provider = (body: object) => hub.call('POST', '/v2/providers', { as: admin, body })
    const people = String((await provider({ name: 'People', typeId: 'manual' })).body.id)
    const steps = [{ engines: [providerId] }, { people }]
    const made = await provider({ name: 'Chain', typeId: 'chain', config: { steps } })
    expect(made.status, JSON.stringify(made.body)).toBe(201)
    const { path, requestId } = await work(texts(0), 'da-dk', String(made.body.id))
    await hub.advance('1s')
    const task = `/v2/providers/${people}${path.slice('/v2'.length)}/assetTasks/${requestId}`
    type Draft = Segment & { target: string[] }
    const drafts = await hub.call<{ segments: Draft[] }>('GET', `${task}/segments?pageSize=50`, {
      as: admin,
    })
    const segments = drafts.body.segments.map(({ segmentId, version, key, target }) => ({
      ...{ segmentId, version, state: 'TRANSLATED' },
      target: Number(key.slice(1)) % 2 === 0 ? ['Noget helt andet'] : target,
    }))
    const written = await hub.call('PUT', `${task}/segments`, { as: admin, body: { segments } })
    expect(written.status, JSON.stringify(written.body)).toBe(200)
    const sent = await hub.call('POST', `${task}/segments/deliver`, { as: admin })
    expect(sent.status, JSON.stringify(sent.body)).toBe(200)
    await hub.advance('2m')
    expect(await qualityOf('da')).toMatchObject({ basis: 'LEARNED', verdicts: 40 })
    const { segments: next } = await work(texts(3), 'da-dk')
    for (const { key, risk } of next)
      expect(risk > 50, `${key}: ${risk}`).toBe(Number(key.slice(1)) % 2 === 0)
  })

  it('counts the last verdict on a segment only', async () => {
    const one = await work(['Kissa istuu'], 'et-ee')
    const [segment] = one.segments as [Segment]
    for (const isBad of [true, false, true]) await judge(one, segment, isBad)
    expect(await qualityOf('et')).toMatchObject({ verdicts: 1 })
  })

  it('is not shown to a provider, and never taught by another site', async () => {
    const { status } = await hub.call('GET', '/v2/settings/quality', { as: 'demo-provider' })
    expect(status).toBe(403)
    const client = { siteId: 'other', clientId: 'other-admin', secret: 'other-admin-secret' }
    await enrolClient(hub.inner, { ...client, scopes: ['admin'] })
    expect(await qualityOf('fi', 'other-admin')).toBeUndefined()
    expect(await qualityOf('de', 'other-admin')).toMatchObject({ basis: 'SHIPPED', verdicts: 0 })
  })
})
