/**
 * Contract, section 14: a chain asks its engines in order for each segment, and hands drafts with
 * their origin and risk on to people.
 */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { databases, startHub, type TestHub } from '../hub.ts'
import { edited, packagesOf, packed } from '../packages-kit.ts'
import { inCapitals, startEngine, type TranslationEngine } from '../translation-engine.ts'
import { enter } from '../visitor.ts'

const as = 'demo-connector'
const admin = 'demo-admin'
type Segment = {
  segmentId: string
  key?: string
  version: number
  state: string
  target?: unknown[]
  origin?: string
  engine?: { providerId: string }
  risk?: number
  openReason?: string
}
type Request = {
  requestId: string
  statusCode: string
  hasError: boolean
  latestErrorMessage?: string
}

/** Good translations by word; anything else comes back without a marker, or not at all. */
const known: Record<string, string> = {
  'Good morning': 'Guten Morgen',
  'Good night': 'Gute Nacht',
  'Two cats': 'Zwei Katzen',
}
const german = (text: string): string => known[text] ?? inCapitals(text)

describe.each(databases)('a chain on %s', (database) => {
  let hub: TestHub
  let one: TranslationEngine
  let two: TranslationEngine
  let [first, second, people] = ['', '', '']
  const provider = (body: object) => hub.call('POST', '/v2/providers', { as: admin, body })
  const added = async (body: object): Promise<string> => {
    const made = await provider(body)
    expect(made.status, JSON.stringify(made.body)).toBe(201)
    return String(made.body.id)
  }
  const chain = (...steps: object[]) => added({ name: 'Chain', typeId: 'chain', config: { steps } })
  const set = (id: string, body: object) =>
    hub.call('PATCH', `/v2/providers/${id}`, { as: admin, body })

  beforeAll(async () => {
    hub = await startHub({ database })
    one = await startEngine()
    two = await startEngine()
    const engine = (name: string, url: string) =>
      added({ name, typeId: 'machine-translation', config: { url } })
    first = await engine('One', one.url)
    second = await engine('Two', two.url)
    people = await added({ name: 'People', typeId: 'manual' })
  })
  afterAll(async () => {
    await hub.close()
    await one.close()
    await two.close()
  })
  beforeEach(() => {
    for (const engine of [one, two])
      engine.be(({ q }) => ({ body: { translatedText: q.map(german) } }))
  })

  const submitted = async (providerId: string, ...contents: Record<string, string>[]) => {
    const jobId = String(
      (await hub.call('POST', '/v2/jobs', { as, body: { jobName: 'C' } })).body.jobId,
    )
    const path = `/v2/jobs/${jobId}`
    const requests = contents.map((values, at) => ({
      ...{ requestName: `r${at}`, sourceNativeId: 's', sourceNativeLanguageCode: 'en-us' },
      targetNativeLanguageCodes: ['de-de'],
      fields: Object.entries(values).map(([key, value]) => ({ key, value })),
    }))
    expect(
      (await hub.call('POST', `${path}/requests/add`, { as, body: { requests } })).status,
    ).toBe(201)
    const answer = await hub.call('PUT', `${path}/submit`, { as, body: { providerId } })
    return { jobId, path, answer }
  }
  const requestsOf = async (path: string) =>
    (await hub.call<{ requests: Request[] }>('GET', `${path}/requests`, { as })).body.requests
  const segmentsAt = async (path: string, client = as, query = '') =>
    (await hub.call<{ segments: Segment[] }>('GET', `${path}/segments${query}`, { as: client }))
      .body.segments
  const byKey = (segments: readonly Segment[]) =>
    Object.fromEntries(segments.map((found) => [found.key, found]))

  it('refuses steps that could never work', async () => {
    const disabled = await added({ name: 'Off', typeId: 'manual' })
    await set(disabled, { status: 'DISABLED' })
    const other = await chain({ engines: [first] })
    const pseudo = await added({ name: 'P', typeId: 'pseudo' })
    const wrong: [unknown, string, RegExp][] = [
      [undefined, 'config/steps', /required/],
      [[], 'config/steps', /fewer than 1/],
      [[{}], 'config/steps/0', /either engines or people/],
      [[{ engines: [] }], 'config/steps/0/engines', /fewer than 1/],
      [[{ engines: [first], people }], 'config/steps/0', /either engines or people/],
      [[{ people }], 'config/steps/0', /first step must have engines/],
      [[{ engines: [first] }, { people }, { engines: [second] }], 'config/steps/1', /last step/],
      [[{ engines: ['nothing'] }], 'config/steps/0/engines/0', /not a provider of this site/],
      [
        [{ engines: [first] }, { people: 'nobody' }],
        'config/steps/1/people',
        /not a provider of this site/,
      ],
      [[{ engines: [other] }], 'config/steps/0/engines/0', /is a chain/],
      [[{ engines: [pseudo] }], 'config/steps/0/engines/0', /type pseudo/],
      [[{ engines: [people] }], 'config/steps/0/engines/0', /type manual/],
      [
        [{ engines: [first] }, { people: second }],
        'config/steps/1/people',
        /type machine-translation/,
      ],
      [[{ engines: [first] }, { people: disabled }], 'config/steps/1/people', /disabled/],
      [
        [{ engines: [first] }, { engines: [second, first] }],
        'config/steps/1/engines/1',
        /named twice/,
      ],
    ]
    for (const [steps, path, message] of wrong) {
      const answer = await provider({
        name: 'Bad',
        typeId: 'chain',
        config: steps ? { steps } : {},
      })
      expect([answer.status, answer.body.code], JSON.stringify(steps)).toEqual([
        400,
        'INVALID_REQUEST',
      ])
      expect(
        (answer.body.details as { path: string; message: string }[])[0],
        JSON.stringify(steps),
      ).toMatchObject({
        path,
        message: expect.stringMatching(message),
      })
    }
    const itself = await set(other, { config: { steps: [{ engines: [other] }] } })
    expect([itself.status, itself.body.message]).toEqual([400, expect.stringMatching(/is a chain/)])
  })

  it('reports what people changed, how long it took and what they left, by engine and pair', async () => {
    const id = await chain({ engines: [first, second] }, { people })
    one.be(({ q }) => ({
      body: {
        translatedText: q.map((text) => (text.startsWith('Hello') ? 'Hallo' : german(text))),
      },
    }))
    const person = await enter(hub, ['admin'], 'demo')
    const { jobId, path } = await submitted(id, {
      a: 'Good morning',
      b: 'Good night',
      c: 'Two cats',
      d: 'Hello {name}',
    })
    await hub.advance('1s')
    const [request] = await requestsOf(path)
    const task = `/providers/${people}/jobs/${jobId}/assetTasks/${request?.requestId}`
    const { body } = await person.call<{ segments: Segment[] }>('GET', `${task}/segments`)
    const found = byKey(body.segments)
    expect(found.d?.engine).toMatchObject({ providerId: second })
    const write = async (key: string, target: unknown[] | undefined, version = 0) => {
      const change = { target, state: 'TRANSLATED', version }
      const { status } = await person.call('PUT', `${task}/segments/${found[key]?.segmentId}`, {
        body: change,
      })
      expect(status).toBe(200)
    }
    await write('a', found.a?.target)
    await hub.advance('20s')
    await write('b', ['Gute Nächte'])
    await hub.advance('1h')
    await write('c', ['Zwei Katzen!'])
    await hub.advance('40s')
    await write('c', ['2 Katzen'], 1)
    await hub.advance('10s')
    await write('d', ['HELLO ', { tag: 1 }, '!'])
    const report = async (query: object = {}) =>
      (
        await hub.call<{ rows: object[]; totals: object[] }>('GET', '/v2/reports/effort', {
          as: admin,
          query: { ...query },
        })
      ).body
    expect(await report()).toMatchObject({ rows: [], totals: [] })
    expect((await person.call('POST', `${task}/segments/deliver`, { body: {} })).status).toBe(200)
    const atLeast = (ms: number) => expect.toSatisfy((spent: number) => spent >= ms)
    const ofFirst = {
      segments: 3,
      unedited: 1,
      characters: 34,
      editDistance: 2 + 4,
      timed: 2,
      spentMs: atLeast(60_000),
    }
    const ofSecond = {
      segments: 1,
      unedited: 0,
      characters: 8,
      editDistance: 1,
      timed: 1,
      spentMs: atLeast(10_000),
    }
    const pair = 'en-us → de-de'
    expect(await report()).toMatchObject({
      by: 'provider-pair',
      rows: [
        { group: `${first} en-us de-de`, groupName: `One, ${pair}`, ...ofFirst },
        { group: `${second} en-us de-de`, groupName: `Two, ${pair}`, ...ofSecond },
      ],
      totals: [
        {
          segments: 4,
          unedited: 1,
          characters: 42,
          editDistance: 7,
          timed: 3,
          spentMs: atLeast(70_000),
        },
      ],
    })
    expect((await report({ by: 'pair' })).rows).toEqual([
      expect.objectContaining({ groupName: pair, segments: 4 }),
    ])
    expect((await report({ by: 'provider' })).rows).toMatchObject([
      { groupName: 'One' },
      { groupName: 'Two' },
    ])
    // A later delivery of the same request counts instead.
    await hub.call('PUT', `${path}/requests/${request?.requestId}/reject`, {
      as,
      body: { rejectNote: 'As before.' },
    })
    await write('b', found.b?.target, 3)
    expect((await person.call('POST', `${task}/segments/deliver`, { body: {} })).status).toBe(200)
    expect((await report({ by: 'provider' })).rows[0]).toMatchObject({
      segments: 3,
      unedited: 2,
      editDistance: 4,
    })
  })

  it('shows what an engine delivers, whatever was written meanwhile at the desk', async () => {
    one.be(() => ({ status: 503, body: { error: 'busy' } }))
    const { jobId, path } = await submitted(first, { a: 'Good morning', b: 'Good night' })
    await hub.advance('1s')
    const person = await enter(hub, ['admin'], 'demo')
    const [request] = await requestsOf(path)
    const task = `/providers/${first}/jobs/${jobId}/assetTasks/${request?.requestId}`
    const read = async () =>
      (await person.call<{ segments: Segment[] }>('GET', `${task}/segments`)).body.segments
    const [a] = (await read()) as [Segment]
    const change = { target: ['Entwurf'], state: 'TRANSLATED', version: 0 }
    const put = (version: number) =>
      person.call('PUT', `${task}/segments/${a.segmentId}`, { body: { ...change, version } })
    expect((await put(0)).status).toBe(200)
    one.be(({ q }) => ({ body: { translatedText: q.map(german) } }))
    await hub.advance('1h')
    expect((await read()).map(({ target, state, version }) => [target, state, version])).toEqual([
      [['Guten Morgen'], 'TRANSLATED', 2],
      [['Gute Nacht'], 'TRANSLATED', 2],
    ])
    expect((await put(1)).status).toBe(409)
    expect((await person.call('POST', `${task}/segments/deliver`, { body: {} })).status).toBe(200)
    const [delivered] = await segmentsAt(`${path}/requests/${request?.requestId}`)
    expect(delivered).toMatchObject({ target: ['Guten Morgen'], version: 2 })
  })

  it('keeps the time that people spent when a package comes back', async () => {
    const id = await chain({ engines: [first] }, { people })
    const person = await enter(hub, ['admin'], 'demo')
    const { jobId, path } = await submitted(id, { a: 'Good morning', b: 'Good night' })
    await hub.advance('1s')
    const [request] = await requestsOf(path)
    const job = `/providers/${people}/jobs/${jobId}`
    const task = `${job}/assetTasks/${request?.requestId}`
    const write = async (key: string, target: string) => {
      const { body } = await person.call<{ segments: Segment[] }>('GET', `${task}/segments`)
      const { segmentId, version } = byKey(body.segments)[key] as Segment
      const change = { target: [target], state: 'TRANSLATED', version }
      const answer = await person.call('PUT', `${task}/segments/${segmentId}`, { body: change })
      expect(answer.status).toBe(200)
    }
    const spent = async () => {
      const query = { by: 'provider', jobId }
      const { body } = await hub.call<{ totals: { spentMs: number }[] }>(
        'GET',
        '/v2/reports/effort',
        { as: admin, query },
      )
      return body.totals.reduce((sum, { spentMs }) => sum + spentMs, 0)
    }
    await write('a', 'Guten Tag')
    await hub.advance('30s')
    await write('b', 'Gute Nächte')
    const before = await spent()
    const kit = packagesOf(hub)
    const authorization = `Bearer ${await hub.token(admin)}`
    const out = await kit.download(`${job}/package`, '', { authorization })
    const back = edited(out, (text) =>
      text.replaceAll('Gute Nächte', 'Gute Nacht allen').replaceAll('Guten Tag', 'Guten Morgen!'),
    )
    const delivered = await kit.deliver(`${job}/package`, packed(back), '', { authorization })
    expect(delivered.status, JSON.stringify(delivered.body)).toBe(200)
    expect((await spent()) - before).toBeGreaterThanOrEqual(30_000)
    await hub.call('PUT', `${path}/requests/${request?.requestId}/reject`, { as, body: {} })
    await write('a', 'Guten Morgen')
    expect((await person.call('POST', `${task}/segments/deliver`, { body: {} })).status).toBe(200)
    expect((await spent()) - before).toBeGreaterThanOrEqual(30_000)
  })

  it('asks the next engine for what the first one could not do, segment by segment, and delivers only what is whole', async () => {
    const id = await chain({ engines: [first, second] })
    one.be(({ q }) => ({
      body: { translatedText: q.map((text) => (text.includes('<x') ? 'Hallo' : german(text))) },
    }))
    const { path } = await submitted(id, { a: 'Good morning', b: 'Hello {name}, hello' })
    await hub.advance('1s')
    const [request] = await requestsOf(path)
    expect(request).toMatchObject({ statusCode: 'REVIEW_TRANSLATION', hasError: false })
    const found = byKey(await segmentsAt(`${path}/requests/${request?.requestId}`))
    expect(found.a).toMatchObject({
      origin: 'MACHINE',
      engine: { providerId: first },
      target: ['Guten Morgen'],
    })
    expect(found.b).toMatchObject({ origin: 'MACHINE', engine: { providerId: second } })
    expect(two.calls.flatMap(({ q }) => q)).toEqual(['Hello <x id="1"/>, hello'])
    const half = (call: { q: readonly string[] }) => ({
      body: { translatedText: call.q.map((text) => text.replace(/<x.*>/, '')) },
    })
    one.be(half)
    two.be(half)
    const bad = await submitted(id, { a: 'Good morning', b: 'Hello {name}, hello' })
    await hub.advance('1s')
    expect((await requestsOf(bad.path))[0]).toMatchObject({
      statusCode: 'SENT_TO_PROVIDER',
      hasError: true,
      latestErrorMessage: expect.stringMatching(/Hello .* cannot be used/),
    })
  })

  it('goes on with the next engine when one is away or disabled, and takes no job without any', async () => {
    const id = await chain({ engines: [first, second] })
    one.be(() => 'breaks')
    const away = await submitted(id, { a: 'Good morning' })
    await hub.advance('1s')
    const [request] = await requestsOf(away.path)
    expect(
      (await segmentsAt(`${away.path}/requests/${request?.requestId}`))[0]?.engine,
    ).toMatchObject({
      providerId: second,
    })
    await set(first, { status: 'DISABLED' })
    one.be()
    const off = await submitted(id, { a: 'Good night' })
    await hub.advance('1s')
    expect((await requestsOf(off.path))[0]?.statusCode).toBe('REVIEW_TRANSLATION')
    expect(one.calls).toEqual([])
    await set(second, { status: 'DISABLED' })
    const none = await submitted(id, { a: 'Good night' })
    expect([none.answer.status, none.answer.body.code]).toEqual([409, 'PROVIDER_DISABLED'])
    await set(first, { status: 'ENABLED' })
    await set(second, { status: 'ENABLED' })
  })

  it('waits while every engine is disabled, and goes on when one is enabled', async () => {
    const id = await chain({ engines: [first] })
    // The first try may come before the engine is disabled.
    one.be(() => ({ status: 503, body: { error: 'Busy' } }))
    const { path } = await submitted(id, { a: 'Good night' })
    await set(first, { status: 'DISABLED' })
    await hub.advance('1h')
    const [request] = await requestsOf(path)
    expect(request).toMatchObject({ statusCode: 'SENT_TO_PROVIDER', hasError: false })
    expect(request).toMatchObject({
      lastTry: { message: expect.stringMatching(/One .* disabled or was removed/) },
    })
    await set(first, { status: 'ENABLED' })
    one.be(({ q }) => ({ body: { translatedText: q.map(german) } }))
    await hub.advance('1h')
    expect((await requestsOf(path))[0]?.statusCode).toBe('REVIEW_TRANSLATION')
  })

  it('holds the work at the limit of an engine instead of paying another one', async () => {
    const id = await chain({ engines: [first, second] })
    await set(first, { limits: { charactersPerJob: 3 } })
    const { path } = await submitted(id, { a: 'Good morning' })
    await hub.advance('1s')
    expect((await requestsOf(path))[0]).toMatchObject({
      statusCode: 'SENT_TO_PROVIDER',
      hasError: false,
    })
    expect(two.calls).toEqual([])
    await set(first, { limits: {} })
    await hub.advance('1s')
    expect((await requestsOf(path))[0]?.statusCode).toBe('REVIEW_TRANSLATION')
  })

  it('hands drafts with origin and risk on to people, the riskiest first, and what is open with its reason', async () => {
    const id = await chain({ engines: [first] }, { engines: [second] }, { people })
    const lossy = ({ q }: { q: readonly string[] }) => ({
      body: { translatedText: q.map((text) => (text.includes('<x') ? 'Hallo' : german(text))) },
    })
    one.be(lossy)
    two.be(lossy)
    const { jobId, path } = await submitted(
      id,
      { safe: 'Good morning', open: 'Hello {name}, hello', same: 'Berlin', number: '42' },
      { safe: 'Good night' },
    )
    const work = `/v2/providers/${people}/jobs`
    expect((await hub.call('GET', `${work}/${jobId}`, { as: admin })).status).toBe(404)
    await hub.advance('1s')
    const job = await hub.call('GET', path, { as })
    expect(job.body).toMatchObject({
      statusCode: 'SENT_TO_PROVIDER',
      providerId: people,
      chainId: id,
    })
    const [request] = await requestsOf(path)
    const task = `${work}/${jobId}/assetTasks/${request?.requestId}`
    const found = await segmentsAt(task, admin)
    expect(byKey(found)).toMatchObject({
      safe: {
        state: 'DRAFT',
        target: ['Guten Morgen'],
        origin: 'MACHINE',
        engine: { providerId: first },
        risk: expect.any(Number),
        riskBasis: 'SHIPPED',
        riskVerdicts: 0,
      },
      open: { state: 'NEW', openReason: expect.stringMatching(/Hello .* cannot be used/) },
      same: { state: 'DRAFT', target: ['BERLIN'] },
    })
    expect(byKey(found).safe?.risk).toBeLessThan(50)
    expect(byKey(found).same?.risk).toBeGreaterThanOrEqual(50)
    expect(byKey(found).open).not.toHaveProperty('target')
    const keys = async (query: string) =>
      (await segmentsAt(task, admin, query)).map(({ key }) => key)
    expect((await keys('?sort=RISK')).slice(0, 3)).toEqual(['open', 'same', 'safe'])
    expect(await keys('?risk=50')).toEqual(['open', 'same'])
    const pages: (string | undefined)[] = []
    for (let next = '?sort=RISK&risk=0&pageSize=1'; next; ) {
      const { body } = await hub.call<{ segments: Segment[]; pagination: { navNext?: string } }>(
        'GET',
        `${task}/segments${next}`,
        { as: admin },
      )
      pages.push(...body.segments.map(({ key }) => key))
      next = body.pagination.navNext ? `?pageSize=1&navNext=${body.pagination.navNext}` : ''
    }
    expect(pages).toEqual(['open', 'same', 'safe'])
    // The connector sees nothing of what is not delivered.
    for (const segment of await segmentsAt(`${path}/requests/${request?.requestId}`)) {
      expect(segment.state).toBe('NEW')
      for (const name of ['target', 'engine', 'risk', 'openReason'])
        expect(segment).not.toHaveProperty(name)
    }
    for (const used of [id, first, people]) {
      const removed = await hub.call('DELETE', `/v2/providers/${used}`, { as: admin })
      expect([removed.status, removed.body.code]).toEqual([409, 'PROVIDER_IN_USE'])
    }
    const early = await hub.call('POST', `${task}/segments/deliver`, { as: admin, body: {} })
    expect([early.status, early.body.code]).toEqual([409, 'SEGMENTS_OPEN'])
    const segments = found.map(({ segmentId, target, version }) => ({
      ...{ segmentId, version, state: 'TRANSLATED' },
      target: target ?? ['Hallo ', { tag: 1 }, ', hallo'],
    }))
    expect(
      (await hub.call('PUT', `${task}/segments`, { as: admin, body: { segments } })).status,
    ).toBe(200)
    expect(await keys('?risk=0')).toEqual([])
    const done = await hub.call('POST', `${task}/segments/deliver`, { as: admin, body: {} })
    expect(done.status, JSON.stringify(done.body)).toBe(200)
    expect((await requestsOf(path))[0]?.statusCode).toBe('REVIEW_TRANSLATION')
    const delivered = byKey(await segmentsAt(`${path}/requests/${request?.requestId}`))
    expect(delivered.open).toMatchObject({
      target: ['Hallo ', { tag: 1 }, ', hallo'],
      origin: 'DELIVERY',
    })
    expect(delivered.safe).not.toHaveProperty('engine')
  })

  it('leaves everything to people when no engine can do it, at once or after the last try', async () => {
    const id = await chain({ engines: [first] }, { people })
    one.be(() => ({ status: 403, body: { error: 'Banned' } }))
    const { jobId, path } = await submitted(id, { a: 'Good morning' })
    await hub.advance('1s')
    const [request] = await requestsOf(path)
    const task = `/v2/providers/${people}/jobs/${jobId}/assetTasks/${request?.requestId}`
    expect(request).toMatchObject({ statusCode: 'SENT_TO_PROVIDER', hasError: false })
    expect((await segmentsAt(task, admin))[0]).toMatchObject({
      state: 'NEW',
      openReason: expect.stringMatching(/Banned/),
    })
    one.be(() => 'breaks')
    const away = await submitted(id, { a: 'Good morning' })
    await hub.advance('1s')
    expect((await requestsOf(away.path))[0]).toMatchObject({
      hasError: false,
      lastTry: expect.anything(),
    })
    await hub.advance('1d')
    const job = await hub.call('GET', away.path, { as })
    expect(job.body).toMatchObject({ providerId: people, chainId: id })
    const [left] = await requestsOf(away.path)
    expect(left).not.toHaveProperty('lastTry')
    const open = `/v2/providers/${people}/jobs/${away.jobId}/assetTasks/${left?.requestId}`
    expect((await segmentsAt(open, admin))[0]).toMatchObject({
      state: 'NEW',
      openReason: expect.stringMatching(/reached/),
    })
  })

  it('goes on to people once the rest of its requests are cancelled', async () => {
    const id = await chain({ engines: [first] }, { people })
    one.be(({ q }) =>
      q.includes('Good night') ? 'breaks' : { body: { translatedText: q.map(german) } },
    )
    const { jobId, path } = await submitted(id, { a: 'Good morning' }, { a: 'Good night' })
    await hub.advance('1s')
    const [, waiting] = await requestsOf(path)
    expect((await hub.call('GET', path, { as })).body.providerId).toBe(id)
    const cancelled = await hub.call(
      'PATCH',
      `/v2/providers/${id}/jobs/${jobId}/assetTasks/${waiting?.requestId}`,
      {
        as: admin,
        body: { statusCode: 'CANCELLED' },
      },
    )
    expect(cancelled.status, JSON.stringify(cancelled.body)).toBe(200)
    await hub.advance('1d')
    expect((await hub.call('GET', path, { as })).body.providerId).toBe(people)
  })

  it('is tried out as its engines are, without people', async () => {
    const id = await chain({ engines: [first, second] }, { people })
    one.be(() => ({ status: 403, body: { error: 'Banned' } }))
    const body = {
      text: 'Good morning',
      sourceNativeLanguageCode: 'en-us',
      targetNativeLanguageCode: 'de-de',
    }
    const tried = await hub.call('POST', `/v2/providers/${id}/test`, { as: admin, body })
    expect(tried.body).toMatchObject({ works: true, translation: 'Guten Morgen' })
  })
})
