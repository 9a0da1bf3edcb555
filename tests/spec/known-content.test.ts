/** Contract, section 17: what the hub already has, by id and hash of the source. */
import { createHash } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { enrolClient } from '../../packages/server/src/domain/sites/enrol-client.ts'
import { databases, startHub, type TestHub } from '../hub.ts'

type JsonObject = Record<string, unknown>
type Answer = { known: JsonObject[]; latest: JsonObject[]; code?: string; message?: string }
const as = 'demo-connector'
const sha = (text: string) => createHash('sha256').update(text).digest('hex')
const fieldsOf = (value: string) => [{ key: 'a', value }]
const hashOf = (value: string) => sha(JSON.stringify(fieldsOf(value)))

describe.each([
  ...databases.map((database) => ({ database, sealed: false })),
  { database: 'sqlite' as const, sealed: true },
])('known contents on $database, sealed: $sealed', ({ database, sealed }) => {
  let hub: TestHub
  let manual = ''
  beforeAll(async () => {
    hub = await startHub({ database, ...(sealed && { env: { DRAGOMAN_SEAL_CONTENT: 'on' } }) })
    const { body } = await hub.call<{ providers: { id: string; name: string }[] }>(
      'GET',
      '/v2/providers',
      { as },
    )
    manual = body.providers.find(({ name }) => name === 'Manual')?.id ?? ''
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
  const send = async (source: JsonObject | string, more: JsonObject = {}, submits = true) => {
    const jobId = String((await call('POST', '/jobs', { jobName: 'Known' })).body.jobId)
    let content: JsonObject = { fields: fieldsOf(String(source)) }
    if (typeof source !== 'string') {
      const { body } = await call('POST', `/jobs/${jobId}/sourcefiles?fileName=a.txt`)
      const form = new FormData()
      form.append('file', new Blob([String(source.file)]), 'a.txt')
      await fetch(String(body.fmsPostMultipartUrl), { method: 'POST', body: form })
      content = { fmsFileId: body.fmsFileId }
    }
    const { body } = await call<{ requests: { requestId: string }[] }>(
      'POST',
      `/jobs/${jobId}/requests/add`,
      {
        ...{ requestName: 'r', sourceNativeId: 'page', sourceNativeLanguageCode: 'en-us' },
        ...{ targetNativeLanguageCodes: ['de-de'], ...content, ...more },
      },
    )
    if (submits) await call('PUT', `/jobs/${jobId}/submit`, { providerId: manual })
    await hub.advance('1s')
    return { jobId, requestId: body.requests[0]?.requestId ?? '' }
  }
  const ask = async (items: JsonObject[], targetNativeLanguageCodes = ['de-DE'], who = as) =>
    (await call<Answer>('POST', '/content/known', { items, targetNativeLanguageCodes }, who)).body
  const one = (sourceNativeId: string, sha256: string) => [{ sourceNativeId, sha256 }]

  it('knows files and fields by their bytes', async () => {
    const fields = await send('Alpha', { sourceNativeId: 'fields' })
    const file = await send({ file: 'A text.' }, { sourceNativeId: 'file' })
    const answer = await ask([
      { sourceNativeId: 'fields', sha256: hashOf('Alpha') },
      { sourceNativeId: 'file', sha256: sha('A text.').toUpperCase() },
      { sourceNativeId: 'other', sha256: hashOf('Alpha') },
    ])
    const known = { targetNativeLanguageCode: 'de-de', isCurrent: true }
    expect(answer.known).toHaveLength(2)
    expect(answer.known).toContainEqual({
      ...{ ...known, ...fields, sourceNativeId: 'fields', statusCode: 'SENT_TO_PROVIDER' },
    })
    expect(answer.known).toContainEqual({
      ...{ ...known, ...file, sourceNativeId: 'file', statusCode: 'SENT_TO_PROVIDER' },
    })
    expect(answer.latest).toEqual([])
    expect(await ask(one('fields', hashOf('Alpha')), ['fr-fr'])).toEqual({ known: [], latest: [] })
  })

  it('tells which source is current, and which request a new one can supersede', async () => {
    const id = 'versions'
    const first = await send('One', { sourceNativeId: id })
    await hub.advance('1m')
    const draft = await send('Two', { sourceNativeId: id, supersedes: first.requestId }, false)
    expect((await ask(one(id, hashOf('One')))).known).toMatchObject([{ ...first, isCurrent: true }])
    expect((await ask(one(id, hashOf('Two')))).known).toMatchObject([
      { ...draft, statusCode: 'CREATED' },
    ])
    expect(await ask(one(id, hashOf('Three')))).toMatchObject({ known: [], latest: [first] })
    await call('PUT', `/jobs/${draft.jobId}/submit`, { providerId: manual })
    await hub.advance('1s')
    // The first one is cancelled now.
    expect(await ask(one(id, hashOf('One')))).toMatchObject({ known: [], latest: [draft] })
    expect((await ask(one(id, hashOf('Two')))).known).toMatchObject([{ ...draft, isCurrent: true }])
    await hub.advance('1m')
    const back = await send('One', { sourceNativeId: id, supersedes: draft.requestId })
    expect((await ask(one(id, hashOf('One')))).known).toMatchObject([{ ...back, isCurrent: true }])
  })

  it('says of an approved source that it is no longer current', async () => {
    const id = 'approved'
    const first = await send('One', { sourceNativeId: id })
    const task = `/providers/${manual}/jobs/${first.jobId}/assetTasks/${first.requestId}`
    const provider = 'demo-provider'
    await call('PUT', `${task}/translatedContent`, { fields: fieldsOf('Eins') }, provider)
    await call('PATCH', task, { statusCode: 'TRANSLATION_SUBMITTED' }, provider)
    await call('PUT', `/jobs/${first.jobId}/requests/approve`, { requestIds: [first.requestId] })
    await hub.advance('1m')
    const next = await send('Two', { sourceNativeId: id, supersedes: first.requestId })
    expect(await ask(one(id, hashOf('One')))).toMatchObject({
      known: [{ ...first, statusCode: 'TRANSLATION_APPROVED', isCurrent: false }],
      latest: [next],
    })
  })

  it('knows nothing of another site', async () => {
    await send('Secret', { sourceNativeId: 'mine' })
    const answer = await ask(one('mine', hashOf('Secret')), ['de-de'], 'other-site')
    expect(answer).toEqual({ known: [], latest: [] })
  })

  it.each<[string, JsonObject, RegExp]>([
    ['no items', { items: [] }, /items/],
    ['a hash that is none', { items: one('a', 'abc') }, /sha256/],
    ['no languages', { targetNativeLanguageCodes: [] }, /targetNativeLanguageCodes/],
    ['an unknown language', { targetNativeLanguageCodes: ['deutsch'] }, /deutsch/],
    [
      'too many items',
      { items: Array.from({ length: 2_001 }, (_, at) => one(`${at}`, hashOf('a'))[0]) },
      /items/,
    ],
  ])('refuses %s', async (_name, more, says) => {
    const body = { items: one('a', hashOf('a')), targetNativeLanguageCodes: ['de-de'], ...more }
    const answer = await call<Answer>('POST', '/content/known', body)
    expect(answer.status).toBe(400)
    expect(JSON.stringify(answer.body)).toMatch(says)
  })

  it('answers for 2,000 items at once', async () => {
    const sent = await send('Alpha', { sourceNativeId: 'item 1999' })
    const items = Array.from({ length: 2_000 }, (_, at) => ({
      sourceNativeId: `item ${at}`,
      sha256: hashOf('Alpha'),
    }))
    expect((await ask(items)).known).toMatchObject([sent])
  })
})
