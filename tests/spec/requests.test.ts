/**
 * Specification: Request, Requests, Limits; contract, sections 4, 6 and 11 (Codes, Sizes, Files),
 * on both databases.
 */
import { archiveStatuses, jobStatuses, languages, limits, quotas } from '@dragoman/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { enrolClient } from '../../packages/server/src/domain/sites/enrol-client.ts'
import { type CallOptions, databases, startHub, type TestHub } from '../hub.ts'
import { everything, run, type ScenarioCall } from '../scenario.ts'

type Json = Record<string, unknown>
type JobRequest = Json & {
  requestId: string
  sourcecontentId: string
  targetNativeLanguageCode: string
}
type Page = {
  requests: JobRequest[]
  next?: string
  pagination: Json
  _embedded: { requests: JobRequest[] }
}

const hundred = languages.slice(0, 100)
const fields = [{ key: 'title', value: 'Hello' }]
const plain = (more: Json = {}): Json => ({
  requestName: 'Home page',
  sourceNativeId: 'node/1',
  sourceNativeLanguageCode: 'en-us',
  targetNativeLanguageCodes: ['de-de'],
  ...more,
})
const inline = (more: Json = {}): Json => plain({ fields, ...more })
/** Of so many bytes, key and all. */
const fieldsOf = (bytes: number) => [{ key: 'kk', value: `ü${'x'.repeat(bytes - 4)}` }]

