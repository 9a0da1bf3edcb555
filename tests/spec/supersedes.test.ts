/** Contract, section 17: a newer source takes the place of an older one. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { enrolClient } from '../../packages/server/src/domain/sites/enrol-client.ts'
import { databases, startHub, type TestHub } from '../hub.ts'
import { prices, quoting } from '../quoting.ts'

type JsonObject = Record<string, unknown>
type Shown = {
  segmentId: string
  key?: string
  source: unknown[]
  target?: unknown[]
  state: string
  version: number
  before?: { source: unknown[]; target?: unknown[] }
}
const as = 'demo-connector'
const provider = 'demo-provider'
const page = (...texts: string[]) => texts.map((text) => `<p>${text}</p>\n`).join('')

describe.each(databases)('newer sources on %s', (database) => {
  let hub: TestHub
  let manual = ''
  beforeAll(async () => {
    hub = await startHub({ database })
    const { body } = await hub.call<{ providers: { id: string; name: string }[] }>(
      'GET',
      '/v2/providers',
      { as },
    )
    manual = body.providers.find(({ name }) => name === 'Manual')?.id ?? ''
    await quoting(hub).setPrices(prices)
    const other = await enrolClient(hub.inner, {
      clientId: 'other-site',
      siteId: 'other',
      scopes: ['content'],
    })
    hub.secrets.set('other-site', other.secret)
  })
  afterAll(() => hub.close())

  const call = <T = JsonObject>(method: string, path: string, body?: unknown, who = as) =>
    hub.call<T>(method, `/v2${path}`, { as: who, ...(body !== undefined && { body }) })
  const made = async () =>
    String((await call('POST', '/jobs', { jobName: 'Newer', shouldQuote: true })).body.jobId)
  const upload = async (jobId: string, name: string, text: string) => {
    const { body } = await call('POST', `/jobs/${jobId}/sourcefiles?fileName=${name}`)
    const form = new FormData()
    form.append('file', new Blob([text]), name)
    await fetch(String(body.fmsPostMultipartUrl), { method: 'POST', body: form })
    return { fmsFileId: body.fmsFileId }
  }
  const fieldsOf = (fields: Record<string, string>) => ({
    fields: Object.entries(fields).map(([key, value]) => ({ key, value })),
  })
  const add = (jobId: string, source: JsonObject, more: JsonObject = {}) =>
    call<{ requests: { requestId: string }[]; code?: string; by?: string; message?: string }>(
      'POST',
      `/jobs/${jobId}/requests/add`,
      {
        ...{ requestName: 'r', sourceNativeId: 'page', sourceNativeLanguageCode: 'en-us' },
        ...{ targetNativeLanguageCodes: ['de-de'], ...source, ...more },
      },
    )
  const submit = (jobId: string) =>
    call<{ code?: string; by?: string }>('PUT', `/jobs/${jobId}/submit`, { providerId: manual })
  const send = async (source: JsonObject | string, more: JsonObject = {}) => {
    const jobId = await made()
    const content = typeof source === 'string' ? await upload(jobId, 'p.html', source) : source
    const added = await add(jobId, content, more)
    expect(added.status, JSON.stringify(added.body)).toBe(201)
    expect((await submit(jobId)).status).toBe(200)
    await hub.advance('1s')
    const id = added.body.requests[0]?.requestId ?? ''
    return { jobId, id, task: `/providers/${manual}/jobs/${jobId}/assetTasks/${id}` }
  }
  const list = async (task: string) =>
    (await call<{ segments: Shown[] }>('GET', `${task}/segments`, undefined, provider)).body
      .segments
  const write = async (task: string, at: number, text: string, state = 'TRANSLATED') => {
    const segment = (await list(task))[at]
    const body = { target: [text], state, version: segment?.version }
    const path = `${task}/segments/${segment?.segmentId}`
    expect((await call('PUT', path, body, provider)).status).toBe(200)
  }
  const deliver = async (task: string) =>
    expect((await call('POST', `${task}/segments/deliver`, {}, provider)).status).toBe(200)
  const request = async ({ jobId, id }: { jobId: string; id: string }) =>
    (await call('GET', `/jobs/${jobId}/requests/${id}`)).body
  const short = (segments: Shown[]) =>
    segments.map(({ source, target, state }) => [
      source.join(''),
      ...(target ? [target.join('')] : []),
      state,
    ])

  it('cancels the older request and carries its targets over with their states', async () => {
    const older = await send(page('One apple.', 'Two pears.', 'Three plums.', 'Four nuts.'))
    await write(older.task, 0, 'Ein Apfel.')
    await write(older.task, 1, 'Zwei Birnen?', 'DRAFT')
    await write(older.task, 2, 'Drei Pflaumen.')
    const jobId = await made()
    const source = page('New first.', 'One apple.', 'Two pears.', 'Three plums now.', 'Four nuts.')
    const added = await add(jobId, await upload(jobId, 'p.html', source), { supersedes: older.id })
    const id = added.body.requests[0]?.requestId ?? ''
    expect(added.body.requests[0]).toMatchObject({ supersedes: older.id })
    expect(await request(older)).toMatchObject({ statusCode: 'IN_TRANSLATION' })
    expect(await request(older)).not.toHaveProperty('supersededBy')
    const quote = async () =>
      (await call<{ lines: { counts: JsonObject }[] }>('GET', `/jobs/${jobId}/quote`)).body.lines[0]
        ?.counts
    // What is a draft, changed or new is counted.
    expect(await quote()).toMatchObject({ segments: 4, words: 9 })
    expect((await submit(jobId)).status).toBe(200)
    expect(await request(older)).toMatchObject({
      ...{ statusCode: 'CANCELLED', cause: 'SUPERSEDED', supersededBy: id },
    })
    const updates = await call<{ statusupdates: JsonObject[] }>(
      'GET',
      `/statusupdates?jobId=${older.jobId}`,
    )
    expect(updates.body.statusupdates).toMatchObject([
      {
        ...{ statusCode: 'CANCELLED', requestIds: [older.id] },
        ...{ cause: 'SUPERSEDED', supersededBy: id },
      },
    ])
    expect((await call('GET', `/jobs/${older.jobId}`)).body.statusCode).toBe('CANCELLED')
    await hub.advance('1s')
    const task = `/providers/${manual}/jobs/${jobId}/assetTasks/${id}`
    const segments = await list(task)
    expect(short(segments)).toEqual([
      ['New first.', 'NEW'],
      ['One apple.', 'Ein Apfel.', 'TRANSLATED'],
      ['Two pears.', 'Zwei Birnen?', 'DRAFT'],
      ['Three plums now.', 'NEW'],
      ['Four nuts.', 'NEW'],
    ])
    expect(segments.map(({ before }) => before)).toEqual([
      undefined,
      undefined,
      undefined,
      { source: ['Three plums.'], target: ['Drei Pflaumen.'] },
      undefined,
    ])
    expect(await quote()).toMatchObject({ segments: 4, words: 9 })
    for (const [at, text] of [
      [0, 'Neu.'],
      [2, 'Zwei Birnen.'],
      [3, 'Nun drei Pflaumen.'],
      [4, 'Vier Nüsse.'],
    ] as const)
      await write(task, at, text)
    await deliver(task)
    const { headers } = await call('GET', `/jobs/${jobId}/requests/${id}/retrievefile`)
    expect(await (await fetch(String(headers.get('location')))).text()).toBe(
      page('Neu.', 'Ein Apfel.', 'Zwei Birnen.', 'Nun drei Pflaumen.', 'Vier Nüsse.'),
    )
  })

  it('carries what was delivered, approved and rejected', async () => {
    const older = await send(fieldsOf({ a: 'Alpha', b: 'Beta', c: 'Gamma' }))
    for (const [at, text] of ['A!', 'B!', 'C!'].entries()) await write(older.task, at, text)
    await deliver(older.task)
    const [a, b] = await list(older.task)
    const review = (segment: Shown | undefined, verdict: string) =>
      call(
        'PUT',
        `/jobs/${older.jobId}/requests/${older.id}/segments/${segment?.segmentId}/review`,
        {
          verdict,
        },
      )
    expect((await review(a, 'OK')).status).toBe(200)
    expect((await review(b, 'WRONG')).status).toBe(200)
    const newer = await send(fieldsOf({ a: 'Alpha', b: 'Beta', c: 'Gamma', d: 'Delta' }), {
      supersedes: older.id,
    })
    expect(short(await list(newer.task))).toEqual([
      ['Alpha', 'A!', 'APPROVED'],
      ['Beta', 'B!', 'REJECTED'],
      ['Gamma', 'C!', 'TRANSLATED'],
      ['Delta', 'NEW'],
    ])
    await write(newer.task, 0, 'A?')
    expect(short(await list(newer.task))[0]).toEqual(['Alpha', 'A?', 'TRANSLATED'])
    // A third version takes over from the second.
    const third = await send(fieldsOf({ d: 'Delta', c: 'Gamma', a: 'Alpha' }), {
      supersedes: newer.id,
    })
    expect(short(await list(third.task))).toEqual([
      ['Delta', 'NEW'],
      ['Gamma', 'C!', 'TRANSLATED'],
      ['Alpha', 'A?', 'TRANSLATED'],
    ])
  })

  it('leaves an approved request as it is, and carries it as approved', async () => {
    const older = await send(fieldsOf({ a: 'Alpha' }))
    await write(older.task, 0, 'A!')
    await deliver(older.task)
    const approved = { requestIds: [older.id] }
    await call('PUT', `/jobs/${older.jobId}/requests/approve`, approved)
    const newer = await send(fieldsOf({ a: 'Alpha', b: 'Beta' }), { supersedes: older.id })
    const left = await request(older)
    expect(left).toMatchObject({ statusCode: 'TRANSLATION_APPROVED', supersededBy: newer.id })
    expect(left).not.toHaveProperty('cause')
    expect(short(await list(newer.task))).toEqual([
      ['Alpha', 'A!', 'APPROVED'],
      ['Beta', 'NEW'],
    ])
  })

  it('refuses what is superseded already, by name', async () => {
    const older = await send(fieldsOf({ a: 'Alpha' }))
    const [first, second] = [await made(), await made()]
    const body = fieldsOf({ a: 'Alpha two' })
    const winner = await add(first, body, { supersedes: older.id })
    expect((await add(second, body, { supersedes: older.id })).status).toBe(201)
    const by = winner.body.requests[0]?.requestId
    const refused = { status: 409, body: { code: 'ALREADY_SUPERSEDED', by } }
    expect(await add(first, body, { supersedes: older.id })).toMatchObject(refused)
    expect((await submit(first)).status).toBe(200)
    expect(await submit(second)).toMatchObject(refused)
    expect((await call('GET', `/jobs/${second}`)).body.statusCode).toBe('CREATED')
    expect(await add(await made(), body, { supersedes: older.id })).toMatchObject(refused)
    expect((await submit(first)).status).toBe(200)
  })

  it.each<[string, JsonObject, JsonObject, number, string, RegExp]>([
    ['an unknown id', { supersedes: 'x'.repeat(22) }, {}, 404, 'REQUEST_NOT_FOUND', /xxx/],
    ['no id', { supersedes: 7 }, {}, 400, 'INVALID_REQUEST', /supersedes/],
    [
      'another target language',
      { targetNativeLanguageCodes: ['fr-fr'] },
      {},
      ...([400, 'INVALID_REQUEST', /from en-us to de-de.*to fr-fr/] as const),
    ],
    [
      'several languages',
      { targetNativeLanguageCodes: ['de-de', 'fr-fr'] },
      {},
      ...([400, 'INVALID_REQUEST', /2 languages/] as const),
    ],
    [
      'another source language',
      { sourceNativeLanguageCode: 'en-gb' },
      {},
      ...([400, 'INVALID_REQUEST', /from en-gb/] as const),
    ],
    ['fields for a file', {}, { file: true }, 400, 'INVALID_REQUEST', /has a file/],
  ])('refuses %s', async (_name, more, { file }, status, code, says) => {
    const older = await send(file ? page('Text') : fieldsOf({ a: 'Alpha' }))
    const answer = await add(await made(), fieldsOf({ a: 'B' }), { supersedes: older.id, ...more })
    expect(answer).toMatchObject({ status, body: { code } })
    expect(answer.body.message).toMatch(says)
    expect(await request(older)).not.toHaveProperty('supersededBy')
  })

  it('knows nothing of the requests of another site', async () => {
    const older = await send(fieldsOf({ a: 'Alpha' }))
    const path = '/jobs'
    const foreign = (await call('POST', path, { jobName: 'x' }, 'other-site')).body.jobId
    const body = {
      ...{ requestName: 'r', sourceNativeId: 'page', sourceNativeLanguageCode: 'en-us' },
      ...{ targetNativeLanguageCodes: ['de-de'], ...fieldsOf({ a: 'B' }), supersedes: older.id },
    }
    const answer = await call('POST', `${path}/${foreign}/requests/add`, body, 'other-site')
    expect(answer).toMatchObject({ status: 404, body: { code: 'REQUEST_NOT_FOUND' } })
  })

  it('supersedes within one job; what is left alone there is no work', async () => {
    const jobId = await made()
    const first = (await add(jobId, fieldsOf({ a: 'One' }))).body.requests[0]?.requestId
    const next = await add(jobId, fieldsOf({ a: 'Two' }), { supersedes: first })
    expect((await submit(jobId)).status).toBe(200)
    await hub.advance('1s')
    const { body } = await call<{ requests: JsonObject[] }>('GET', `/jobs/${jobId}/requests`)
    expect(body.requests).toMatchObject([
      { requestId: first, statusCode: 'CANCELLED', cause: 'SUPERSEDED' },
      { requestId: next.body.requests[0]?.requestId, statusCode: 'SENT_TO_PROVIDER' },
    ])
    // A job that was never submitted and whose only request another job took.
    const left = await made()
    const taken = (await add(left, fieldsOf({ a: 'One' }))).body.requests[0]?.requestId
    await send(fieldsOf({ a: 'Two' }), { supersedes: taken })
    expect(await submit(left)).toMatchObject({ status: 409, body: { code: 'JOB_EMPTY' } })
  })

  it.each(['archive', 'complete'])('takes a request of a job after %s', async (verb) => {
    const older = await send(fieldsOf({ a: 'Alpha', b: 'Beta' }))
    await write(older.task, 0, 'A!')
    await write(older.task, 1, 'B!')
    await deliver(older.task)
    await call('PUT', `/jobs/${older.jobId}/complete`)
    if (verb === 'archive') {
      await call('PUT', `/jobs/${older.jobId}/archive`)
      await hub.advance('1m')
    }
    const newer = await send(fieldsOf({ a: 'Alpha', b: 'Beta two' }), { supersedes: older.id })
    expect((await list(newer.task))[0]).toMatchObject({ target: ['A!'], state: 'TRANSLATED' })
    if (verb === 'archive') await call('PUT', `/jobs/${older.jobId}/unarchive`)
    await hub.advance('1m')
    expect(await request(older)).toMatchObject({ statusCode: 'CANCELLED', cause: 'SUPERSEDED' })
    expect((await call('GET', `/jobs/${older.jobId}`)).body.statusCode).toBe('COMPLETED')
  })

  it('ends in one of two ways if it is approved in the same second', async () => {
    for (let round = 0; round < 4; round += 1) {
      const older = await send(fieldsOf({ a: 'Alpha' }))
      await write(older.task, 0, 'A!')
      await deliver(older.task)
      const jobId = await made()
      await add(jobId, fieldsOf({ a: 'Alpha', b: 'Beta' }), { supersedes: older.id })
      const [approved, submitted] = await Promise.all([
        call('PUT', `/jobs/${older.jobId}/requests/approve`, { requestIds: [older.id] }),
        submit(jobId),
      ])
      expect(submitted.status).toBe(200)
      const { statusCode, supersededBy } = await request(older)
      expect(supersededBy).toBeTypeOf('string')
      expect([approved.status, statusCode]).toEqual(
        approved.status === 200 ? [200, 'TRANSLATION_APPROVED'] : [409, 'CANCELLED'],
      )
    }
  })

  it('is refused at the submission if either was changed since', async () => {
    const older = await send(fieldsOf({ a: 'Alpha' }))
    const jobId = await made()
    const added = await add(jobId, fieldsOf({ a: 'Beta' }), { supersedes: older.id })
    const path = `/jobs/${jobId}/requests/${added.body.requests[0]?.requestId}`
    await call('PATCH', path, { targetNativeLanguageCode: 'fr-fr' })
    const refused = await submit(jobId)
    expect(refused).toMatchObject({ status: 400, body: { code: 'INVALID_REQUEST' } })
    expect(JSON.stringify(refused.body)).toContain('to de-de, and this request from en-us to fr-fr')
    await call('PATCH', path, { targetNativeLanguageCode: 'de-DE' })
    expect((await submit(jobId)).status).toBe(200)
  })

  it('starts from nothing if the older job was deleted', async () => {
    const older = await send(fieldsOf({ a: 'Alpha' }))
    await write(older.task, 0, 'A!')
    const jobId = await made()
    const added = await add(jobId, fieldsOf({ a: 'Alpha' }), { supersedes: older.id })
    await call('PUT', `/jobs/${older.jobId}/complete`)
    expect((await call('DELETE', `/jobs/${older.jobId}`)).status).toBe(200)
    expect((await submit(jobId)).status).toBe(200)
    await hub.advance('1s')
    const id = added.body.requests[0]?.requestId
    const task = `/providers/${manual}/jobs/${jobId}/assetTasks/${id}`
    expect(short(await list(task))).toEqual([['Alpha', 'NEW']])
  })
})
