/**
 * Contract, section 11, "Leniency for deployed clients" and "Queries": what clients in the field
 * send, and what they are told.
 */
import { openapi } from '@dragoman/docs/reference'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type CallOptions, databases, startHub, type TestHub } from '../hub.ts'

type Json = Record<string, unknown>
const as = 'demo-connector'
const provider = 'demo-provider'

describe.each(databases)('deployed clients on %s', (database) => {
  let hub: TestHub
  let manual: string
  beforeAll(async () => {
    hub = await startHub({ database })
    const { body } = await hub.call<{ providers: { providerId: string; name: string }[] }>(
      'GET',
      '/v2/providers',
      {
        as,
      },
    )
    manual = body.providers.find(({ name }) => name === 'Manual')?.providerId ?? ''
  })
  afterAll(() => hub.close())

  const must = async <T = Json>(
    status: number,
    method: string,
    path: string,
    options: CallOptions = {},
  ): Promise<T> => {
    const got = await hub.call<T>(method, `/v2${path}`, { as, ...options })
    expect(got.status, JSON.stringify(got.body)).toBe(status)
    return got.body
  }
  const refused = async (method: string, path: string, options: CallOptions = {}) => {
    const { status, body } = await hub.call(method, `/v2${path}`, { as, ...options })
    return [status, body.code, body.message]
  }
  const newJob = async (more: Json = {}): Promise<string> =>
    String((await must(201, 'POST', '/jobs', { body: { jobName: 'Old', ...more } })).jobId)
  const request = {
    requestName: 'Home',
    sourceNativeId: 'home',
    sourceNativeLanguageCode: 'en-US',
    targetNativeLanguageCodes: ['de-DE'],
  }
  const fields = [{ key: 'title', value: 'Good morning' }]
  const sent = async (more: Json = {}): Promise<string> => {
    const jobId = await newJob({ providerId: manual, ...more })
    await must(201, 'POST', `/jobs/${jobId}/requests/add`, { body: { ...request, fields } })
    await must(200, 'PUT', `/jobs/${jobId}/submit`, { body: {} })
    await hub.advance('1s')
    return jobId
  }

  describe('an authType', () => {
    it('that ends with SIGNATURE or TOKEN signs, and is echoed as it was sent', async () => {
      const uri = 'http://127.0.0.1:9/x'
      const made = await must(201, 'POST', '/statusupdates/listeners', {
        body: { uri, type: 'JOB_STATUS_UPDATED', authType: 'HMAC_SIGNATURE' },
      })
      expect(made.authType).toBe('HMAC_SIGNATURE')
      const path = `/statusupdates/listeners/${made.listenerId}`
      for (const authType of ['JWT_TOKEN', 'TOKEN', 'NONE', 'SIGNATURE', 'x-SIGNATURE']) {
        expect((await must(200, 'PATCH', path, { body: { authType } })).authType).toBe(authType)
        expect((await must(200, 'GET', path)).authType).toBe(authType)
        const row = await hub.inner.db.read
          .selectFrom('listeners')
          .select('auth_type')
          .where('listener_id', '=', String(made.listenerId))
          .executeTakeFirst()
        expect(row?.auth_type).toBe(authType === 'NONE' ? 'NONE' : 'SIGNATURE')
      }
      for (const authType of ['BASIC', 'SIGNATURES', 'signature', '', `${'x'.repeat(60)}TOKEN`])
        expect(await refused('PATCH', path, { body: { authType } })).toEqual([
          400,
          'INVALID_REQUEST',
          expect.stringMatching(/authType .*SIGNATURE or NONE/),
        ])
      await must(200, 'DELETE', path)
    })
  })

  describe('requests/add', () => {
    const add = (jobId: string, more: Json) => ({
      body: { ...request, ...more },
      path: `/jobs/${jobId}/requests/add`,
    })

    it('takes fieldNames and fieldValues in place of fields', async () => {
      const jobId = await newJob()
      const { path, body } = add(jobId, {
        fieldNames: ['title', 'body'],
        fieldValues: ['Hello', ''],
      })
      const made = await must<{ requests: Json[] }>(201, 'POST', path, {
        body: { requests: [body, { ...body, requestName: 'B' }] },
      })
      const [first] = made.requests
      expect(first).not.toHaveProperty('fieldNames')
      const content = await must(
        200,
        'GET',
        `/jobs/${jobId}/sourcecontent/${first?.sourcecontentId}`,
      )
      expect(content.fields).toEqual([
        { key: 'title', value: 'Hello' },
        { key: 'body', value: '' },
      ])
    })

    it.each<[string, Json, RegExp]>([
      [
        'of two lengths',
        { fieldNames: ['a', 'b'], fieldValues: ['x'] },
        /fieldNames has 2 names for 1 fieldValues/,
      ],
      ['without values', { fieldNames: ['a'] }, /fieldNames has 1 names for 0 fieldValues/],
      [
        'beside fields',
        { fieldNames: ['a'], fieldValues: ['x'], fields },
        /has fields and fieldNames/,
      ],
      ['that are empty', { fieldNames: [], fieldValues: [] }, /has no content/],
      ['with a name twice', { fieldNames: ['a', 'a'], fieldValues: ['x', 'y'] }, /\ba\b/],
    ])('refuses lists %s', async (_, more, says) => {
      const { path, body } = add(await newJob(), more)
      expect(await refused('POST', path, { body })).toEqual([
        400,
        'INVALID_REQUEST',
        expect.stringMatching(says),
      ])
    })
  })

  it('a body may begin with a BOM', async () => {
    for (const [jobName, more] of [
      ['Short', {}],
      ['Long', { unknown: 'y'.repeat(100_000) }],
    ] as const) {
      const body = `\ufeff${JSON.stringify({ jobName, ...more })}`
      const answer = await fetch(`${hub.url}/v2/jobs`, {
        method: 'POST',
        body,
        headers: {
          'content-type': 'application/json',
          authorization: `Bearer ${await hub.token('demo-connector')}`,
        },
      })
      expect([answer.status, (await answer.json()).jobName]).toEqual([201, jobName])
    }
  })

  describe('a null language', () => {
    it('of the source is not given, in a job and a support asset', async () => {
      const body = { jobName: 'Null', sourceNativeLanguageCode: null }
      const job = await must(201, 'POST', '/jobs', { body })
      expect(job).not.toHaveProperty('sourceNativeLanguageCode')
    })

    it('in a PATCH means unchanged; in a list of target languages it stays denied', async () => {
      const jobId = await newJob({
        sourceNativeLanguageCode: 'en-GB',
        targetNativeLanguageCodes: ['fr-FR'],
      })
      const job = await must(200, 'PATCH', `/jobs/${jobId}`, {
        body: { sourceNativeLanguageCode: null, jobName: 'New' },
      })
      expect(job).toMatchObject({ sourceNativeLanguageCode: 'en-GB', jobName: 'New' })
      const { requests } = await must<{ requests: Json[] }>(
        201,
        'POST',
        `/jobs/${jobId}/requests/add`,
        {
          body: { ...request, fields },
        },
      )
      const body = [
        {
          requestId: requests[0]?.requestId,
          sourceNativeLanguageCode: null,
          targetNativeLanguageCode: null,
        },
      ]
      const changed = await must<{ requests: Json[] }>(200, 'PATCH', `/jobs/${jobId}/requests`, {
        body,
      })
      expect(changed.requests[0]).toMatchObject({
        sourceNativeLanguageCode: 'en-US',
        targetNativeLanguageCode: 'de-DE',
      })
      for (const [codes, code, says] of [
        [[null], 'INVALID_LANGUAGE', /./],
        [['de-DE', null], 'INVALID_LANGUAGE', /./],
        [
          null,
          'INVALID_REQUEST',
          /targetNativeLanguageCodes must be a list of language codes such as \["de-DE"\], not null/,
        ],
      ] as const)
        expect(
          await refused('PATCH', `/jobs/${jobId}`, { body: { targetNativeLanguageCodes: codes } }),
        ).toEqual([400, code, expect.stringMatching(says)])
    })
  })

  describe('jobs of a provider', () => {
    it('are filtered by the names of their own job, and by isAcknowledged', async () => {
      const [a, b, c] = [
        await sent({ jobName: 'Spring A', poReference: 'P1', labels: ['web'] }),
        await sent({ jobName: 'Spring B', serviceType: 'Proofreading' }),
        await sent({ jobName: 'Summer' }),
      ]
      await must(200, 'PUT', `/providers/${manual}/jobs/${b}/acknowledge`, { as: provider })
      await must(200, 'PATCH', `/providers/${manual}/jobs/${c}`, {
        as: provider,
        body: { statusCode: 'IN_TRANSLATION' },
      })
      const found = async (query: Record<string, string | number>) => {
        const ids: string[] = []
        for (let navNext = ''; ; ) {
          const page = await must<{ jobs: Json[]; next?: string }>(
            200,
            'GET',
            `/providers/${manual}/jobs`,
            {
              as: provider,
              query: { ...query, pageSize: 1, ...(navNext && { navNext }) },
            },
          )
          ids.push(...page.jobs.map(({ jobId }) => String(jobId)))
          if (!page.next)
            return ids.map((id) => ({ [a]: 'a', [b]: 'b', [c]: 'c' })[id] ?? '?').join('')
          navNext = page.next
        }
      }
      expect(await found({ filter: "statusCode eq 'SENDING_READY_FOR_RETRIEVE'" })).toBe('ab')
      expect(await found({ filter: "statusCode ne 'SENDING_READY_FOR_RETRIEVE'" })).toBe('c')
      expect(
        await found({
          filter: "statusCode in ('IN_TRANSLATION','CANCELLED') or poReference eq 'P1'",
        }),
      ).toBe('ac')
      expect(await found({ filter: "startswith(jobName,'spring')" })).toBe('ab')
      expect(await found({ filter: "serviceType eq 'Proofreading' or labels eq 'web'" })).toBe('ab')
      expect(await found({ filter: 'isAcknowledged eq true' })).toBe('b')
      expect(await found({ isAcknowledged: 'true' })).toBe('b')
      expect(await found({ isAcknowledged: 'false', statusCode: 'IN_TRANSLATION' })).toBe('c')
      expect(await found({ isAcknowledged: 'false', filter: "jobName ne 'Summer'" })).toBe('a')
      for (const [filter, says] of [
        ["statusCode eq 'SENT_TO_PROVIDER'", /values are .*SENDING_READY_FOR_RETRIEVE/],
        ["activityDate gt '2020-01-01'", /not a field; fields are .*isAcknowledged/],
      ] as const)
        expect(
          await refused('GET', `/providers/${manual}/jobs`, { as: provider, query: { filter } }),
        ).toEqual([400, 'INVALID_FILTER', expect.stringMatching(says)])
    })
  })

  describe('a download', () => {
    it('is listed with 200 and its bytes beside the 307, in every call that redirects', () => {
      const { paths } = openapi() as {
        paths: Record<string, Record<string, { responses?: Record<string, Json> }>>
      }
      const redirects = Object.values(paths)
        .flatMap((one) => Object.values(one))
        .filter(({ responses }) => responses && '307' in responses)
      expect(redirects.length).toBeGreaterThan(4)
      for (const { responses } of redirects)
        expect(responses?.['200']?.content).toMatchObject({
          'application/octet-stream': { schema: { type: 'string', format: 'binary' } },
        })
    })
  })

  describe('answers', () => {
    it('the Link of the old way to a source file keeps its id', async () => {
      const jobId = await newJob()
      const { fmsFileId, fmsPostMultipartUrl } = await must<Record<string, string>>(
        201,
        'POST',
        `/jobs/${jobId}/sourcefiles`,
        { query: { fileName: 'a.txt' } },
      )
      const form = new FormData()
      form.append('file', new Blob(['a']), 'a.txt')
      await fetch(fmsPostMultipartUrl ?? '', { method: 'POST', body: form })
      const { headers } = await hub.call(
        'GET',
        `/v2/jobs/${jobId}/sourcefiles/${fmsFileId}/retrieve`,
        { as },
      )
      expect(headers.get('link')).toBe(
        `</v2/jobs/${jobId}/sourcefiles/${fmsFileId}>; rel="successor-version"`,
      )
      const added = await must(201, 'POST', `/jobs/${jobId}/supportassets`, { body: { fmsFileId } })
      expect(added).toMatchObject({ fileId: fmsFileId, fmsFileId, _embedded: { requests: [] } })
      expect(
        await must(200, 'GET', `/jobs/${jobId}/supportassets/${added.supportassetId}`),
      ).not.toHaveProperty('_embedded')
    })

    it('a provider whose languages are not known does not name any', async () => {
      const { providers } = await must<{ providers: { capabilities: Json }[] }>(
        200,
        'GET',
        '/providers',
      )
      expect(providers.length).toBeGreaterThan(0)
      for (const { capabilities } of providers)
        expect(capabilities).not.toHaveProperty('supportedLanguages')
    })

    it('the sandbox knows the scopes that deployed clients ask for', async () => {
      const scopeOf = async (client: string, scope: string) => {
        const token = await hub.token(client, undefined, scope)
        return (JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()) as Json)
          .scope
      }
      expect(await scopeOf(as, 'contentapi.contentv2.read contentapi.contentv2.write')).toBe(
        'content',
      )
      expect(await scopeOf(provider, 'contentapi.providerv2.all')).toBe('provider')
      await expect(scopeOf(as, 'contentapi.otherv2.read')).rejects.toThrow(/invalid_scope/)
    })

    it('a provider that calls for a completed job is told that it is', async () => {
      const jobId = await sent()
      const path = `/providers/${manual}/jobs/${jobId}`
      const { assetTasks } = await must<{ assetTasks: Json[] }>(200, 'GET', `${path}/assetTasks`, {
        as: provider,
      })
      const task = `${path}/assetTasks/${assetTasks[0]?.assetTaskId}`
      await must(200, 'PUT', `${task}/translatedContent`, { as: provider, body: { fields } })
      await must(200, 'PATCH', task, {
        as: provider,
        body: { statusCode: 'TRANSLATION_SUBMITTED' },
      })
      await must(200, 'PUT', `/jobs/${jobId}/complete`, { body: {} })
      for (const [method, of, body] of [
        ['PUT', `${task}/translatedContent`, { fields }],
        ['POST', `${task}/translatedFile?fileName=a.xml`, undefined],
        ['PATCH', task, { statusCode: 'TRANSLATION_SUBMITTED' }],
        ['PATCH', path, { statusCode: 'IN_TRANSLATION' }],
        ['PATCH', path, { hasError: true }],
      ] as const)
        expect([
          of,
          ...(await refused(method, of, { as: provider, ...(body && { body }) })),
        ]).toEqual([of, 409, 'JOB_COMPLETED', expect.stringContaining('is completed')])
      expect((await must(200, 'GET', path, { as: provider })).statusCode).toBe('COMPLETED')
    })

    it('an asset task does not name a translated file whose transfer has expired', async () => {
      const jobId = await sent()
      const path = `/providers/${manual}/jobs/${jobId}/assetTasks`
      const { assetTasks } = await must<{ assetTasks: Json[] }>(200, 'GET', path, { as: provider })
      const task = `${path}/${assetTasks[0]?.assetTaskId}`
      const { fmsFileId } = await must(201, 'POST', `${task}/translatedFile`, {
        as: provider,
        query: { fileName: 'a.xml' },
      })
      expect((await must(200, 'GET', task, { as: provider })).translatedFileId).toBe(fmsFileId)
      await hub.advance('25h')
      expect(await must(200, 'GET', task, { as: provider })).not.toHaveProperty('translatedFileId')
      expect(
        await refused('PATCH', task, {
          as: provider,
          body: { statusCode: 'TRANSLATION_SUBMITTED' },
        }),
      ).toEqual([409, 'TRANSLATION_NOT_READY', expect.any(String)])
    })
  })

  describe('words', () => {
    it('are counted by band without a price list', async () => {
      const jobId = await newJob()
      const more = [
        ...fields,
        { key: 'again', value: 'Good morning' },
        { key: 'body', value: 'Three new words' },
      ]
      const body = { ...request, targetNativeLanguageCodes: ['de-DE', 'fr-FR'], fields: more }
      const { requests } = await must<{ requests: Json[] }>(
        201,
        'POST',
        `/jobs/${jobId}/requests/add`,
        { body },
      )
      const bands = ['Repetition', 'Context', 'Exact', '95-99', '85-94', '75-84', 'New'].map(
        (name) => ({
          name,
          words: { Repetition: 2, New: 5 }[name] ?? 0,
        }),
      )
      expect(await must(200, 'GET', `/jobs/${jobId}/words`)).toEqual({
        jobId,
        lines: requests.map(({ requestId, targetNativeLanguageCode }) => ({
          requestId,
          targetNativeLanguageCode,
          bands,
        })),
      })
      expect((await refused('GET', '/jobs/AAAAAAAAAA/words')).slice(0, 2)).toEqual([
        404,
        'JOB_NOT_FOUND',
      ])
      expect((await refused('GET', `/jobs/${jobId}/words`, { as: provider })).slice(0, 2)).toEqual([
        403,
        'FORBIDDEN',
      ])
    })
  })

  describe('what happened', () => {
    it('a content client reads the timeline of its site; calls of others have no name', async () => {
      const jobId = await sent()
      await must(200, 'PUT', `/providers/${manual}/jobs/${jobId}/acknowledge`, { as: provider })
      type Timeline = {
        timeline: { kind: string; id: string; causeId: string; clientId?: string; route?: string }[]
      }
      const read = (who: string) =>
        must<Timeline>(200, 'GET', `/jobs/${jobId}/timeline`, { as: who, query: { pageSize: 200 } })
      await expect
        .poll(async () =>
          (await read(as)).timeline.some(({ route }) => route?.endsWith('/acknowledge')),
        )
        .toBe(true)
      const { timeline } = await read(as)
      const clients = (entries: Timeline['timeline']) =>
        new Set(entries.filter(({ kind }) => kind === 'call').map(({ clientId }) => clientId))
      expect(clients(timeline)).toEqual(new Set([as, undefined]))
      expect(clients((await read('demo-admin')).timeline)).toContain(provider)
      const ids = new Set(timeline.map(({ id }) => id))
      for (const { causeId } of timeline)
        expect(ids.has(causeId) || /^(call|task|upload|schedule):./.test(causeId), causeId).toBe(
          true,
        )
      expect(
        (await refused('GET', `/jobs/${jobId}/timeline`, { as: provider })).slice(0, 2),
      ).toEqual([403, 'FORBIDDEN'])
      expect((await refused('GET', '/jobs/AAAAAAAAAA/timeline')).slice(0, 2)).toEqual([
        404,
        'JOB_NOT_FOUND',
      ])
    })

    it('a deleted listener leaves its deliveries for their 30 days; its place is free at once', async () => {
      const body = { uri: 'http://127.0.0.1:9/gone', type: 'JOB_STATUS_UPDATED' }
      const { listenerId } = await must(201, 'POST', '/statusupdates/listeners', { body })
      const jobId = await sent()
      await must(200, 'DELETE', `/statusupdates/listeners/${listenerId}`)
      expect((await refused('GET', `/statusupdates/listeners/${listenerId}`)).slice(0, 2)).toEqual([
        404,
        'LISTENER_NOT_FOUND',
      ])
      const { listeners } = await must<{ listeners: Json[] }>(
        200,
        'GET',
        '/statusupdates/listeners',
      )
      expect(listeners.map((one) => one.listenerId)).not.toContain(listenerId)
      const again = await must(201, 'POST', '/statusupdates/listeners', { body })
      await must(200, 'DELETE', `/statusupdates/listeners/${again.listenerId}`)
      type Kept = {
        deliveries: { state: string; listenerId: string; attempts: Json[]; requestIds?: string[] }[]
      }
      const kept = async () =>
        (
          await must<Kept>(200, 'GET', '/deliveries', { as: 'demo-admin', query: { jobId } })
        ).deliveries.filter((one) => one.listenerId === listenerId)
      const [delivery] = await kept()
      expect(delivery).toMatchObject({
        state: 'PARKED',
        attempts: [expect.objectContaining({ error: expect.any(String) })],
      })
      const timeline = await must<{ timeline: Json[] }>(200, 'GET', `/jobs/${jobId}/timeline`, {
        query: { kind: ['delivery', 'attempt'] },
      })
      expect(timeline.timeline.map(({ kind }) => kind)).toEqual(
        expect.arrayContaining(['delivery', 'attempt']),
      )
      const causes = await must<{ causes: Json[] }>(200, 'GET', '/deliveries/causes', {
        as: 'demo-admin',
      })
      expect(JSON.stringify(causes)).not.toContain(String(listenerId))
      await hub.advance('29d')
      expect(await kept()).toHaveLength(1)
      await hub.advance('3d')
      expect(await kept()).toEqual([])
    })

    it('the list of deliveries has the requests and the attempts of each', async () => {
      const body = { uri: 'http://127.0.0.1:9/x', type: 'REQUEST_STATUS_UPDATED' }
      const { listenerId } = await must(201, 'POST', '/statusupdates/listeners', { body })
      const jobId = await sent()
      await must(200, 'PATCH', `/providers/${manual}/jobs/${jobId}`, {
        as: provider,
        body: { statusCode: 'CANCELLED' },
      })
      await hub.advance('1m')
      const { requests } = await must<{ requests: Json[] }>(200, 'GET', `/jobs/${jobId}/requests`)
      const { deliveries } = await must<{ deliveries: { attempts: Json[] }[] }>(
        200,
        'GET',
        '/deliveries',
        {
          as: 'demo-admin',
          query: { listenerId: String(listenerId) },
        },
      )
      expect(deliveries[0]).toMatchObject({ requestIds: [requests[0]?.requestId] })
      expect(deliveries[0]?.attempts.length).toBeGreaterThan(0)
      for (const attempt of deliveries[0]?.attempts ?? [])
        expect(attempt).toEqual({
          attemptTime: expect.any(String),
          durationMs: expect.any(Number),
          error: expect.any(String),
        })
      await must(200, 'DELETE', `/statusupdates/listeners/${listenerId}`)
    })
  })

  describe('queries', () => {
    it('a filter that compares an enum with a value it does not have lists the values', async () => {
      for (const filter of [
        "statusCode eq 'DONE'",
        "not status in ('CREATED', 'DONE')",
        "statusCode lt 'D'",
      ])
        expect(await refused('GET', '/jobs', { query: { filter } })).toEqual([
          400,
          'INVALID_FILTER',
          expect.stringMatching(
            /is not a value of status(Code)?; the values are CREATED, .*CANCELLED.* at position \d+/,
          ),
        ])
    })

    it.each([
      ["contains(dueDate,'x')", /contains needs a text field: jobId, /],
      ["contains(statusCode,'x')", /needs a text field/],
      ["startswith(jobName 'x')", /"," is expected after startswith\(jobName/],
      ['contains(jobName,x)', /a literal in single quotes/],
      ["contains(jobName,'x'", /"\)" is expected/],
      ['jobName in ()', /a literal in single quotes/],
      ["jobName in 'a'", /"\(" is expected after jobName in/],
      ["jobName in ('a' 'b')", /"\)" is expected/],
      [`jobId in (${Array(51).fill("'x'").join()})`, /more than 50 terms/],
      ['dueDate gt 2026-13-01', /literal in single quotes/],
    ])('the filter %s is refused with a sentence', async (filter, says) => {
      const [status, code, message] = await refused('GET', '/jobs', { query: { filter } })
      expect([status, code, message]).toEqual([400, 'INVALID_FILTER', expect.stringMatching(says)])
      expect(message).toMatch(/at position \d+/)
    })

    it('several jobId on status updates mean any of them, and statusCode filters', async () => {
      const [a, b, c] = [await sent(), await sent(), await sent()]
      for (const jobId of [a, b, c])
        await must(200, 'PATCH', `/providers/${manual}/jobs/${jobId}`, {
          as: provider,
          body: { statusCode: 'CANCELLED' },
        })
      type Updates = { statusupdates: { jobId: string; statusCode: string }[]; next?: string }
      const found = async (query: Record<string, string | string[]>) => {
        const all: string[] = []
        for (let navNext = ''; ; ) {
          const more = { ...query, acknowledged: 'all', pageSize: 1, ...(navNext && { navNext }) }
          const page = await must<Updates>(200, 'GET', '/statusupdates', { query: more })
          all.push(
            ...page.statusupdates.map(
              ({ jobId, statusCode }) =>
                `${{ [a]: 'a', [b]: 'b', [c]: 'c' }[jobId] ?? '?'} ${statusCode}`,
            ),
          )
          if (!page.next) return all
          navNext = page.next
        }
      }
      expect(await found({ jobId: [a, c], statusCode: 'CANCELLED' })).toEqual([
        'a CANCELLED',
        'c CANCELLED',
      ])
      expect(new Set(await found({ jobId: [a, b] }))).toEqual(
        new Set(['a CANCELLED', 'b CANCELLED']),
      )
      expect(await found({ jobId: b, statusCode: ['REVIEW_TRANSLATION'] })).toEqual([])
      expect(await refused('GET', '/statusupdates', { query: { statusCode: 'DONE' } })).toEqual([
        400,
        'INVALID_PARAMETER',
        expect.stringMatching(/statusCode\[0\] must be one of .*REVIEW_TRANSLATION/),
      ])
    })

    it('a query name that the call does not know is named in x-ignored-parameters', async () => {
      const jobId = await newJob()
      for (const [path, query, ignored] of [
        ['/jobs', { statuscode: 'X', pageSize: 1, 'odd,name': 'a' }, 'statuscode, odd%2Cname'],
        [`/jobs/${jobId}`, { jobid: '1' }, 'jobid'],
        ['/quota', { x: '1' }, 'x'],
        ['/jobs', { status: 'CREATED', next: '' }, null],
      ] as const) {
        const got = await hub.call('GET', `/v2${path}`, { as, query })
        expect([path, got.status, got.headers.get('x-ignored-parameters')]).toEqual([
          path,
          200,
          ignored,
        ])
      }
    })

    it('refusals say in words what is wanted', async () => {
      const jobId = await newJob()
      for (const [path, query, says] of [
        [
          `/jobs/${jobId}/requests`,
          { id: 'a,b' },
          /: id\[0\] is not valid; expected: An id of letters.*; for several, repeat the parameter: id=…&id=…\.$/,
        ],
        [
          '/jobs',
          { status: 'CREATED', statusCode: 'SENDING' },
          /: statusCode has another value than status; send one of them\.$/,
        ],
      ] as const)
        expect(await refused('GET', path, { query })).toEqual([
          400,
          'INVALID_PARAMETER',
          expect.stringMatching(says),
        ])
      expect(
        await refused('PUT', `/jobs/${jobId}/requests/approve`, { body: { requestIds: [] } }),
      ).toEqual([
        400,
        'INVALID_REQUEST',
        'The request body is not valid: requestIds has 0 items; at least 1 is required.',
      ])
    })
  })
})
