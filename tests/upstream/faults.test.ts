/** Everything that an upstream can do wrong, and what the connector at the front sees then. */
import { createHmac } from 'node:crypto'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { databases } from '../hub.ts'
import { type Between, type Passing, startBetween } from './between.ts'
import { admin, connector, type HubPair, startPair, translator } from './pair.ts'

const html = '<p>The <b>dog</b> sleeps.</p>'
const german = '<p>Der <b>Hund</b> schläft.</p>'
const page = { requestName: 'Page', sourceNativeId: 'p' }
const languages = { sourceNativeLanguageCode: 'en-us', targetNativeLanguageCodes: ['de-de'] }

describe.each(databases)('an upstream on %s', (database) => {
  let pair: HubPair
  let between: Between
  let manual: string
  beforeAll(async () => {
    pair = await startPair(database)
    between = await startBetween(pair.beyond.hub.url)
    manual = await pair.beyond.provider('Manual')
  })
  afterAll(async () => {
    await Promise.all([pair.close(), between.close()])
  })
  const begun: string[] = []
  beforeEach(() => between.reset())
  // A job that is still followed would be read in every later test.
  afterEach(async () => {
    for (const jobId of begun.splice(0))
      await pair.front.call(connector, 'PUT', `/jobs/${jobId}/complete`)
  })

  const lead = (config: object = {}) => pair.lead('Manual', { url: between.url, ...config })
  const submit = async (providerId: string) => {
    const { front } = pair
    const { jobId } = (
      await front.call<{ jobId: string }>(connector, 'POST', '/jobs', { jobName: 'Across' })
    ).body
    const fmsFileId = await front.upload(jobId, 'page.html', html)
    await front.call(connector, 'POST', `/jobs/${jobId}/requests/add`, {
      ...page,
      ...languages,
      fmsFileId,
    })
    const sent = await front.call(connector, 'PUT', `/jobs/${jobId}/submit`, { providerId })
    expect(sent.status, JSON.stringify(sent.body)).toBe(200)
    begun.push(jobId)
    return jobId
  }
  /** A job that is at the upstream. */
  const begin = async (config: object = {}) => {
    const providerId = await lead(config)
    const jobId = await submit(providerId)
    await pair.settle()
    const there = (await pair.front.job(jobId)).upstream?.jobId ?? ''
    const [request] = await pair.beyond.requests(there)
    const deliver = (made: string) =>
      pair.beyond.deliver(manual, there, request?.requestId ?? '', made)
    return { providerId, jobId, there, theirRequest: request?.requestId ?? '', deliver }
  }
  const seen = async (jobId: string) => {
    const [request] = await pair.front.requests(jobId)
    return {
      status: request?.statusCode,
      error: request?.latestErrorMessage,
      waits: request?.lastTry?.message,
    }
  }
  const isCall = (method: string, path: RegExp) => (call: Passing) =>
    call.method === method && path.test(call.path)

  type Outage = [
    string,
    (call: Passing) => { status: number; headers?: Record<string, string> } | undefined,
    RegExp,
  ]
  const outages: Outage[] = [
    [
      'answers 500 for an hour',
      ({ path }) => (path.startsWith('/v2') ? { status: 500 } : undefined),
      /answered 500/,
    ],
    ['is away for an hour', () => ({ status: 503 }), /answered 503/],
    [
      'loses its token',
      ({ path }) => (path.startsWith('/v2') ? { status: 401 } : undefined),
      /refuses the credentials/,
    ],
  ]
  it.each(outages)(
    'that %s: the request waits with the reason, one error says so, then it goes on',
    async (_, answer, says) => {
      const { front } = pair
      const { jobId, deliver } = await begin()
      between.answer = answer
      await deliver(german)
      await front.hub.advance('30s')
      expect((await seen(jobId)).waits).toMatch(says)
      expect(await front.updates(jobId)).toEqual([])
      for (let quarter = 0; quarter < 6; quarter += 1) await front.hub.advance('16m')
      expect((await seen(jobId)).error).toMatch(says)
      expect(await front.updates(jobId), 'once').toHaveLength(1)
      between.answer = () => undefined
      await front.hub.advance('16m')
      expect(await seen(jobId)).toEqual({
        status: 'REVIEW_TRANSLATION',
        error: undefined,
        waits: undefined,
      })
      const { body } = await front.call<{ timeline: { statusCode?: number; tries: number }[] }>(
        connector,
        'GET',
        `/jobs/${jobId}/timeline?kind=upstream&only=errors`,
      )
      expect(body.timeline, 'one entry for all tries').toMatchObject([
        { tries: expect.any(Number) },
      ])
      expect(body.timeline[0]?.tries).toBeGreaterThan(5)
      const updates = await front.updates(jobId)
      expect([updates.length, updates.at(-1)]).toEqual([2, 'REVIEW_TRANSLATION'])
    },
  )

  it('that throttles slows only its own jobs, for as long as it asks', async () => {
    const { front } = pair
    const throttled = await lead()
    between.answer = ({ path }) =>
      path.startsWith('/v2') ? { status: 429, headers: { 'retry-after': '600' } } : undefined
    const [slow, slower] = [await submit(throttled), await submit(throttled)]
    const quick = await submit(await pair.lead('Pseudo'))
    await pair.settle()
    expect((await seen(quick)).status).toBe('REVIEW_TRANSLATION')
    const isNew = isCall('POST', /^\/v2\/jobs$/)
    const calls = between.seen.filter(isNew).length
    await front.hub.advance('5m')
    expect(between.seen.filter(isNew)).toHaveLength(calls)
    between.answer = () => undefined
    await front.hub.advance('6m')
    expect([
      (await front.job(slow)).upstream?.jobId,
      (await front.job(slower)).upstream?.jobId,
    ]).toEqual([expect.any(String), expect.any(String)])
  })

  it.each([
    ['the new job', /^\/v2\/jobs$/],
    ['the requests', /\/requests\/add$/],
  ])('that says that an earlier call for %s is still under way is asked again', async (_, path) => {
    const { front } = pair
    const providerId = await lead()
    const isPath = isCall('POST', path)
    const body = { code: 'IDEMPOTENCY_IN_PROGRESS', message: 'Retry in a moment.', traceId: 'a' }
    between.answer = (call) =>
      isPath(call) ? { status: 409, body, headers: { 'retry-after': '1' } } : undefined
    const jobId = await submit(providerId)
    await pair.settle()
    expect(between.seen.filter(isPath)).not.toEqual([])
    expect(await seen(jobId)).toMatchObject({
      error: undefined,
      waits: expect.stringMatching('Retry in a moment'),
    })
    between.answer = () => undefined
    await front.hub.advance('2s')
    const there = (await front.job(jobId)).upstream?.jobId ?? ''
    expect(await pair.beyond.requests(there)).toHaveLength(1)
  })

  it('that sends updates twice and out of order changes nothing by it; a call that is not signed is refused', async () => {
    const { front, beyond } = pair
    const { providerId, jobId, there, theirRequest, deliver } = await begin()
    await deliver(german)
    await pair.settle()
    const secret = front.hub.inner.vault.sign('upstream', providerId)
    const tell = (statusCode: string, key = secret) => {
      const body = JSON.stringify({
        eventType: 'REQUEST_UPDATE',
        jobId: there,
        requestIds: [theirRequest],
        statusCode,
      })
      const signature = `v1,${createHmac('sha256', key).update(`a.1.${body}`).digest('base64')}`
      const headers = {
        'webhook-id': 'a',
        'webhook-timestamp': '1',
        'webhook-signature': signature,
      }
      return front.hub.call('POST', `/upstream/${providerId}`, { body, headers })
    }
    for (const status of [
      'REVIEW_TRANSLATION',
      'IN_TRANSLATION',
      'REVIEW_TRANSLATION',
      'CANCELLED',
    ])
      expect((await tell(status)).status).toBe(204)
    expect((await tell('CANCELLED', Buffer.from('wrong'))).status).toBe(401)
    await pair.settle()
    expect(await front.updates(jobId)).toEqual(['REVIEW_TRANSLATION'])
    expect(await seen(jobId)).toMatchObject({ status: 'REVIEW_TRANSLATION' })
    const listeners = await beyond.call<{ listeners: { uri: string }[] }>(
      admin,
      'GET',
      '/statusupdates/listeners',
    )
    expect(listeners.body.listeners.filter(({ uri }) => uri.endsWith(providerId))).toHaveLength(2)
  })

  it('that calls is heard at once, without waiting for the next look', async () => {
    const { jobId, deliver } = await begin()
    await deliver(german)
    await expect.poll(async () => (await seen(jobId)).status).toBe('REVIEW_TRANSLATION')
  })

  it('that never calls loses nothing, and its updates are acknowledged', async () => {
    const { front, beyond } = pair
    between.answer = (call) =>
      call.path.startsWith('/v2/statusupdates/listeners') ? { status: 404 } : undefined
    const { jobId, there, deliver } = await begin()
    await deliver(german)
    await front.hub.advance('16m')
    expect((await seen(jobId)).status).toBe('REVIEW_TRANSLATION')
    const left = await beyond.call<{ statusupdates: object[] }>(
      admin,
      'GET',
      `/statusupdates?jobId=${there}`,
    )
    expect(left.body.statusupdates).toEqual([])
  })

  it('that never calls is told after a restart too that its updates arrived', async () => {
    const { front, beyond } = pair
    const noListeners: Between['answer'] = (call) =>
      call.path.startsWith('/v2/statusupdates/listeners') ? { status: 404 } : undefined
    between.answer = noListeners
    const { jobId, there, deliver } = await begin()
    await front.hub.restart()
    await deliver(german)
    await front.hub.advance('16m')
    expect((await seen(jobId)).status).toBe('REVIEW_TRANSLATION')
    const left = await beyond.call<{ statusupdates: object[] }>(
      admin,
      'GET',
      `/statusupdates?jobId=${there}`,
    )
    expect(left.body.statusupdates).toEqual([])
  })

  const proxies: [string, { status: number; body?: object; headers?: Record<string, string> }][] = [
    ['an HTML 404', { status: 404, headers: { 'content-type': 'text/html' } }],
    ['a redirect to a page', { status: 302, headers: { location: '/maintenance' } }],
    ['a redirect that keeps the method', { status: 307, headers: { location: '/maintenance' } }],
    ['a 404 that is no error object', { status: 404, body: { message: 'no route' } }],
    ['an error of another service', { status: 400, body: { code: 'EBADROUTE', message: 'no' } }],
    ['an unknown path of a hub', { status: 404, body: { code: 'NOT_FOUND', message: 'no path' } }],
  ]
  it.each(proxies)('whose proxy answers %s for a while loses nothing', async (_, reply) => {
    const { front } = pair
    const { jobId, there, deliver } = await begin()
    between.answer = ({ path }) =>
      path.startsWith('/v2/') ? (reply as ReturnType<Between['answer']>) : undefined
    await deliver(german)
    await front.hub.advance('30s')
    expect(await seen(jobId)).toMatchObject({ status: 'SENT_TO_PROVIDER', error: undefined })
    between.answer = () => undefined
    await front.hub.advance('16m')
    expect(await seen(jobId)).toMatchObject({ status: 'REVIEW_TRANSLATION', error: undefined })
    expect((await front.job(jobId)).upstream?.jobId).toBe(there)
    expect(await front.updates(jobId)).toEqual(['REVIEW_TRANSLATION'])
  })

  const pauses = [
    ['archived', 'archive', 'unarchive'],
    ['completed', 'complete', 'intranslation'],
  ] as const
  it.each(pauses)(
    'that is taken at once delivers to a job that was %s meanwhile',
    async (_, stop, goOn) => {
      const { front, beyond } = pair
      const { jobId, deliver, there } = await begin({ review: 'TAKE' })
      // What is delivered there is not read before the job is closed here.
      between.answer = ({ path }) => (path.startsWith('/v2/') ? { status: 503 } : undefined)
      await deliver(german)
      await front.hub.advance('1s')
      await front.call(connector, 'PUT', `/jobs/${jobId}/${stop}`)
      between.answer = () => undefined
      await pair.settle('16m')
      expect(await front.updates(jobId)).toEqual([])
      await front.call(connector, 'PUT', `/jobs/${jobId}/${goOn}`)
      for (let turn = 0; turn < 3; turn += 1) await pair.settle('16m')
      expect((await seen(jobId)).status).toBe('REVIEW_TRANSLATION')
      expect(await front.updates(jobId)).toEqual(['REVIEW_TRANSLATION'])
      expect(await beyond.statuses(there)).toEqual(['TRANSLATION_APPROVED'])
    },
  )

  it('that deletes the job: an error says so, and an invocation sends it anew', async () => {
    const { front } = pair
    const { providerId, jobId, there } = await begin()
    between.answer = (call) =>
      call.path.includes(there)
        ? { status: 404, body: { code: 'JOB_NOT_FOUND', message: `There is no job ${there}.` } }
        : undefined
    await front.hub.advance('16m')
    expect(await front.updates(jobId)).toEqual([
      expect.stringContaining(`no longer has this job: There is no job ${there}`),
    ])
    await front.call(admin, 'POST', `/providers/${providerId}/invocations`, { jobId })
    await pair.settle()
    const again = (await front.job(jobId)).upstream?.jobId ?? ''
    expect([again !== there, await pair.beyond.statuses(again)]).toEqual([
      true,
      ['SENT_TO_PROVIDER'],
    ])
  })

  it('that changes the language of a request: an error names both, and nothing of it is taken', async () => {
    const { jobId, theirRequest, deliver } = await begin()
    between.change = (call, answered) =>
      isCall('GET', /\/requests$/)(call)
        ? (JSON.parse(JSON.stringify(answered).replaceAll('"de-de"', '"fr-fr"')) as typeof answered)
        : answered
    await deliver(german)
    await pair.settle('16m')
    expect(theirRequest).not.toBe('')
    expect(await seen(jobId)).toMatchObject({
      status: 'SENT_TO_PROVIDER',
      error: expect.stringMatching(/from de-de to fr-fr/),
    })
    expect(await pair.front.updates(jobId)).toHaveLength(1)
  })

  it('that delivers a broken file: an error here, a rejection with the sentence there, and the next one is taken', async () => {
    const { front, beyond } = pair
    const json = await lead()
    const { jobId } = (
      await front.call<{ jobId: string }>(connector, 'POST', '/jobs', { jobName: 'Across' })
    ).body
    const fmsFileId = await front.upload(jobId, 'texts.json', '{"a":"The dog"}')
    await front.call(connector, 'POST', `/jobs/${jobId}/requests/add`, {
      ...page,
      ...languages,
      fmsFileId,
    })
    await front.call(connector, 'PUT', `/jobs/${jobId}/submit`, { providerId: json })
    await pair.settle()
    const there = (await front.job(jobId)).upstream?.jobId ?? ''
    const [request] = await beyond.requests(there)
    await beyond.deliver(manual, there, request?.requestId ?? '', '{"a":"Der Hund"')
    await pair.settle()
    expect((await seen(jobId)).error).toMatch(/cannot be used: /)
    const [rejected] = await beyond.requests(there)
    expect(rejected).toMatchObject({
      statusCode: 'TRANSLATION_REJECTED',
      rejectNote: expect.stringContaining('cannot be used: '),
    })
    await beyond.deliver(manual, there, request?.requestId ?? '', '{"a":"Der Hund"}')
    await pair.settle()
    expect(await seen(jobId)).toEqual({
      status: 'REVIEW_TRANSLATION',
      error: undefined,
      waits: undefined,
    })
    expect(await front.updates(jobId)).toHaveLength(2)
  })

  it('that is another version: without lists, listeners and our members the job still goes round', async () => {
    const { front, beyond } = pair
    between.answer = (call) => {
      if (call.path.startsWith('/v2/statusupdates/listeners')) return { status: 404 }
      const isList = isCall('POST', /requests\/add$/)(call) && call.body.includes('"requests"')
      return isList ? { status: 400, body: { message: 'requestName is required.' } } : undefined
    }
    between.change = (
      _,
      { _embedded, _links, next, upstream, hops, routedBy, segmentation, ...plain },
    ) => plain
    const providerId = await lead()
    const { jobId } = (
      await front.call<{ jobId: string }>(connector, 'POST', '/jobs', { jobName: 'Across' })
    ).body
    const requests = ['a', 'b', 'c'].map((key) => ({
      requestName: key,
      sourceNativeId: key,
      ...languages,
      fields: [{ key, value: 'The dog' }],
    }))
    await front.call(connector, 'POST', `/jobs/${jobId}/requests/add`, { requests })
    await front.call(connector, 'PUT', `/jobs/${jobId}/submit`, { providerId })
    await pair.settle()
    const there = (await front.job(jobId)).upstream?.jobId ?? ''
    const theirs = await beyond.requests(there)
    expect(theirs.map(({ requestName }) => requestName)).toEqual(['a', 'b', 'c'])
    for (const { requestName, requestId } of theirs)
      await beyond.deliver(manual, there, requestId, { [requestName]: `Der Hund ${requestName}` })
    await pair.settle('16m')
    expect(await front.statuses(jobId)).toEqual(Array(3).fill('REVIEW_TRANSLATION'))
  })

  it('that refuses the job: its sentence is the error, once', async () => {
    const { front } = pair
    const jobId = await submit(await lead({ providerId: 'a'.repeat(22) }))
    await pair.settle()
    await pair.settle('16m')
    expect(await front.updates(jobId)).toEqual([
      expect.stringMatching(/^SENT_TO_PROVIDER: The upstream answered 404: /),
    ])
  })

  const lost: [string, (call: Passing) => boolean][] = [
    ['of the new job', isCall('POST', /\/v2\/jobs$/)],
    ['of the requests', isCall('POST', /requests\/add$/)],
    ['of the submission', isCall('PUT', /submit$/)],
    ['of the approval', isCall('PUT', /approve$/)],
  ]
  it.each(lost)('whose answer %s is lost has the effect once', async (_, isLost) => {
    const { beyond } = pair
    let losses = 0
    between.change = (call, answered) => {
      if (!isLost(call) || losses > 0) return answered
      losses += 1
      throw new Error('lost')
    }
    const { jobId, there, theirRequest } = await begin()
    await pair.front.hub.advance('2m')
    const at = (await pair.front.job(jobId)).upstream?.jobId ?? there
    const [request, ...others] = await beyond.requests(at)
    expect([others, theirRequest === '' || theirRequest === request?.requestId]).toEqual([[], true])
    await beyond.deliver(manual, at, request?.requestId ?? '', german)
    await pair.settle('2m')
    const [ours] = await pair.front.requests(jobId)
    await pair.front.call(connector, 'PUT', `/jobs/${jobId}/requests/approve`, {
      requestIds: [ours?.requestId],
    })
    await pair.settle('2m')
    await pair.front.hub.advance('2m')
    expect(await beyond.statuses(at)).toEqual(['TRANSLATION_APPROVED'])
    const all = await beyond.call<{ jobs: { jobName: string; jobId: string }[] }>(
      translator,
      'GET',
      `/providers/${manual}/jobs?filter=${encodeURIComponent(`jobId eq '${at}'`)}`,
    )
    expect([losses, all.body.jobs.length]).toEqual([1, 1])
  })
})