describe.each(databases)('requests on %s', (database) => {
  let hub: TestHub
  const as = 'demo-connector'
  beforeAll(async () => {
    hub = await startHub({ database })
    for (const [clientId, siteId] of [
      ['other-site', 'other'],
      ['small', 'demo'],
    ] as const)
      hub.secrets.set(
        clientId,
        (await enrolClient(hub.inner, { clientId, siteId, scopes: ['content'] })).secret,
      )
    const quotas = JSON.stringify({ MaxReqsPerJob: 10, MaxSupportAssetsPerJob: 3 })
    await hub.inner.db.transact((tx) =>
      tx.updateTable('clients').set({ quotas }).where('client_id', '=', 'small').execute(),
    )
  })
  afterAll(() => hub.close())

  const must = async <T>(
    status: number,
    method: string,
    path: string,
    options: CallOptions = {},
  ): Promise<T> => {
    const got = await hub.call<T>(method, path, { as, ...options })
    expect(got.status, JSON.stringify(got.body).slice(0, 500)).toBe(status)
    return got.body
  }
  const newJob = async (): Promise<string> =>
    (await must<{ jobId: string }>(201, 'POST', '/v2/jobs', { body: { jobName: 'A job' } })).jobId
  const newFile = async (jobId: string, fileName = 'page.html'): Promise<string> =>
    (
      await must<{ fmsFileId: string }>(201, 'POST', `/v2/jobs/${jobId}/sourcefiles`, {
        query: { fileName },
      })
    ).fmsFileId
  const newContent = async (jobId: string): Promise<string> =>
    (
      await must<{ sourcecontentId: string }>(201, 'POST', `/v2/jobs/${jobId}/sourcecontent`, {
        body: { fields },
      })
    ).sourcecontentId
  const add = async (jobId: string, body: unknown): Promise<JobRequest[]> =>
    (await must<Page>(201, 'POST', `/v2/jobs/${jobId}/requests/add`, { body })).requests
  const list = async (
    jobId: string,
    query: NonNullable<CallOptions['query']> = {},
  ): Promise<Page> => must<Page>(200, 'GET', `/v2/jobs/${jobId}/requests`, { query })
  const force = (jobId: string, change: Json) =>
    hub.inner.db.transact((tx) =>
      tx.updateTable('jobs').set(change).where('job_id', '=', jobId).execute(),
    )
  const countRequests = async (jobId: string): Promise<number> => {
    const rows = hub.inner.db.read
      .selectFrom('requests')
      .select('request_id')
      .where('job_id', '=', jobId)
    return (await rows.execute()).length
  }

  describe('requests/add', () => {
    it('makes one request for each language, in order, with every field as given', async () => {
      const jobId = await newJob()
      const fmsFileId = await newFile(jobId, 'Größe.final.HTML')
      const requests = await add(jobId, {
        ...plain({
          fmsFileId,
          wordCount: 0,
          ExtendedMetadata: { a: [null] },
          unknown: 1,
          fields: null,
        }),
        targetNativeLanguageCodes: ['de_DE', 'FR-fr', 'zh-Hans-MY'],
        targetNativeIds: ['node/2', 'node/3'],
      })
      expect(requests).toHaveLength(3)
      const shared = {
        jobId,
        requestName: 'Home page',
        statusCode: 'CREATED',
        status: 'CREATED',
        hasError: false,
        sourceNativeId: 'node/1',
        sourceNativeLanguageCode: 'en-us',
        wordCount: 0,
        fileId: fmsFileId,
        fmsFileId,
        fileName: 'Größe.final.HTML',
        fileType: 'HTML',
        extendedMetadata: { a: [null] },
        ExtendedMetadata: { a: [null] },
      }
      const codes = ['de_DE', 'FR-fr', 'zh-Hans-MY']
      for (const [at, request] of requests.entries()) {
        const targetNativeId = ['node/2', 'node/3'][at]
        const { requestId, createdDate, modifiedDate, ...rest } = request
        expect(requestId).toMatch(/^[\w-]{22}$/)
        expect(modifiedDate).toBe(createdDate)
        const own = {
          targetNativeLanguageCode: codes[at],
          ...(targetNativeId && { targetNativeId }),
        }
        expect(rest).toEqual({ ...shared, ...own })
        expect(await must(200, 'GET', `/v2/jobs/${jobId}/requests/${requestId}`)).toEqual(request)
      }
      expect((await list(jobId)).requests).toEqual(requests)
    })

    it('takes files, contents and inline fields in one list, and inline fields are shared by the languages', async () => {
      const jobId = await newJob()
      const [fmsFileId, sourceContentId] = [await newFile(jobId), await newContent(jobId)]
      const kept = [
        { key: 'b', value: '' },
        { key: 'a', value: '\u0009 <b>&amp;</b> 🙂' },
        { key: 'B', value: 'last' },
      ]
      const requests = await add(jobId, {
        requests: [
          plain({ fileId: fmsFileId }),
          plain({ sourceContentId }),
          inline({
            fields: kept.map((field) => ({ ...field, extra: 1 })),
            targetNativeLanguageCodes: ['fr-fr', 'it-IT'],
          }),
          inline(),
        ],
      })
      expect(requests.map((request) => request.targetNativeLanguageCode)).toEqual([
        'de-de',
        'de-de',
        'fr-fr',
        'it-IT',
        'de-de',
      ])
      const [file, content, first, second, other] = requests
      expect(file).not.toHaveProperty('sourcecontentId')
      expect(content).toMatchObject({ sourcecontentId: sourceContentId, sourceContentId })
      expect(content).not.toHaveProperty('fileId')
      expect(second?.sourcecontentId).toBe(first?.sourcecontentId)
      expect(other?.sourcecontentId).not.toBe(first?.sourcecontentId)
      const read = await must(
        200,
        'GET',
        `/v2/jobs/${jobId}/sourcecontent/${first?.sourcecontentId}`,
      )
      const sourcecontentId = first?.sourcecontentId
      expect(read).toEqual({ sourcecontentId, sourceContentId: sourcecontentId, fields: kept })
    })

    it('counts as activity of the job', async () => {
      const jobId = await newJob()
      await force(jobId, { modified_at: 1000, activity_at: 1000, archival_at: 2000 })
      await add(jobId, inline())
      const job = await must<Json>(200, 'GET', `/v2/jobs/${jobId}`, {
        query: { aggregateRequests: 'true' },
      })
      expect(Date.parse(String(job.activityDate))).toBeGreaterThan(1e12)
      expect(job.modifiedDate).toBe(job.activityDate)
      expect(Date.parse(String(job.estimatedArchivalDate))).toBeGreaterThan(
        Date.parse(String(job.activityDate)),
      )
      expect(job.aggregateRequests).toEqual({
        total: 1,
        withErrors: 0,
        byStatusCode: { CREATED: 1 },
      })
    })

    it('a key sent twice gives the same answer and has one effect', async () => {
      const jobId = await newJob()
      const headers = { 'idempotency-key': 'once' }
      const first = await must<Page>(201, 'POST', `/v2/jobs/${jobId}/requests/add`, {
        body: inline(),
        headers,
      })
      const again = await must<Page>(201, 'POST', `/v2/jobs/${jobId}/requests/add`, {
        body: inline(),
        headers,
      })
      expect(again).toEqual(first)
      expect(await countRequests(jobId)).toBe(1)
      const body = inline({ requestName: 'Another' })
      const refused = await hub.call('POST', `/v2/jobs/${jobId}/requests/add`, {
        as,
        body,
        headers,
      })
      expect([refused.status, refused.body.code]).toEqual([422, 'IDEMPOTENCY_CONFLICT'])
    })

    it('2,000 in one call are all answered in order, and not one more is let in', async () => {
      const jobId = await newJob()
      const many = Array.from({ length: 1_999 }, (_, at) => inline({ requestName: `r${at}` }))
      await add(jobId, inline({ requestName: 'first' }))
      const requests = await add(jobId, { requests: many })
      expect(requests.map((request) => request.requestName)).toEqual(
        many.map((request) => request.requestName),
      )
      expect(new Set(requests.map((request) => request.requestId)).size).toBe(1_999)
      expect(new Set(requests.map((request) => request.sourcecontentId)).size).toBe(1_999)
      const before = await everything(hub)
      for (const path of ['add', 'addfile']) {
        const refused = await hub.call('POST', `/v2/jobs/${jobId}/requests/${path}`, {
          as,
          body: inline(),
        })
        expect([refused.status, refused.body.code]).toEqual([409, 'QUOTA_EXCEEDED'])
        expect(refused.body.message).toMatch(/MaxReqsPerJob.*2000.*2001/)
      }
      expect(await everything(hub)).toBe(before)
      const seen: unknown[] = []
      for (let page = await list(jobId); ; page = await list(jobId, { navNext: page.next ?? '' })) {
        expect(page.requests.length).toBe(50)
        seen.push(...page.requests.map((request) => request.requestName))
        if (page.next === undefined) break
      }
      expect(seen).toEqual(['first', ...many.map((request) => request.requestName)])
      await must(200, 'DELETE', `/v2/jobs/${jobId}`)
    })

    it('2,000 in one call are enough for a whole job', async () => {
      const jobId = await newJob()
      expect(
        await add(jobId, { requests: Array.from({ length: 2_000 }, () => inline()) }),
      ).toHaveLength(2_000)
      await must(200, 'DELETE', `/v2/jobs/${jobId}`)
    })

    it('parallel calls never go over the quota together', async () => {
      const jobId = await newJob()
      const body = inline({ targetNativeLanguageCodes: ['de-de', 'fr-fr', 'it-IT'] })
      const answers = await Promise.all(
        Array.from({ length: 12 }, () =>
          hub.call('POST', `/v2/jobs/${jobId}/requests/add`, { as: 'small', body }),
        ),
      )
      const codes = answers.map((answer) => answer.body.code ?? answer.status).sort()
      expect(codes).toEqual([...Array(3).fill(201), ...Array(9).fill('QUOTA_EXCEEDED')])
      expect(await countRequests(jobId)).toBe(9)
    })
  })

  describe('refuses, and changes nothing:', () => {
    let jobId: string
    let requestId: string
    let sourcecontentId: string
    const place: Record<string, string> = {}
    beforeAll(async () => {
      jobId = await newJob()
      const otherJob = await newJob()
      requestId = (await add(jobId, inline()))[0]?.requestId ?? ''
      sourcecontentId = await newContent(jobId)
      place.file = await newFile(jobId)
      place.foreignFile = await newFile(otherJob)
      place.foreignContent = await newContent(otherJob)
      place.foreignRequest = (await add(otherJob, inline()))[0]?.requestId ?? ''
    })
    /** Texts such as `{file}` stand for what is only known once the hub runs. */
    const filled = (value: unknown): unknown =>
      JSON.parse(
        JSON.stringify(value).replace(/\{(\w+)\}/g, (_, name: string) => place[name] ?? ''),
      )

    const many = (count: number, more: Json) => ({
      requests: Array.from({ length: count }, () => inline(more)),
    })
    const bad: (Omit<ScenarioCall, 'call'> & { field?: string })[] = [
      {
        name: 'no content',
        body: plain(),
        status: 400,
        code: 'INVALID_REQUEST',
        says: /exactly one/,
      },
      {
        name: 'two contents',
        body: { requests: [inline(), inline(), inline(), inline({ fmsFileId: '{file}' })] },
        status: 400,
        code: 'INVALID_REQUEST',
        says: /fmsFileId and fields/,
        field: 'requests[3]',
      },
      {
        name: 'three contents',
        body: inline({ fileId: 'a', sourcecontentId: 'b' }),
        status: 400,
        says: /exactly one/,
      },
      {
        name: 'an unknown file',
        body: plain({ fmsFileId: 'a' }),
        status: 404,
        code: 'FILE_NOT_FOUND',
      },
      {
        name: 'a file of another job',
        body: { requests: [inline(), plain({ fmsFileId: '{foreignFile}' })] },
        status: 404,
        code: 'FILE_NOT_FOUND',
      },
      {
        name: 'content of another job',
        body: plain({ sourcecontentId: '{foreignContent}' }),
        status: 404,
        code: 'SOURCE_CONTENT_NOT_FOUND',
      },
      {
        name: 'two spellings that differ',
        body: plain({ fmsFileId: '{file}', fileId: '{foreignFile}' }),
        status: 400,
        code: 'INVALID_REQUEST',
        field: 'fmsFileId',
      },
      {
        name: 'two spellings that differ, somewhere in a list',
        body: { requests: [inline(), plain({ fmsFileId: '{file}', fileId: '{foreignFile}' })] },
        status: 400,
        code: 'INVALID_REQUEST',
        says: /requests\[1\]\.fmsFileId has another value than fileId; send one of them\./,
        field: 'requests[1].fmsFileId',
      },
      {
        name: 'an unknown language',
        body: { requests: [inline({ targetNativeLanguageCodes: ['de-de', 'fr-fx'] })] },
        status: 400,
        code: 'INVALID_LANGUAGE',
        says: /"fr-fx".*"fr-fr"/,
        field: 'requests[0].targetNativeLanguageCodes[1]',
      },
      {
        name: 'a null among the languages',
        body: inline({ targetNativeLanguageCodes: [null] }),
        status: 400,
        code: 'INVALID_LANGUAGE',
      },
      {
        name: 'null for the languages',
        body: inline({ targetNativeLanguageCodes: null }),
        status: 400,
      },
      {
        name: 'no languages',
        body: inline({ targetNativeLanguageCodes: [] }),
        status: 400,
        code: 'INVALID_REQUEST',
      },
      {
        name: 'a null source language',
        body: inline({ sourceNativeLanguageCode: null }),
        status: 400,
        code: 'INVALID_LANGUAGE',
      },
      {
        name: '101 languages',
        body: inline({ targetNativeLanguageCodes: [...hundred, 'zu-ZA'] }),
        status: 400,
        code: 'INVALID_REQUEST',
        field: 'targetNativeLanguageCodes',
      },
      {
        name: 'the same language twice',
        body: many(1, { targetNativeLanguageCodes: ['de-de', 'fr-fr', 'DE_de'] }),
        status: 400,
        code: 'INVALID_REQUEST',
        says: /DE_de/,
        field: 'requests[0].targetNativeLanguageCodes[2]',
      },
      {
        name: 'more target ids than languages',
        body: inline({ targetNativeIds: ['a', 'b'] }),
        status: 400,
        code: 'INVALID_REQUEST',
        field: 'targetNativeIds',
      },
      {
        name: 'a list of 2,001',
        body: many(2_001, {}),
        status: 400,
        code: 'INVALID_REQUEST',
        field: 'requests',
      },
      { name: 'an empty list', body: { requests: [] }, status: 400, code: 'INVALID_REQUEST' },
      {
        name: '2,100 by their languages',
        body: many(21, { targetNativeLanguageCodes: hundred }),
        status: 409,
        code: 'QUOTA_EXCEEDED',
        says: /MaxReqsPerJob is 2000; .* 2101/,
      },
      {
        name: 'a byte too much',
        body: inline({ fields: fieldsOf(limits.inlineBytes + 1) }),
        status: 413,
        code: 'CONTENT_TOO_LARGE',
      },
      {
        name: 'a byte too much in pieces',
        body: { requests: [inline(), inline({ fields: halves(limits.inlineBytes + 1) })] },
        status: 413,
        code: 'CONTENT_TOO_LARGE',
        field: 'requests[1].fields',
      },
      {
        name: 'a key twice',
        body: inline({ fields: [...fields, { key: 'a', value: '' }, ...fields] }),
        status: 400,
        code: 'INVALID_REQUEST',
        says: /"title"/,
        field: 'fields[2].key',
      },
      { name: 'no fields', body: inline({ fields: [] }), status: 400, code: 'INVALID_REQUEST' },
      {
        name: 'a field without a value',
        body: inline({ fields: [{ key: 'a' }] }),
        status: 400,
        field: 'fields[0].value',
      },
      {
        name: 'a value that is a number',
        body: inline({ fields: [{ key: 'a', value: 1 }] }),
        status: 400,
      },
      { name: 'an empty key', body: inline({ fields: [{ key: '', value: '' }] }), status: 400 },
      { name: 'no name', body: inline({ requestName: null }), status: 400, field: 'requestName' },
      {
        name: '251 bytes of name',
        body: inline({ requestName: `${'x'.repeat(249)}ü` }),
        status: 400,
        says: /251 bytes/,
      },
      { name: 'a negative word count', body: inline({ wordCount: -1 }), status: 400 },
      { name: 'a word count no number can hold', body: inline({ wordCount: 1e300 }), status: 400 },
      {
        name: 'a body over 16 MiB',
        body: inline({ customData: 'x'.repeat(17 * 1024 ** 2) }),
        status: 413,
        code: 'CONTENT_TOO_LARGE',
      },
      { name: 'nothing', body: '', status: 400, code: 'INVALID_REQUEST' },
      { name: 'a list without its name', body: [inline()], status: 400, code: 'INVALID_REQUEST' },
    ]
    it.each(bad)('add with $name', async (row) => {
      const before = await everything(hub)
      const body = typeof row.body === 'string' ? row.body : filled(row.body)
      const got = await run(hub, { ...row, body, call: `POST /v2/jobs/${jobId}/requests/add` })
      if (row.field !== undefined) expect(got.body).toMatchObject({ field: row.field })
      expect(await everything(hub)).toBe(before)
    })

    const badChanges: (Omit<ScenarioCall, 'call'> & { field?: string })[] = [
      {
        name: 'a request of another job',
        body: {
          requestIds: ['{request}', '{foreignRequest}'],
          requestsUpdate: { requestName: 'x' },
        },
        status: 404,
        code: 'REQUEST_NOT_FOUND',
      },
      {
        name: 'an unknown request in the list form',
        body: [{ requestId: '{request}', requestName: 'x' }, { requestId: 'nobody' }],
        status: 404,
        code: 'REQUEST_NOT_FOUND',
        says: /nobody/,
      },
      {
        name: 'a request twice',
        body: [{ requestId: '{request}' }, { requestId: '{request}', requestName: 'x' }],
        status: 400,
        code: 'INVALID_REQUEST',
        field: '[1].requestId',
      },
      {
        name: 'an id twice',
        body: { requestIds: ['{request}', '{request}'], requestsUpdate: { requestName: 'x' } },
        status: 400,
        code: 'INVALID_REQUEST',
        field: 'requestIds[1]',
      },
      {
        name: 'two contents',
        body: [{ requestId: '{request}', fields, fmsFileId: '{file}' }],
        status: 400,
        code: 'INVALID_REQUEST',
        field: '[0]',
      },
      {
        name: 'a file of another job in the second of two',
        body: [
          { requestId: '{request}', requestName: 'x' },
          { requestId: '{second}', fmsFileId: '{foreignFile}' },
        ],
        status: 404,
        code: 'FILE_NOT_FOUND',
      },
      {
        name: 'content of another job',
        body: {
          requestIds: ['{request}'],
          requestsUpdate: { sourcecontentId: '{foreignContent}' },
        },
        status: 404,
        code: 'SOURCE_CONTENT_NOT_FOUND',
      },
      {
        name: 'an unknown language',
        body: [{ requestId: '{request}', targetNativeLanguageCode: 'xx' }],
        status: 400,
        code: 'INVALID_LANGUAGE',
      },
      {
        name: 'too many bytes',
        body: {
          requestIds: ['{request}'],
          requestsUpdate: { fields: fieldsOf(limits.inlineBytes + 1) },
        },
        status: 413,
        code: 'CONTENT_TOO_LARGE',
      },
      {
        name: 'no requestsUpdate',
        body: { requestIds: ['{request}'] },
        status: 400,
        code: 'INVALID_REQUEST',
        field: 'requestsUpdate',
      },
      { name: 'an empty list', body: [], status: 400, code: 'INVALID_REQUEST' },
      { name: 'an empty name', body: [{ requestId: '{request}', requestName: '' }], status: 400 },
    ]
    it.each(badChanges)('a change with $name', async (row) => {
      place.request = requestId
      place.second ??= (await add(jobId, inline()))[0]?.requestId ?? ''
      const before = await everything(hub)
      const got = await run(hub, {
        ...row,
        body: filled(row.body),
        call: `PATCH /v2/jobs/${jobId}/requests`,
      })
      if (row.field !== undefined) expect(got.body).toMatchObject({ field: row.field })
      expect(await everything(hub)).toBe(before)
    })

    it.each([
      {
        name: 'a key twice',
        body: { fields: [...fields, ...fields] },
        status: 400,
        code: 'INVALID_REQUEST',
      },
      {
        name: 'a byte too much',
        body: { fields: fieldsOf(limits.inlineBytes + 1) },
        status: 413,
        code: 'CONTENT_TOO_LARGE',
      },
      { name: 'no fields', body: {}, status: 400, code: 'INVALID_REQUEST' },
    ])('source content with $name', async (row) => {
      const before = await everything(hub)
      await run(hub, { ...row, call: `POST /v2/jobs/${jobId}/sourcecontent` })
      await run(hub, { ...row, call: `PUT /v2/jobs/${jobId}/sourcecontent/${sourcecontentId}` })
      expect(await everything(hub)).toBe(before)
    })
  })

  it('exactly 1 MiB of keys and values is accepted and comes back whole', async () => {
    const jobId = await newJob()
    const exact = fieldsOf(limits.inlineBytes)
    const [request] = await add(jobId, inline({ fields: exact }))
    const read = await must<Json>(
      200,
      'GET',
      `/v2/jobs/${jobId}/sourcecontent/${request?.sourcecontentId}`,
    )
    expect(read.fields).toEqual(exact)
    await must(201, 'POST', `/v2/jobs/${jobId}/sourcecontent`, { body: { fields: exact } })
  })

  it('100 languages and a name of 250 bytes are accepted', async () => {
    const jobId = await newJob()
    const requestName = `${'x'.repeat(248)}ü`
    const requests = await add(jobId, inline({ requestName, targetNativeLanguageCodes: hundred }))
    expect(requests.map((request) => request.targetNativeLanguageCode)).toEqual(hundred)
    expect(requests[99]?.requestName).toBe(requestName)
  })

  describe('the list', () => {
    let jobId: string
    let all: JobRequest[]
    beforeAll(async () => {
      jobId = await newJob()
      // The last two are one language, which one request cannot have twice.
      const codes = [['de-de', 'FR_fr', 'zh-MY'], ['zh-Hans-MY']]
      const requests = Array.from({ length: 30 }, () =>
        codes.map((some) => inline({ targetNativeLanguageCodes: some })),
      )
      all = await add(jobId, { requests: requests.flat() })
      await hub.inner.db.transact((tx) =>
        tx
          .updateTable('requests')
          .set({ status: 'IN_TRANSLATION' })
          .where('job_id', '=', jobId)
          .where('target_language', '=', 'FR_fr')
          .execute(),
      )
    })
    const ids = (requests: readonly JobRequest[]) => requests.map((request) => request.requestId)
    const walk = async (
      query: NonNullable<CallOptions['query']>,
      parameter = 'navNext',
    ): Promise<string[]> => {
      const found: string[] = []
      for (let next: string | undefined = ''; next !== undefined; ) {
        const page: Page = await list(
          jobId,
          next ? { [parameter]: next, pageSize: 7 } : { ...query, pageSize: 7 },
        )
        expect(page.requests.length).toBeLessThanOrEqual(7)
        found.push(...ids(page.requests))
        next = page.next
      }
      return found
    }

    it('comes in pages of 50, each request once and in order', async () => {
      const first = await list(jobId)
      expect(ids(first.requests)).toEqual(ids(all.slice(0, 50)))
      expect(first.pagination.navNext).toBe(first.next)
      expect(first._embedded.requests).toEqual(first.requests)
      expect(await walk({})).toEqual(ids(all))
      expect(await walk({}, 'next')).toEqual(ids(all))
    })

    it.each([
      ['de-DE', ['de-de']],
      ['de_de', ['de-de']],
      ['fr-FR', ['FR_fr']],
      ['zh-my', ['zh-MY', 'zh-Hans-MY']],
      ['zh(-Hans)-MY', ['zh-MY', 'zh-Hans-MY']],
      ['it-IT', []],
    ])(
      'by the language %s has the requests in %j, on every page',
      async (targetNativeLanguageCode, codes) => {
        const wanted = all.filter((request) => codes.includes(request.targetNativeLanguageCode))
        expect(await walk({ targetNativeLanguageCode })).toEqual(ids(wanted))
      },
    )

    it('by status, by several, and by ids in any order', async () => {
      const moved = all.filter((request) => request.targetNativeLanguageCode === 'FR_fr')
      expect(await walk({ statusCode: 'IN_TRANSLATION' })).toEqual(ids(moved))
      expect(await walk({ statusCode: ['IN_TRANSLATION', 'CREATED'] })).toEqual(ids(all))
      expect(await walk({ statusCode: 'CANCELLED' })).toEqual([])
      const some = ids(all.slice(20, 40))
      expect(await walk({ id: [...some, 'nobody', ...some].reverse() })).toEqual(some)
      expect(
        await walk({ id: some, statusCode: 'IN_TRANSLATION', targetNativeLanguageCode: 'fr-fr' }),
      ).toHaveLength(5)
    })

    it('by more ids than a cursor carries goes on when they are sent again', async () => {
      const query = { id: ids(all.slice(0, 90)), pageSize: 50 }
      const { next: navNext = '' } = await list(jobId, query)
      expect(navNext.length).toBeLessThan(1_000)
      expect(ids((await list(jobId, { ...query, navNext })).requests)).toEqual(
        ids(all.slice(50, 90)),
      )
      for (const id of [[], ids(all.slice(1, 90))])
        await run(hub, {
          name: 'other ids',
          call: `GET /v2/jobs/${jobId}/requests`,
          query: { navNext, ...(id.length && { id }) },
          status: 400,
          code: 'INVALID_CURSOR',
        })
    })

    it('goes on with the filter of its cursor, and refuses another one', async () => {
      const query = { statusCode: 'CREATED', targetNativeLanguageCode: 'zh-MY', pageSize: 5 }
      const { next: navNext = '' } = await list(jobId, query)
      const second = await list(jobId, { navNext, pageSize: 5 })
      const allowed: CallOptions['query'][] = [
        { statusCode: 'CREATED' },
        { targetNativeLanguageCode: 'ZH_hans_my' },
        query,
      ]
      for (const same of allowed)
        expect((await list(jobId, { pageSize: 5, ...same, navNext })).requests).toEqual(
          second.requests,
        )
      const { next: bare = '' } = await list(jobId, { pageSize: 5 })
      const jobs = await must<Page>(200, 'GET', '/v2/jobs', { query: { pageSize: 1 } })
      const otherJob = await newJob()
      await add(otherJob, { requests: [inline(), inline()] })
      const foreign = (await list(otherJob, { pageSize: 1 })).next ?? ''
      const refused: [Record<string, string>, string][] = [
        [{ navNext, statusCode: 'CANCELLED' }, 'INVALID_CURSOR'],
        [{ navNext, targetNativeLanguageCode: 'de-de' }, 'INVALID_CURSOR'],
        [{ navNext, id: 'nobody' }, 'INVALID_CURSOR'],
        [{ navNext: bare, statusCode: 'CREATED' }, 'INVALID_CURSOR'],
        [{ navNext: foreign }, 'INVALID_CURSOR'],
        [{ navNext: jobs.next ?? '' }, 'INVALID_CURSOR'],
        [{ navNext: `${navNext.slice(0, -1)}~` }, 'INVALID_CURSOR'],
        // As many characters as the signature has, but more bytes.
        [{ navNext: `${navNext.slice(0, -1)}\u00e9` }, 'INVALID_CURSOR'],
        [{ navNext: `${navNext.slice(0, -22)}${'\u{1f511}'.repeat(11)}` }, 'INVALID_CURSOR'],
        [{ statusCode: 'DONE' }, 'INVALID_PARAMETER'],
        [{ id: '../..' }, 'INVALID_PARAMETER'],
        [{ targetNativeLanguageCode: 'xx-xx' }, 'INVALID_LANGUAGE'],
        [{ pageSize: '51' }, 'INVALID_PARAMETER'],
      ]
      for (const [query, code] of refused)
        await run(hub, {
          name: JSON.stringify(query),
          call: `GET /v2/jobs/${jobId}/requests`,
          query,
          status: 400,
          code,
        })
    })

    it('loses and doubles nothing while requests are added and deleted', async () => {
      const growing = await newJob()
      await add(growing, {
        requests: Array.from({ length: 20 }, (_, at) => inline({ requestName: `r${at}` })),
      })
      const seen: unknown[] = []
      for (let page = await list(growing, { pageSize: 3 }); ; ) {
        seen.push(...page.requests.map((request) => request.requestName))
        const [gone] = page.requests
        await must(200, 'DELETE', `/v2/jobs/${growing}/requests/${gone?.requestId}`)
        if (seen.length < 15) await add(growing, inline({ requestName: `late${seen.length}` }))
        if (page.next === undefined) break
        page = await list(growing, { navNext: page.next, pageSize: 3 })
      }
      const late = [3, 6, 9, 12].map((at) => `late${at}`)
      expect(seen).toEqual([...Array.from({ length: 20 }, (_, at) => `r${at}`), ...late])
    })
  })

  describe('changes', () => {
    it('one request takes every field, and its content goes from file to content to fields', async () => {
      const jobId = await newJob()
      const [fileId, contentId] = [await newFile(jobId, 'a.txt'), await newContent(jobId)]
      const [made] = await add(
        jobId,
        plain({ fmsFileId: fileId, targetNativeLanguageCodes: ['de-de', 'fr-fr'] }),
      )
      const path = `/v2/jobs/${jobId}/requests/${made?.requestId}`
      const patch = (body: Json) => must<JobRequest>(200, 'PATCH', path, { body })
      const given = {
        requestName: 'Other',
        sourceNativeId: 's',
        sourceNativeLanguageCode: 'EN-gb',
        targetNativeId: 't',
        targetNativeLanguageCode: 'it_IT',
        wordCount: 7,
        extendedMetadata: { a: 1 },
      }
      const { modifiedDate: _, ...same }: Json = made ?? {}
      expect(await patch(given)).toMatchObject({ ...same, ...given, ExtendedMetadata: { a: 1 } })
      expect(await patch({ wordCount: 7, extendedMetadata: {} })).toMatchObject(given)
      const withContent = await patch({ sourceContentId: contentId })
      expect(withContent).toMatchObject({ ...given, sourcecontentId: contentId })
      for (const name of ['fileId', 'fmsFileId', 'fileName', 'fileType'])
        expect(withContent).not.toHaveProperty(name)
      const withFields = await patch({ fields })
      expect(withFields.sourcecontentId).not.toBe(contentId)
      const withFile = await patch({ fileId })
      expect(withFile).toMatchObject({ fileId, fileName: 'a.txt', fileType: 'txt' })
      expect(withFile).not.toHaveProperty('sourcecontentId')
      expect(await must(200, 'GET', path)).toEqual(withFile)
      expect(await patch({})).toEqual(withFile)
      const second = (await list(jobId)).requests[1]
      expect(second).toMatchObject({
        requestName: 'Home page',
        fileId,
        targetNativeLanguageCode: 'fr-fr',
      })
    })

    it('several requests take the same change or each its own, and come back in the order asked for', async () => {
      const jobId = await newJob()
      const made = await add(jobId, { requests: Array.from({ length: 600 }, () => inline()) })
      const requestIds = made.map((request) => request.requestId).reverse()
      const path = `/v2/jobs/${jobId}/requests`
      const body = {
        requestIds,
        requestsUpdate: { requestName: 'Same', fields: [{ key: 'k', value: 'v' }] },
      }
      const same = await must<Page>(200, 'PATCH', path, { body })
      expect(same.requests.map((request) => request.requestId)).toEqual(requestIds)
      expect(new Set(same.requests.map((request) => request.requestName))).toEqual(
        new Set(['Same']),
      )
      expect(new Set(same.requests.map((request) => request.sourcecontentId)).size).toBe(1)
      const own = requestIds.map((requestId, at) => ({
        requestId,
        wordCount: at,
        ...(at % 2 && { fields }),
      }))
      const each = await must<Page>(200, 'PATCH', path, { body: own })
      expect(each.requests.map((request) => request.wordCount)).toEqual(
        requestIds.map((_, at) => at),
      )
      expect(new Set(each.requests.map((request) => request.sourcecontentId)).size).toBe(301)
      const listed = await list(jobId, { id: requestIds.slice(-1) })
      expect(listed.requests).toEqual(each.requests.slice(-1))
      expect(await countRequests(jobId)).toBe(600)
    })

    it('updatefilecontent gives requests another file and says what came after it', async () => {
      const jobId = await newJob()
      const made = await add(jobId, inline({ targetNativeLanguageCodes: ['de-de', 'fr-fr'] }))
      const fmsFileId = await newFile(jobId, 'b.docx')
      const requestIds = made.map((request) => request.requestId)
      const call = `PUT /v2/jobs/${jobId}/requests/updatefilecontent`
      const got = await run(hub, { name: 'it', call, body: { requestIds, fmsFileId }, status: 200 })
      expect(got.body.requests).toMatchObject(
        requestIds.map((requestId) => ({ requestId, fileId: fmsFileId })),
      )
      expect(got.headers.get('deprecation')).toBeTruthy()
      expect(got.headers.get('link')).toContain('successor-version')
      const body = { requestIds, fmsFileId: '00000000-0000-0000-0000-000000000000' }
      await run(hub, { name: 'an unknown file', call, body, status: 404, code: 'FILE_NOT_FOUND' })
    })

    it('a deleted request is answered once more and is gone', async () => {
      const jobId = await newJob()
      const [made] = await add(jobId, inline())
      const path = `/v2/jobs/${jobId}/requests/${made?.requestId}`
      expect(await must(200, 'DELETE', path)).toEqual(made)
      for (const method of ['GET', 'DELETE', 'PATCH'])
        await run(hub, {
          name: method,
          call: `${method} ${path}`,
          body: method === 'PATCH' ? {} : undefined,
          status: 404,
          code: 'REQUEST_NOT_FOUND',
        })
      expect((await list(jobId)).requests).toEqual([])
    })

    it('each counts as activity of the job, but not one that changes nothing', async () => {
      const jobId = await newJob()
      const [made] = await add(jobId, inline())
      const sourcecontentId = await newContent(jobId)
      const path = `/v2/jobs/${jobId}/requests/${made?.requestId}`
      const activityAfter = async (method: string, at: string, body?: Json): Promise<number> => {
        await force(jobId, { activity_at: 1000 })
        await must(200, method, at, { body })
        const job = await must<{ activityDate: string }>(200, 'GET', `/v2/jobs/${jobId}`)
        return Date.parse(job.activityDate)
      }
      expect(await activityAfter('PATCH', path, {})).toBe(1000)
      expect(await activityAfter('PATCH', path, { requestName: 'x' })).toBeGreaterThan(1e12)
      const content = `/v2/jobs/${jobId}/sourcecontent/${sourcecontentId}`
      expect(await activityAfter('PUT', content, { fields })).toBeGreaterThan(1e12)
      expect(await activityAfter('DELETE', path)).toBeGreaterThan(1e12)
    })
  })

  it('source content is created, read and replaced', async () => {
    const jobId = await newJob()
    const sourcecontentId = await newContent(jobId)
    const path = `/v2/jobs/${jobId}/sourcecontent/${sourcecontentId}`
    const both = { sourcecontentId, sourceContentId: sourcecontentId }
    expect(await must(200, 'GET', path)).toEqual({ ...both, fields })
    const other = [
      { key: 'z', value: '' },
      { key: 'a', value: '日本' },
    ]
    expect(await must(200, 'PUT', path, { body: { fields: other } })).toEqual({
      ...both,
      fields: other,
    })
    expect(await must(200, 'GET', path)).toEqual({ ...both, fields: other })
    for (const method of ['GET', 'PUT'])
      await run(hub, {
        name: method,
        call: `${method} /v2/jobs/${jobId}/sourcecontent/nobody`,
        body: method === 'PUT' ? { fields } : undefined,
        status: 404,
        code: 'SOURCE_CONTENT_NOT_FOUND',
      })
  })

  describe('everything inside a job', () => {
    let jobId: string
    let calls: { call: string; body?: unknown; writes: boolean }[]
    beforeAll(async () => {
      jobId = await newJob()
      const requestId = (await add(jobId, inline()))[0]?.requestId ?? ''
      const [content, fmsFileId] = [await newContent(jobId), await newFile(jobId)]
      const job = `/v2/jobs/${jobId}`
      const requestIds = [requestId]
      calls = [
        { call: `GET ${job}/requests`, writes: false },
        { call: `GET ${job}/requests/${requestId}`, writes: false },
        { call: `GET ${job}/sourcecontent/${content}`, writes: false },
        { call: `POST ${job}/requests/add`, body: inline(), writes: true },
        { call: `POST ${job}/requests/addfile`, body: plain({ fmsFileId }), writes: true },
        { call: `PATCH ${job}/requests`, body: [{ requestId, requestName: 'x' }], writes: true },
        {
          call: `PATCH ${job}/requests`,
          body: { requestIds, requestsUpdate: { requestName: 'x' } },
          writes: true,
        },
        { call: `PATCH ${job}/requests/${requestId}`, body: { requestName: 'x' }, writes: true },
        {
          call: `PUT ${job}/requests/updatefilecontent`,
          body: { requestIds, fmsFileId },
          writes: true,
        },
        { call: `POST ${job}/sourcecontent`, body: { fields }, writes: true },
        { call: `PUT ${job}/sourcecontent/${content}`, body: { fields }, writes: true },
        { call: `DELETE ${job}/requests/${requestId}`, writes: true },
      ]
    })
    const each = async (row: Omit<ScenarioCall, 'name' | 'call'>, which = calls) => {
      for (const { call, body } of which) await run(hub, { name: call, call, body, ...row })
    }

    it.each(archiveStatuses.filter((status) => status !== 'ACTIVE'))(
      'is JOB_ARCHIVED while it is %s',
      async (status) => {
        await force(jobId, { archive_status: status })
        const before = await everything(hub)
        await each({ status: 409, code: 'JOB_ARCHIVED' })
        expect(await everything(hub)).toBe(before)
        await force(jobId, { archive_status: 'ACTIVE' })
      },
    )

    it.each(jobStatuses.filter((status) => status !== 'CREATED'))(
      'is read but not changed when %s',
      async (status) => {
        await force(jobId, { status })
        const before = await everything(hub)
        await each(
          { status: 200 },
          calls.filter(({ writes }) => !writes),
        )
        await each(
          { status: 409, code: 'JOB_ALREADY_SUBMITTED' },
          calls.filter(({ writes }) => writes),
        )
        expect(await everything(hub)).toBe(before)
        await force(jobId, { status: 'CREATED' })
      },
    )

    it('is as unknown to another site as if it did not exist', async () => {
      const before = await everything(hub)
      await each({ as: 'other-site', status: 404, code: 'JOB_NOT_FOUND' })
      const body = { jobName: 'Theirs' }
      const theirs = await must<{ jobId: string }>(201, 'POST', '/v2/jobs', {
        as: 'other-site',
        body,
      })
      const moved = calls.map(({ call, body, writes }) => ({
        call: call.replace(jobId, theirs.jobId),
        body,
        writes,
      }))
      for (const row of moved.filter(({ call }) =>
        /requests\/(?!add)[\w-]{22}$|sourcecontent\/|updatefile/.test(call),
      ))
        await run(hub, {
          name: row.call,
          as: 'other-site',
          ...row,
          status: 404,
          code: missingCode(row.call),
        })
      const [fmsFileId, sourcecontentId] = [await newFile(jobId), await newContent(jobId)]
      for (const [content, code] of [
        [{ fmsFileId }, 'FILE_NOT_FOUND'],
        [{ sourcecontentId }, 'SOURCE_CONTENT_NOT_FOUND'],
      ] as const) {
        const call = `POST /v2/jobs/${theirs.jobId}/requests/add`
        await run(hub, {
          name: code,
          as: 'other-site',
          call,
          body: plain(content),
          status: 404,
          code,
        })
      }
      expect(await countRequests(theirs.jobId)).toBe(0)
      await hub.call('DELETE', `/v2/jobs/${theirs.jobId}`, { as: 'other-site' })
      expect((await list(jobId)).requests).toHaveLength(1)
      expect(before).toContain(jobId)
    })

    it('is not found under another job of its own site', async () => {
      const other = await newJob()
      for (const { call, body } of calls.filter(({ call }) => /\/[\w-]{22}$/.test(call)))
        await run(hub, {
          name: call,
          call: call.replace(jobId, other),
          body,
          status: 404,
          code: missingCode(call),
        })
      expect((await list(other)).requests).toEqual([])
    })

    it('works while it is CREATED, and needs the scope', async () => {
      await each({ as: 'demo-provider', status: 403, code: 'FORBIDDEN' })
      for (const { call, body } of calls) {
        const got = await hub.call(call.split(' ')[0] ?? '', call.split(' ')[1] ?? '', { as, body })
        expect(got.status, call).toBe(call.startsWith('POST') ? 201 : 200)
      }
    })

    it('goes with the job', async () => {
      await must(200, 'DELETE', `/v2/jobs/${jobId}`)
      for (const table of ['requests', 'source_contents'] as const) {
        const rows = hub.inner.db.read
          .selectFrom(table)
          .select('job_id')
          .where('job_id', '=', jobId)
        expect(await rows.execute()).toEqual([])
      }
      await each({ status: 404, code: 'JOB_NOT_FOUND' })
    })
  })

  it('the quota is what the table says', () => {
    expect([quotas.MaxReqsPerJob, limits.requestsPerCall, limits.inlineBytes]).toEqual([
      2_000, 2_000, 1_048_576,
    ])
  })

  it('the call of a former version is gone and names its successor', async () => {
    const jobId = await newJob()
    const call = `PUT /v2/jobs/${jobId}/requests`
    await run(hub, {
      name: 'PUT',
      call,
      body: [],
      status: 410,
      code: 'GONE',
      says: /PATCH \/jobs\/\{jobId\}\/requests/,
    })
  })
})

const missingCode = (call: string): string =>
  call.includes('sourcecontent') ? 'SOURCE_CONTENT_NOT_FOUND' : 'REQUEST_NOT_FOUND'

function halves(bytes: number) {
  const value = 'é'.repeat((bytes - 3) / 2 / 2 - 1)
  const rest = bytes - 2 - 2 * Buffer.byteLength(value)
  return [
    { key: 'a', value },
    { key: 'b', value: value + 'x'.repeat(rest) },
  ]
}
