/**
 * A job goes on to another hub and comes back: files and inline content, both kinds of review, and
 * each way a job can end.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { databases } from '../hub.ts'
import { until } from '../hub-place.ts'
import { admin, connector, type HubPair, startPair, translator } from './pair.ts'

type Told = {
  readonly method: string
  readonly route: string
  readonly statusCode?: number
  readonly tries: number
  readonly traceId?: string
}

const html = '<p>The dog sleeps in the garden.</p>'
const german = '<p>Der Hund schläft im Garten.</p>'

describe.each(databases)('a job that is sent on, on %s', (database) => {
  let pair: HubPair
  beforeAll(async () => {
    pair = await startPair(database)
  })
  afterAll(() => pair.close())

  const create = async (providerId: string, more: object = {}) => {
    const { front } = pair
    const body = {
      jobName: 'Across',
      poReference: 'PO 7',
      labels: ['a'],
      extendedMetadata: { b: 1 },
      ...more,
    }
    const { jobId } = (await front.call<{ jobId: string }>(connector, 'POST', '/jobs', body)).body
    const languages = { sourceNativeLanguageCode: 'en-us', targetNativeLanguageCodes: ['de-de'] }
    const fmsFileId = await front.upload(jobId, 'page.html', html)
    const requests = [
      { requestName: 'Page', sourceNativeId: 'p', ...languages, fmsFileId },
      {
        requestName: 'Texts',
        sourceNativeId: 't',
        ...languages,
        fields: [{ key: 'title', value: 'The dog' }],
      },
    ]
    const added = await front.call(connector, 'POST', `/jobs/${jobId}/requests/add`, { requests })
    expect(added.status, JSON.stringify(added.body)).toBe(201)
    const sent = await front.call(connector, 'PUT', `/jobs/${jobId}/submit`, { providerId })
    expect(sent.status, JSON.stringify(sent.body)).toBe(200)
    return jobId
  }
  const theirs = async (jobId: string) => (await pair.front.job(jobId)).upstream?.jobId ?? ''

  it('shows what came from there, whatever was written here at the desk', async () => {
    const { front, beyond, settle } = pair
    const providerId = await pair.lead('Manual', {})
    const jobId = await create(providerId)
    await settle()
    const requests = await front.requests(jobId)
    const texts = requests.find(({ requestName }) => requestName === 'Texts')?.requestId ?? ''
    type Segment = { segmentId: string; target?: string[]; state: string; version: number }
    const task = `/providers/${providerId}/jobs/${jobId}/assetTasks/${texts}`
    const read = async () =>
      (await front.call<{ segments: Segment[] }>(admin, 'GET', `${task}/segments`)).body.segments
    const [segment] = (await read()) as [Segment]
    const put = (version: number) =>
      front.call(admin, 'PUT', `${task}/segments/${segment.segmentId}`, {
        ...{ target: ['Entwurf'], state: 'TRANSLATED', version },
      })
    expect((await put(0)).status).toBe(200)
    const there = await theirs(jobId)
    const other = (await beyond.requests(there)).find(({ requestName }) => requestName === 'Texts')
    await beyond.deliver(await beyond.provider('Manual'), there, other?.requestId ?? '', {
      title: 'Der Hund',
    })
    await settle()
    expect(await read()).toMatchObject([{ target: ['Der Hund'], state: 'TRANSLATED', version: 2 }])
    expect((await put(1)).status).toBe(409)
  })

  it('is translated there, taken at once, and looks here like any other', async () => {
    const { front, beyond, settle } = pair
    const jobId = await create(await pair.lead('Pseudo', { review: 'TAKE' }))
    await settle()
    expect(await front.statuses(jobId)).toEqual(['REVIEW_TRANSLATION', 'REVIEW_TRANSLATION'])
    const there = await theirs(jobId)
    expect(await front.job(jobId)).toMatchObject({
      statusCode: 'IN_TRANSLATION',
      upstream: { url: beyond.hub.url },
    })
    expect(await beyond.statuses(there)).toEqual(['TRANSLATION_APPROVED', 'TRANSLATION_APPROVED'])
    expect(await beyond.job(there)).toMatchObject({
      jobName: 'Across',
      poReference: 'PO 7',
      labels: ['a'],
      extendedMetadata: { b: 1 },
      hops: [expect.any(String)],
    })
    const [page, texts] = await front.requests(jobId)
    const [pageThere, textsThere] = await beyond.requests(there)
    for (const [here, other] of [
      [page, pageThere],
      [texts, textsThere],
    ] as const)
      expect(await front.download(jobId, here?.requestId ?? '')).toBe(
        await beyond.download(there, other?.requestId ?? ''),
      )
    expect(await front.download(jobId, page?.requestId ?? '')).toMatch(/<p>.*\p{Lu}.*<\/p>/u)
    await front.call(connector, 'PUT', `/jobs/${jobId}/requests/approve`, {
      requestIds: [page?.requestId, texts?.requestId],
    })
    await front.call(connector, 'PUT', `/jobs/${jobId}/complete`)
    await settle()
    expect(await beyond.job(there)).toMatchObject({ statusCode: 'COMPLETED' })
    const { body } = await front.call<{ timeline: Told[] }>(
      connector,
      'GET',
      `/jobs/${jobId}/timeline?kind=upstream&pageSize=200`,
    )
    const told = body.timeline.map(
      ({ method, route, statusCode }) => `${method} ${route} ${statusCode}`,
    )
    const job = `/v2/jobs/${there}`
    expect(
      told.filter((one) => !one.startsWith('GET')),
      'each change once, no secret, no poll',
    ).toEqual([
      'POST /v2/jobs 201',
      `POST ${job}/sourcefiles 201`,
      'POST /fms/… 201',
      `POST ${job}/requests/add 201`,
      `PUT ${job}/submit 200`,
      `PUT ${job}/requests/approve 200`,
      `PUT ${job}/complete 200`,
    ])
    const [page1, texts1] = [pageThere, textsThere].map(
      (one) => `GET ${job}/requests/${one?.requestId}/retrievefile 307`,
    )
    expect(told).toEqual(
      expect.arrayContaining([page1, texts1, 'GET /fms/… 200', `GET ${job} 200`]),
    )
    const submit = body.timeline.find(({ route }) => route.endsWith('/submit'))
    expect(submit).toMatchObject({
      causeId: expect.stringMatching(/^task:/),
      durationMs: expect.any(Number),
      tries: 1,
    })
    const same = await until('the same call is in the log of the other side', async () => {
      const { status, body } = await beyond.call(admin, 'GET', `/calls/${submit?.traceId}`)
      return status === 200 && body
    })
    expect(same).toMatchObject({ jobId: there, method: 'PUT' })
    await settle('1h')
    await settle('1h')
    const later = await front.call<{ timeline: Told[] }>(
      connector,
      'GET',
      `/jobs/${jobId}/timeline?kind=upstream&pageSize=200`,
    )
    expect(later.body.timeline, 'looking leaves nothing').toHaveLength(body.timeline.length)
    await front.call(connector, 'PUT', `/jobs/${jobId}/archive`)
    await settle()
    expect(await beyond.job(there)).toMatchObject({ archived: true })
  })

  it('waits for the review here: a rejection goes on with its note, the second delivery comes back, the approval ends it', async () => {
    const { front, beyond, settle } = pair
    const jobId = await create(await pair.lead('Manual'))
    await settle()
    const there = await theirs(jobId)
    const manual = await beyond.provider('Manual')
    const [pageThere, textsThere] = await beyond.requests(there)
    expect(await front.statuses(jobId)).toEqual(['SENT_TO_PROVIDER', 'SENT_TO_PROVIDER'])
    const path = `/providers/${manual}/jobs/${there}`
    await beyond.call(translator, 'PATCH', path, { statusCode: 'IN_TRANSLATION' })
    await beyond.call(translator, 'PATCH', `${path}/assetTasks/${pageThere?.requestId}`, {
      statusCode: 'IN_TRANSLATION',
    })
    await settle()
    expect(await front.statuses(jobId)).toEqual(['IN_TRANSLATION', 'SENT_TO_PROVIDER'])
    await beyond.deliver(manual, there, pageThere?.requestId ?? '', german)
    await beyond.deliver(manual, there, textsThere?.requestId ?? '', { title: 'Der Hund' })
    await settle()
    const [page, texts] = await front.requests(jobId)
    expect(await front.download(jobId, page?.requestId ?? '')).toBe(german)
    expect(await beyond.statuses(there), 'left in review').toEqual([
      'REVIEW_TRANSLATION',
      'REVIEW_TRANSLATION',
    ])
    const ids = { page: page?.requestId ?? '', texts: texts?.requestId ?? '' }
    await front.call(connector, 'PUT', `/jobs/${jobId}/requests/approve`, {
      requestIds: [ids.texts],
    })
    await front.call(connector, 'PUT', `/jobs/${jobId}/requests/reject`, {
      requestIds: [ids.page],
      note: 'Not in the garden.',
    })
    await settle()
    const [rejected, approved] = await beyond.requests(there)
    expect([rejected?.statusCode, rejected?.rejectNote, approved?.statusCode]).toEqual([
      'TRANSLATION_REJECTED',
      'Not in the garden.',
      'TRANSLATION_APPROVED',
    ])
    await beyond.deliver(manual, there, pageThere?.requestId ?? '', german.replace('Garten', 'Hof'))
    await settle()
    expect(await front.download(jobId, ids.page)).toContain('Hof')
    await front.call(connector, 'PUT', `/jobs/${jobId}/requests/approve`, {
      requestIds: [ids.page],
    })
    await settle()
    expect(await beyond.statuses(there)).toEqual(['TRANSLATION_APPROVED', 'TRANSLATION_APPROVED'])
    expect(await front.updates(jobId)).toEqual(Array(3).fill('REVIEW_TRANSLATION'))
    await front.call(connector, 'PUT', `/jobs/${jobId}/complete`)
    await settle()
    await front.call(connector, 'PUT', `/jobs/${jobId}/intranslation`)
    await settle()
    expect(await beyond.job(there), 'reopened here, reopened there').toMatchObject({
      statusCode: 'IN_TRANSLATION',
    })
  })

  it('errors there come here with their sentences, and so does the end of a request and of the job', async () => {
    const { front, beyond, settle } = pair
    const jobId = await create(await pair.lead('Manual'))
    await settle()
    const there = await theirs(jobId)
    const path = `/providers/${await beyond.provider('Manual')}/jobs/${there}`
    const [page] = await beyond.requests(there)
    await beyond.call(translator, 'PATCH', `${path}/assetTasks/${page?.requestId}`, {
      hasError: true,
      errorMessage: 'The picture is missing.',
    })
    await settle()
    await settle()
    expect(await front.updates(jobId)).toEqual(['SENT_TO_PROVIDER: The picture is missing.'])
    await beyond.call(translator, 'PATCH', path, { statusCode: 'CANCELLED' })
    await settle()
    expect(await front.statuses(jobId)).toEqual(['CANCELLED', 'CANCELLED'])
    expect(await front.job(jobId)).toMatchObject({ statusCode: 'CANCELLED' })
  })

  it('a job that is cancelled here and still runs there is found; one that can end there ends', async () => {
    const { front, beyond, settle } = pair
    const providerId = await pair.lead('Manual')
    const jobId = await create(providerId)
    await settle()
    const there = await theirs(jobId)
    const cancelled = await front.call(admin, 'PATCH', `/providers/${providerId}/jobs/${jobId}`, {
      statusCode: 'CANCELLED',
    })
    expect(cancelled.status, JSON.stringify(cancelled.body)).toBe(200)
    await settle()
    const { body } = await front.call<{ findings: { rule: string; says: string }[] }>(
      admin,
      'GET',
      '/findings',
    )
    expect(JSON.stringify(body)).toContain(`still runs as job ${there}`)
    await beyond.call(
      translator,
      'PATCH',
      `/providers/${await beyond.provider('Manual')}/jobs/${there}`,
      {
        statusCode: 'CANCELLED',
      },
    )
    await front.call(connector, 'DELETE', `/jobs/${jobId}`)
    await settle()
    expect((await beyond.call(connector, 'GET', `/jobs/${there}`)).status).toBe(404)
  })

  it('after TAKE a rejection comes too late, and its sender is told so', async () => {
    const { front, settle } = pair
    const jobId = await create(await pair.lead('Pseudo', { review: 'TAKE' }))
    await settle()
    const requestIds = (await front.requests(jobId)).map(({ requestId }) => requestId)
    await front.call(connector, 'PUT', `/jobs/${jobId}/requests/reject`, {
      requestIds,
      note: 'No.',
    })
    await settle()
    await settle()
    const [first] = await front.requests(jobId)
    expect(first).toMatchObject({
      statusCode: 'TRANSLATION_REJECTED',
      latestErrorMessage: expect.stringContaining('approved at the upstream'),
    })
    expect(
      (await front.updates(jobId)).filter((one) => one.includes('approved at the upstream')),
    ).toHaveLength(2)
  })
})
