/** Specification: States, Events; contract, sections 5, 8 and 11: the job goes round. */
import { type RequestStatus, requestMoves, requestStatuses } from '@dragoman/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openNote } from '../../packages/server/src/domain/files/seals/notes.ts'
import { dismissClient, enrolClient } from '../../packages/server/src/domain/sites/enrol-client.ts'
import { databases, startHub, type TestHub } from '../hub.ts'
import { startReceiver } from '../receiver.ts'
import { everything } from '../scenario.ts'

type JsonObject = Record<string, unknown>
type Request = {
  requestId: string
  statusCode: string
  targetNativeLanguageCode: string
  hasError: boolean
  latestErrorMessage?: string
}
type Update = {
  updateId: string
  sequence: number
  jobId: string
  requestIds: string[]
  statusCode: string
  hasError: boolean
  errorMessage?: string
}
const as = 'demo-connector'
const provider = 'demo-provider'

describe.each(databases)('the round on %s', (database) => {
  let hub: TestHub
  let pseudo: string
  let manual: string
  beforeAll(async () => {
    hub = await startHub({ database })
    const { body } = await hub.call<{ providers: { id: string; name: string }[] }>(
      'GET',
      '/v2/providers',
      { as },
    )
    pseudo = body.providers.find((one) => one.name === 'Pseudo')?.id ?? ''
    manual = body.providers.find((one) => one.name === 'Manual')?.id ?? ''
  })
  afterAll(() => hub.close())

  const call = async <T = JsonObject>(who: string, method: string, path: string, body?: unknown) =>
    hub.call<T>(method, `/v2${path}`, { as: who, ...(body !== undefined && { body }) })
  const newJob = async (more: JsonObject = {}): Promise<string> =>
    String((await call(as, 'POST', '/jobs', { jobName: 'Round', ...more })).body.jobId)
  const add = async (jobId: string, more: JsonObject = {}): Promise<Request[]> => {
    const body = {
      requestName: 'kv',
      sourceNativeId: 's',
      sourceNativeLanguageCode: 'en-us',
      targetNativeLanguageCodes: ['de-de', 'fr-fr'],
      ...(more.fmsFileId ? {} : { fields: [{ key: 'title', value: 'Good morning, {name}' }] }),
      ...more,
    }
    const answer = await call<{ requests: Request[] }>(
      as,
      'POST',
      `/jobs/${jobId}/requests/add`,
      body,
    )
    expect(answer.status, JSON.stringify(answer.body)).toBe(201)
    return answer.body.requests
  }
  const upload = async (jobId: string, text: string, fileName: string): Promise<string> => {
    const { body } = await call<Record<string, string>>(
      as,
      'POST',
      `/jobs/${jobId}/sourcefiles?fileName=${fileName}`,
    )
    await send(body.fmsPostMultipartUrl ?? '', text)
    return body.fmsFileId ?? ''
  }
  const send = async (url: string, text: string | Uint8Array<ArrayBuffer>) => {
    const form = new FormData()
    form.append('file', new Blob([text]), 'x')
    expect((await fetch(url, { method: 'POST', body: form })).status).toBe(201)
  }
  const submit = (jobId: string, providerId: string) =>
    call(as, 'PUT', `/jobs/${jobId}/submit`, { providerId })
  /** A job of two requests that the manual provider has. */
  const sent = async (
    more: JsonObject = {},
  ): Promise<{ jobId: string; requests: Request[]; base: string; tasks: string }> => {
    const jobId = await newJob(more)
    const requests = await add(jobId)
    expect((await submit(jobId, manual)).status).toBe(200)
    await hub.advance('1s')
    const base = `/providers/${manual}/jobs/${jobId}`
    return { jobId, requests, base, tasks: `${base}/assetTasks` }
  }
  const requestsOf = async (jobId: string) =>
    (await call<{ requests: Request[] }>(as, 'GET', `/jobs/${jobId}/requests`)).body.requests
  const statuses = async (jobId: string) => (await requestsOf(jobId)).map((one) => one.statusCode)
  const jobStatus = async (jobId: string) =>
    (await call(as, 'GET', `/jobs/${jobId}`)).body.statusCode
  const ledger = async (jobId?: string): Promise<Update[]> => {
    const found: Update[] = []
    let since = 0
    for (;;) {
      const { body } = await call<{ statusupdates: Update[] }>(
        as,
        'GET',
        `/statusupdates?since=${since}`,
      )
      found.push(...body.statusupdates)
      if (body.statusupdates.length < 50) break
      since = body.statusupdates.at(-1)?.sequence ?? 0
    }
    return jobId ? found.filter((one) => one.jobId === jobId) : found
  }
  const bytesOf = async (who: string, path: string, accept?: string): Promise<string> => {
    const { status, headers, body } = await hub.call('GET', `/v2${path}`, {
      as: who,
      ...(accept && { headers: { accept } }),
    })
    expect(status, JSON.stringify(body)).toBe(307)
    return (await fetch(String(headers.get('location')))).text()
  }
  const deliver = async (
    tasks: string,
    requestId: string,
    fields = [{ key: 'title', value: 'Guten Morgen' }],
  ) => {
    expect(
      (await call(provider, 'PUT', `${tasks}/${requestId}/translatedContent`, { fields })).status,
    ).toBe(200)
    return call(provider, 'PATCH', `${tasks}/${requestId}`, { statusCode: 'TRANSLATION_SUBMITTED' })
  }

  describe('submit', () => {
    it.each([
      ['without requests', async () => [await newJob(), manual], 409, 'JOB_EMPTY'],
      [
        'without a provider where there are two',
        async () => [await full(), undefined],
        400,
        'PROVIDER_REQUIRED',
      ],
      [
        'to an unknown provider',
        async () => [await full(), 'x'.repeat(22)],
        404,
        'PROVIDER_NOT_FOUND',
      ],
      ['of an unknown job', async () => ['AAAAAAAAAA', manual], 404, 'JOB_NOT_FOUND'],
      [
        'to a disabled provider',
        async () => [await full(), await other({ status: 'DISABLED' })],
        409,
        'PROVIDER_DISABLED',
      ],
      [
        'with metadata the provider refuses',
        async () => [await full(), await other({ extendedMetadataSchema: { required: ['cost'] } })],
        400,
        'METADATA_INVALID',
      ],
      [
        'with a file that has not come',
        async () => [await unready(), manual],
        409,
        'FILE_NOT_UPLOADED',
      ],
    ] as const)('is refused %s, and nothing moves', async (_, make, status, code) => {
      const [jobId, providerId] = await make()
      const before = await everything(hub)
      const answer = await call(
        as,
        'PUT',
        `/jobs/${jobId}/submit`,
        providerId ? { providerId } : undefined,
      )
      expect([answer.status, answer.body.code]).toEqual([status, code])
      expect(await everything(hub)).toBe(before)
    })
    const full = async () => {
      const jobId = await newJob()
      await add(jobId)
      return jobId
    }
    const unready = async () => {
      const jobId = await newJob()
      const { body } = await call(as, 'POST', `/jobs/${jobId}/sourcefiles?fileName=a.html`)
      await add(jobId, { fmsFileId: body.fmsFileId })
      return jobId
    }
    const other = async (change: JsonObject): Promise<string> => {
      const made = await call('demo-admin', 'POST', '/providers', {
        name: 'Other',
        typeId: 'manual',
      })
      expect(
        (await call('demo-admin', 'PATCH', `/providers/${made.body.id}`, { ...change })).status,
      ).toBe(200)
      if (!('status' in change)) return String(made.body.id)
      return String(made.body.id)
    }

    it('moves job and requests at once, assigns a tracking id, and answers its state when repeated', async () => {
      const jobId = await full()
      const first = await submit(jobId, manual)
      expect(first.body).toMatchObject({
        statusCode: 'SENDING',
        providerId: manual,
        submitterId: as,
        globalTrackingId: expect.any(String),
        submittedDate: expect.any(String),
      })
      await hub.advance('1s')
      const again = await submit(jobId, manual)
      expect([again.status, again.body.statusCode, again.body.globalTrackingId]).toEqual([
        200,
        'SENT_TO_PROVIDER',
        first.body.globalTrackingId,
      ])
      expect(await statuses(jobId)).toEqual(['SENT_TO_PROVIDER', 'SENT_TO_PROVIDER'])
      const patched = await call(as, 'PATCH', `/jobs/${jobId}`, { jobName: 'x' })
      expect(patched.body.code).toBe('JOB_ALREADY_SUBMITTED')
      expect(await ledger(jobId)).toEqual([])
    })

    it('a job of 1,200 requests passes SENDING and leaves it', async () => {
      const jobId = await newJob()
      const requests = Array.from({ length: 1_200 }, (_, at) => ({
        requestName: `r${at}`,
        sourceNativeId: `${at}`,
        sourceNativeLanguageCode: 'en-us',
        targetNativeLanguageCodes: ['de-de'],
        fields: [{ key: 'a', value: `text number ${at}` }],
      }))
      await call(as, 'POST', `/jobs/${jobId}/requests/add`, { requests })
      expect((await submit(jobId, pseudo)).body.statusCode).toBe('SENDING')
      await hub.advance('1s')
      const { body } = await call(as, 'GET', `/jobs/${jobId}?aggregateRequests=true`)
      expect(body).toMatchObject({
        statusCode: 'IN_TRANSLATION',
        aggregateRequests: { total: 1_200, byStatusCode: { REVIEW_TRANSLATION: 1_200 } },
      })
      const told = (await ledger(jobId)).flatMap((update) => update.requestIds)
      expect([told.length, new Set(told).size]).toEqual([1_200, 1_200])
    })

    it('is refused at MaxStatusUpdatesPerSite, and nothing that happened is dropped', async () => {
      await hub.inner.db.transact((tx) =>
        tx
          .updateTable('clients')
          .set({ quotas: JSON.stringify({ MaxStatusUpdatesPerSite: 1 }) })
          .where('client_id', '=', as)
          .execute(),
      )
      await hub.advance('2m')
      const { jobId, requests, tasks } = await sent().catch(() => ({
        jobId: '',
        requests: [] as Request[],
        tasks: '',
      }))
      if (jobId)
        for (const one of requests) expect((await deliver(tasks, one.requestId)).status).toBe(200)
      const refused = await submit(await full(), manual)
      expect([refused.status, refused.body.code]).toEqual([409, 'QUOTA_EXCEEDED'])
      await hub.inner.db.transact((tx) =>
        tx.updateTable('clients').set({ quotas: null }).where('client_id', '=', as).execute(),
      )
      await hub.advance('2m')
    })
  })

  it('updates of a client that was removed do not count, and are there again for whoever gets its id', async () => {
    const used = async () => {
      const { body } = await call<{ quotas: { name: string; used?: number }[] }>(
        as,
        'GET',
        '/quota',
      )
      return body.quotas.find(({ name }) => name === 'MaxStatusUpdatesPerSite')?.used ?? -1
    }
    const enrol = async (): Promise<string> => {
      const { secret } = await enrolClient(hub.inner, {
        siteId: 'demo',
        clientId: 'mortal',
        scopes: ['admin'],
      })
      return hub.token('mortal', secret)
    }
    const by = (token: string, method: string, path: string, body?: unknown) =>
      hub.call<JsonObject>(method, `/v2${path}`, {
        headers: {
          authorization: `Bearer ${token}`,
          ...(body !== undefined && { 'content-type': 'application/json' }),
        },
        ...(body !== undefined && { body }),
      })
    const first = await enrol()
    const jobId = String((await by(first, 'POST', '/jobs', { jobName: 'Left' })).body.jobId)
    await add(jobId)
    await submit(jobId, manual)
    await hub.advance('1s')
    const before = await used()
    const failed = (errorMessage: string) => {
      const fail = { hasError: true, errorMessage }
      return call(provider, 'PATCH', `/providers/${manual}/jobs/${jobId}`, fail)
    }
    expect((await failed('no')).status).toBe(200)
    expect(await used()).toBe(before + 1)
    await dismissClient(hub.inner, 'mortal')
    expect((await failed('no again')).status).toBe(200)
    expect(await used()).toBe(before)
    const { body } = await by(await enrol(), 'GET', '/statusupdates?client=mortal')
    expect((body.statusupdates as Update[]).map(({ sequence }) => sequence)).toEqual([1, 2])
    await dismissClient(hub.inner, 'mortal')
  })

  describe('a provider', () => {
    it('is told whose job it is and what each task is called, and delivers no key that the source lacks', async () => {
      const { requests, base, tasks } = await sent({ labels: ['web'] })
      const job = await call(provider, 'GET', base)
      expect(job.body).toMatchObject({
        creatorId: as,
        submitterId: as,
        archived: false,
        labels: ['web'],
      })
      const [first] = requests
      const { requestName, sourceNativeId } = first as unknown as JsonObject
      const path = `${tasks}/${first?.requestId}`
      expect((await call(provider, 'GET', path)).body).toMatchObject({
        requestName,
        sourceNativeId,
      })
      const put = (key: string) =>
        call(provider, 'PUT', `${path}/translatedContent`, { fields: [{ key, value: 'x' }] })
      expect(await put('strange')).toMatchObject({
        status: 400,
        body: {
          code: 'INVALID_REQUEST',
          field: 'fields[0].key',
          message: expect.stringContaining('strange'),
        },
      })
      expect((await put('title')).status).toBe(200)
    })

    it('that is disabled takes no new job, submission or invocation, and finishes what it has', async () => {
      const { jobId, requests, tasks } = await sent()
      const set = (status: string) =>
        call('demo-admin', 'PATCH', `/providers/${manual}`, { status })
      const draft = await newJob()
      await add(draft)
      await set('DISABLED')
      try {
        const refused = [
          await call(as, 'POST', '/jobs', { jobName: 'x', providerId: manual }),
          await submit(draft, manual),
          await call(as, 'POST', `/providers/${manual}/invocations`, { jobId }),
        ]
        expect(refused.map(({ status, body }) => [status, body.code])).toEqual(
          Array(3).fill([409, 'PROVIDER_DISABLED']),
        )
        expect((await deliver(tasks, requests[0]?.requestId ?? '')).status).toBe(200)
      } finally {
        await set('ENABLED')
      }
    })
  })

  describe('pseudo', () => {
    it('translates files and fields at once, keeps what must be kept, the same bytes every time', async () => {
      const texts: [string, string, RegExp][] = [
        [
          'page.html',
          '<html><body><p class="x">Hello <b>big</b> world, {name}!</p></body></html>',
          /<p class="x">[^<a-zA-Z]*<b>[^a-zA-Z<]*<\/b>[^a-zA-Z<]*\{name\}/,
        ],
        [
          'text.json',
          '{"a":{"b":["Save %s files","x"]},"n":5}',
          /^\{"a":\{"b":\["[^"]*%s[^"]*","[^"]*"\]\},"n":5\}$/,
        ],
      ]
      const runs: string[][] = []
      for (let round = 0; round < 2; round += 1) {
        const jobId = await newJob()
        for (const [name, text] of texts)
          await add(jobId, {
            requestName: name,
            targetNativeLanguageCodes: ['de-de'],
            fmsFileId: await upload(jobId, text, name),
          })
        await add(jobId, { targetNativeLanguageCodes: ['de-de'] })
        await submit(jobId, pseudo)
        await hub.advance('1s')
        expect(await statuses(jobId)).toEqual(Array(3).fill('REVIEW_TRANSLATION'))
        const got: string[] = []
        for (const one of await requestsOf(jobId))
          got.push(await bytesOf(as, `/jobs/${jobId}/requests/${one.requestId}/retrievefile`))
        for (const [at, [, , pattern]] of texts.entries()) expect(got[at]).toMatch(pattern)
        const [file] = await requestsOf(jobId)
        expect(
          await call(as, 'GET', `/jobs/${jobId}/requests/${file?.requestId}/retrieve`),
        ).toMatchObject({
          status: 409,
          body: { code: 'TRANSLATION_IS_FILE', message: expect.stringContaining('/retrievefile') },
        })
        expect(got[2]).toMatch(
          /^<\?xml .*<field key="title">[^<a-zA-Z]*\{name\}[^<a-zA-Z]*<\/field>/s,
        )
        runs.push(got)
      }
      expect(runs[0]).toEqual(runs[1])
    })

    it('a file of a format that it does not know is an error with a sentence, never a translation', async () => {
      const jobId = await newJob()
      const large = '\0'.repeat(200_000)
      for (const [name, bytes] of [
        ['image.bin', large],
        ['page.bin', 'Hello'],
        ['page.html', '<p>Hello</p>'],
      ] as const)
        await add(jobId, {
          requestName: name,
          targetNativeLanguageCodes: ['de-de'],
          fmsFileId: await upload(jobId, bytes, name),
        })
      await submit(jobId, pseudo)
      await hub.advance('1s')
      const requests = await requestsOf(jobId)
      expect(requests.map(({ statusCode, hasError }) => [statusCode, hasError])).toEqual([
        ['SENT_TO_PROVIDER', true],
        ['SENT_TO_PROVIDER', true],
        ['REVIEW_TRANSLATION', false],
      ])
      expect(requests[0]?.latestErrorMessage).toMatch(
        /^"image\.bin" is not in a format that the hub can translate\. It translates .*\.html .*\.json/,
      )
      const path = `/jobs/${jobId}/requests/${requests[0]?.requestId}`
      expect((await call(as, 'GET', `${path}/retrievefile`)).body.code).toBe(
        'TRANSLATION_NOT_READY',
      )
    })

    it('keys and values come back by retrieve, the XML file by retrievefile, also as base64', async () => {
      const jobId = await newJob()
      const [one] = await add(jobId, {
        targetNativeLanguageCodes: ['de-de'],
        targetNativeIds: ['t1'],
      })
      const path = `/jobs/${jobId}/requests/${one?.requestId}`
      expect((await call(as, 'GET', `${path}/retrieve`)).body.code).toBe('TRANSLATION_NOT_READY')
      expect((await call(as, 'GET', `${path}/retrievefile`)).body.code).toBe(
        'TRANSLATION_NOT_READY',
      )
      await submit(jobId, pseudo)
      await hub.advance('1s')
      const { body } = await call<{ translationContent: JsonObject[] }>(
        as,
        'GET',
        `${path}/retrieve`,
      )
      expect(body.translationContent).toEqual([
        {
          requestId: one?.requestId,
          sourceNativeId: 's',
          sourceNativeLanguageCode: 'en-us',
          targetNativeId: 't1',
          targetNativeLanguageCode: 'de-de',
          targetContent: [{ key: 'title', value: expect.stringContaining('{name}') }],
        },
      ])
      const xml = await bytesOf(as, `${path}/retrievefile`)
      expect(
        Buffer.from(
          JSON.parse(await bytesOf(as, `${path}/retrievefile`, 'application/json')),
          'base64',
        ).toString(),
      ).toBe(xml)
    })
  })

  describe('the provider side', () => {
    it('tells the provider of support assets when the job is sent to it, not before', async () => {
      const receiver = await startReceiver()
      const path = '/v2/listeners'
      const body = {
        jobUri: receiver.url,
        onSupportAssetCreate: true,
        jobStatusCodes: ['SENDING_READY_FOR_RETRIEVE'],
      }
      const made = await hub.call<{ listenerId: string }>('POST', path, { as: provider, body })
      expect(made.status, JSON.stringify(made.body)).toBe(201)
      const jobId = await newJob()
      await add(jobId)
      const fmsFileId = await upload(jobId, 'A glossary', 'glossary.txt')
      const asset = await call(as, 'POST', `/jobs/${jobId}/supportassets`, { fmsFileId })
      await hub.advance('1m')
      expect(receiver.calls).toEqual([])
      await submit(jobId, manual)
      await hub.advance('1m')
      const heard = receiver.calls.map((one) => ({
        type: one.body.eventType,
        asset: one.body.supportassetId,
      }))
      expect(heard).toEqual([
        { type: 'JOB_UPDATE', asset: undefined },
        { type: 'SUPPORT_ASSET_CREATE', asset: asset.body.supportassetId },
      ])
      await hub.call('DELETE', `${path}/${made.body.listenerId}`, { as: provider })
      await receiver.close()
    })

    it('shows a provider its own jobs only, from the moment they are sent, under its names', async () => {
      const jobId = await newJob({ description: `é${'x'.repeat(600)}`, customData: 'c' })
      const requests = await add(jobId)
      const list = async () =>
        (
          await call<{ jobs: JsonObject[] }>(
            provider,
            'GET',
            `/providers/${manual}/jobs?statusCode=SENDING_READY_FOR_RETRIEVE`,
          )
        ).body.jobs.map((job) => job.jobId)
      expect(await list()).not.toContain(jobId)
      expect((await call(provider, 'GET', `/providers/${manual}/jobs/${jobId}`)).body.code).toBe(
        'JOB_NOT_FOUND',
      )
      await submit(jobId, manual)
      await hub.advance('1s')
      expect(await list()).toContain(jobId)
      const { body } = await call(provider, 'GET', `/providers/${manual}/jobs/${jobId}`)
      expect(body).toMatchObject({
        statusCode: 'SENDING_READY_FOR_RETRIEVE',
        assetTaskCount: 2,
        supportAssetTaskCount: 0,
        isAcknowledged: false,
        description: `é${'x'.repeat(499)}`,
      })
      expect((await call(provider, 'GET', `/providers/${pseudo}/jobs/${jobId}`)).body.code).toBe(
        'JOB_NOT_FOUND',
      )
      expect((await call(as, 'GET', `/providers/${manual}/jobs`)).status).toBe(403)
      expect((await call(provider, 'GET', '/jobs')).status).toBe(403)
      expect(
        (await call(provider, 'PUT', `/providers/${manual}/jobs/${jobId}/acknowledge`)).body
          .isAcknowledged,
      ).toBe(true)
      const tasks = await call<{ assetTasks: JsonObject[] }>(
        provider,
        'GET',
        `/providers/${manual}/jobs/${jobId}/assetTasks`,
      )
      expect(
        tasks.body.assetTasks.map((task) => [task.assetTaskId, task.statusCode, task.filename]),
      ).toEqual(requests.map((one) => [one.requestId, 'SENDING', 'kv.xml']))
      expect(
        await bytesOf(
          provider,
          `/providers/${manual}/jobs/${jobId}/assetTasks/${requests[0]?.requestId}/sourceFile`,
        ),
      ).toContain('<field key="title">Good morning, {name}</field>')
    })

    it('a file goes to the provider, comes back, is rejected with a note, comes again and is approved', async () => {
      const jobId = await newJob()
      const source = '<p>Hello</p>'
      const [one] = await add(jobId, {
        targetNativeLanguageCodes: ['de-de'],
        fmsFileId: await upload(jobId, source, 'p.html'),
      })
      await submit(jobId, manual)
      await hub.advance('1s')
      const task = `/providers/${manual}/jobs/${jobId}/assetTasks/${one?.requestId}`
      expect(await bytesOf(provider, `${task}/sourceFile`)).toBe(source)
      expect(
        (await call(provider, 'PATCH', task, { statusCode: 'TRANSLATION_SUBMITTED' })).body.code,
      ).toBe('TRANSLATION_NOT_READY')
      expect(
        (
          await call(provider, 'PATCH', task, {
            statusCode: 'IN_TRANSLATION',
            providerReference: 'P7',
          })
        ).body,
      ).toMatchObject({ statusCode: 'IN_TRANSLATION', providerReference: 'P7' })
      expect(await jobStatus(jobId)).toBe('IN_TRANSLATION')
      const transfer = await call<Record<string, string>>(
        provider,
        'POST',
        `${task}/translatedFile`,
      )
      expect(transfer.status).toBe(201)
      expect(
        (await call(provider, 'PATCH', task, { statusCode: 'TRANSLATION_SUBMITTED' })).body.code,
      ).toBe('TRANSLATION_NOT_READY')
      await send(transfer.body.fmsPostMultipartUrl ?? '', '<p>Hallo</p>')
      expect(
        (await call(provider, 'PATCH', task, { status: 'TRANSLATION_SUBMITTED' })).body,
      ).toMatchObject({
        statusCode: 'TRANSLATION_SUBMITTED',
        translatedFileId: transfer.body.fmsFileId,
      })
      const path = `/jobs/${jobId}/requests`
      expect(await bytesOf(as, `${path}/${one?.requestId}/retrievefile`)).toBe('<p>Hallo</p>')
      const rejected = await call<{ requests: JsonObject[] }>(as, 'PUT', `${path}/reject`, {
        requestIds: [one?.requestId],
        note: 'too short',
      })
      expect(rejected.body.requests[0]).toMatchObject({
        statusCode: 'TRANSLATION_REJECTED',
        rejectNote: 'too short',
      })
      expect((await call(provider, 'GET', task)).body).toMatchObject({
        statusCode: 'TRANSLATION_REJECTED',
        rejectNote: 'too short',
      })
      const second = await call<Record<string, string>>(provider, 'POST', `${task}/translatedFile`)
      await send(second.body.fmsPostMultipartUrl ?? '', '<p>Guten Tag</p>')
      await call(provider, 'PATCH', task, { statusCode: 'TRANSLATION_SUBMITTED' })
      expect(await bytesOf(as, `${path}/${one?.requestId}/retrievefile`)).toBe('<p>Guten Tag</p>')
      for (let twice = 0; twice < 2; twice += 1)
        expect(
          (
            await call<{ requests: JsonObject[] }>(as, 'PUT', `${path}/approve`, {
              requestIds: [one?.requestId],
            })
          ).body.requests[0],
        ).toMatchObject({ statusCode: 'TRANSLATION_APPROVED' })
      const third = await call<Record<string, string>>(provider, 'POST', `${task}/translatedFile`)
      await send(third.body.fmsPostMultipartUrl ?? '', '<p>Servus</p>')
      expect(await bytesOf(as, `${path}/${one?.requestId}/retrievefile`)).toBe('<p>Guten Tag</p>')
      await call(provider, 'PATCH', task, { statusCode: 'TRANSLATION_SUBMITTED' })
      expect(await statuses(jobId)).toEqual(['REVIEW_TRANSLATION'])
      expect((await ledger(jobId)).map((update) => [update.statusCode, update.hasError])).toEqual(
        Array(3).fill(['REVIEW_TRANSLATION', false]),
      )
    })

    it('several asset tasks move together and make one update; a list with one bad id changes nothing', async () => {
      const { jobId, requests, tasks } = await sent()
      const ids = requests.map((one) => one.requestId)
      for (const id of ids)
        await call(provider, 'PUT', `${tasks}/${id}/translatedContent`, {
          fields: [{ key: 'title', value: 'x' }],
        })
      // What other tests began is over before the hub is looked at.
      await hub.advance('1s')
      const before = await everything(hub)
      const bad = await call(provider, 'PATCH', tasks, {
        assetTaskIds: [...ids, 'x'.repeat(22)],
        assetTasksUpdate: { statusCode: 'TRANSLATION_SUBMITTED' },
      })
      expect([bad.status, bad.body.code]).toEqual([404, 'REQUEST_NOT_FOUND'])
      expect(await everything(hub)).toBe(before)
      await call(provider, 'PATCH', tasks, {
        assetTaskIds: ids,
        assetTasksUpdate: { statusCode: 'TRANSLATION_SUBMITTED' },
      })
      expect((await ledger(jobId)).map((update) => update.requestIds)).toEqual([ids])
      const half = await call(as, 'PUT', `/jobs/${jobId}/requests/approve`, {
        requestIds: [ids[0]],
      })
      expect(half.status).toBe(200)
      await deliver(tasks, ids[0] ?? '')
      await call(as, 'PUT', `/jobs/${jobId}/requests/reject`, { requestIds: [ids[1]] })
      // The memory learns what was approved.
      await hub.advance('1s')
      const untouched = await everything(hub)
      const refused = await call(as, 'PUT', `/jobs/${jobId}/requests/approve`, { requestIds: ids })
      expect([refused.status, refused.body.code]).toEqual([409, 'REQUEST_NOT_IN_REVIEW'])
      expect(refused.body.message).toContain(ids[1])
      expect(await everything(hub)).toBe(untouched)
    })

    it('a key-value file may come back in the same form; a broken one is refused', async () => {
      const { jobId, requests, tasks } = await sent()
      const task = `${tasks}/${requests[0]?.requestId}`
      const tries: [string | Buffer<ArrayBuffer>, number][] = [
        ['<content><field key="title">Guten &amp; Morgen<![CDATA[<b>]]></field></content>', 200],
        [Buffer.from('<content><field key="title">Gr\xfc\xdfe</field></content>', 'latin1'), 422],
        [Buffer.from('\ufeff<content><field key="title">x</field></content>', 'utf16le'), 422],
        [
          Buffer.from(
            '<content><field key="title">\xc0\x80\xed\xa0\x80</field></content>',
            'latin1',
          ),
          422,
        ],
        ['<content><field key="title">\0</field></content>', 422],
        ['<content><field key="title">&#xD800;</field></content>', 422],
        ['<content><field>x</field></content>', 422],
        ['<!DOCTYPE content [<!ENTITY x "y">]><content><field key="a">&x;</field></content>', 422],
        ['<content><field key="a">', 422],
        ['nothing', 422],
      ]
      for (const [xml, status] of tries) {
        const { body } = await call<Record<string, string>>(
          provider,
          'POST',
          `${task}/translatedFile`,
        )
        await send(body.fmsPostMultipartUrl ?? '', xml)
        const delivered = await call(provider, 'PATCH', task, {
          statusCode: 'TRANSLATION_SUBMITTED',
        })
        expect([xml, delivered.status]).toEqual([xml, status])
        if (status === 422)
          expect(delivered.body.message).toMatch(
            /The key-value file (?:cannot be read: \S|is not UTF-8)/,
          )
      }
      const { body } = await call<{ translationContent: { targetContent: JsonObject[] }[] }>(
        as,
        'GET',
        `/jobs/${jobId}/requests/${requests[0]?.requestId}/retrieve`,
      )
      expect(body.translationContent[0]?.targetContent).toEqual([
        { key: 'title', value: 'Guten & Morgen<b>' },
      ])
    })

    it('errors set and clear hasError and make updates; cancellation of one and of all', async () => {
      const { jobId, requests, tasks, base } = await sent()
      const [one, two] = requests.map((request) => request.requestId)
      await call(provider, 'PATCH', `${tasks}/${one}`, {
        hasError: true,
        errorMessage: 'cannot read it',
      })
      expect((await requestsOf(jobId))[0]).toMatchObject({
        statusCode: 'SENT_TO_PROVIDER',
        hasError: true,
        latestErrorMessage: 'cannot read it',
      })
      await call(provider, 'PATCH', base, { hasError: true, errorMessage: 'all is lost' })
      expect((await call(as, 'GET', `/jobs/${jobId}`)).body).toMatchObject({
        hasError: true,
        latestErrorMessage: 'all is lost',
      })
      await deliver(tasks, one ?? '')
      expect((await requestsOf(jobId))[0]).toMatchObject({
        statusCode: 'REVIEW_TRANSLATION',
        hasError: false,
      })
      expect((await call(as, 'GET', `/jobs/${jobId}`)).body).toMatchObject({
        hasError: false,
        statusCode: 'IN_TRANSLATION',
      })
      await call(provider, 'PATCH', `${tasks}/${two}`, { statusCode: 'CANCELLED' })
      expect(await jobStatus(jobId)).toBe('IN_TRANSLATION')
      await call(provider, 'PATCH', `${tasks}/${one}`, { statusCode: 'CANCELLED' })
      expect(await jobStatus(jobId)).toBe('CANCELLED')
      expect(
        (await ledger(jobId)).map((update) => [
          update.statusCode,
          update.hasError,
          update.errorMessage,
          update.requestIds,
        ]),
      ).toEqual([
        ['SENT_TO_PROVIDER', true, 'cannot read it', [one]],
        ['SENT_TO_PROVIDER', true, 'all is lost', []],
        ['REVIEW_TRANSLATION', false, undefined, [one]],
        ['CANCELLED', false, undefined, [two]],
        ['CANCELLED', false, undefined, [one]],
      ])
      expect(
        (await call(provider, 'PATCH', `${tasks}/${one}`, { statusCode: 'IN_TRANSLATION' })).status,
      ).toBe(409)
    })

    it('a job that its provider cancels reaches each listener once, with one update that names its requests', async () => {
      for (const type of ['JOB_STATUS_UPDATED', 'REQUEST_STATUS_UPDATED'])
        await call(as, 'POST', '/statusupdates/listeners', { type, uri: 'http://127.0.0.1:9/' })
      const { jobId, base, requests } = await sent()
      expect(
        (await call(provider, 'PATCH', base, { statusCode: 'CANCELLED' })).body.statusCode,
      ).toBe('CANCELLED')
      const all = requests.map(({ requestId }) => requestId)
      expect((await ledger(jobId)).map((one) => [one.statusCode, one.requestIds])).toEqual([
        ['CANCELLED', all],
      ])
      const told = await hub.inner.db.read
        .selectFrom('deliveries')
        .selectAll()
        .where('job_id', '=', jobId)
        .execute()
      const cancelled = told.filter(
        ({ body }) => JSON.parse(openNote(hub.inner, body) ?? '').statusCode === 'CANCELLED',
      )
      expect(cancelled.map((one) => one.event_type).sort()).toEqual([
        'JOB_UPDATE',
        'REQUEST_UPDATE',
      ])
      const { body } = await call<{ listeners: JsonObject[] }>(
        as,
        'GET',
        '/statusupdates/listeners',
      )
      for (const one of body.listeners)
        await call(as, 'DELETE', `/statusupdates/listeners/${one.listenerId}`)
    })

    it('a completed job takes no translation until it is reopened', async () => {
      const { jobId, requests, tasks } = await sent()
      const id = requests[0]?.requestId ?? ''
      await call(provider, 'PUT', `${tasks}/${id}/translatedContent`, {
        fields: [{ key: 'title', value: 'x' }],
      })
      await call(as, 'PUT', `/jobs/${jobId}/complete`)
      const refused = await call(provider, 'PATCH', `${tasks}/${id}`, {
        statusCode: 'TRANSLATION_SUBMITTED',
      })
      expect(refused.status).toBe(409)
      await call(as, 'PUT', `/jobs/${jobId}/intranslation`)
      expect(
        (await call(provider, 'PATCH', `${tasks}/${id}`, { statusCode: 'TRANSLATION_SUBMITTED' }))
          .status,
      ).toBe(200)
      await call(as, 'PUT', `/jobs/${jobId}/archive`)
      for (const path of [tasks, `${tasks}/${id}`, `${tasks}/${id}/sourceFile`])
        expect((await call(provider, 'GET', path)).body.code).toBe('JOB_ARCHIVED')
    })

    it('an invocation hands the whole job over again: re-delivery, with its update', async () => {
      const jobId = await newJob()
      await add(jobId)
      await submit(jobId, pseudo)
      await hub.advance('1s')
      const ids = (await requestsOf(jobId)).map((one) => one.requestId)
      await call(as, 'PUT', `/jobs/${jobId}/requests/approve`, { requestIds: ids })
      expect((await call(as, 'POST', `/providers/${pseudo}/invocations`, { jobId })).status).toBe(
        202,
      )
      await hub.advance('1s')
      expect(await statuses(jobId)).toEqual(['REVIEW_TRANSLATION', 'REVIEW_TRANSLATION'])
      expect(await ledger(jobId)).toHaveLength(2)
    })
  })

  describe('moves of requests: every state with every move', () => {
    const asks = {
      start: 'IN_TRANSLATION',
      deliver: 'TRANSLATION_SUBMITTED',
      cancel: 'CANCELLED',
    } as const
    const rows = requestStatuses.flatMap((from) =>
      (['start', 'deliver', 'cancel', 'approve', 'reject'] as const).map((on) => {
        const move = requestMoves.find((row) => row.on === on)
        const goes = ((move?.from ?? []) as readonly string[]).includes(from)
        const stays =
          move !== undefined &&
          'already' in move &&
          (move.already as readonly string[]).includes(from)
        return { on, from, to: goes ? move?.to : undefined, stays }
      }),
    )
    it('holds for both sides', async () => {
      const { jobId, requests, tasks } = await sent()
      const id = requests[0]?.requestId ?? ''
      const fields = [{ key: 'title', value: 'x' }]
      for (const { on, from, to, stays } of rows) {
        // Without it a second delivery has nothing new, and moves nothing.
        if (on === 'deliver')
          await call(provider, 'PUT', `${tasks}/${id}/translatedContent`, { fields })
        await hub.inner.db.transact(async (tx) => {
          await tx
            .updateTable('requests')
            .set({ status: from as RequestStatus, translation_content_id: 'x' })
            .where('request_id', '=', id)
            .execute()
          await tx
            .updateTable('jobs')
            .set({ status: 'IN_TRANSLATION' })
            .where('job_id', '=', jobId)
            .execute()
        })
        const before = await ledger(jobId)
        const answer =
          on === 'approve' || on === 'reject'
            ? await call(as, 'PUT', `/jobs/${jobId}/requests/${on}`, { requestIds: [id] })
            : await call(provider, 'PATCH', `${tasks}/${id}`, { statusCode: asks[on] })
        const expected = to || stays ? 200 : 409
        expect([on, from, answer.status, JSON.stringify(answer.body)]).toEqual([
          on,
          from,
          expected,
          expect.anything(),
        ])
        expect([on, from, (await statuses(jobId))[0]]).toEqual([on, from, to ?? from])
        const tells = to !== undefined && (on === 'deliver' || on === 'cancel')
        expect((await ledger(jobId)).length - before.length).toBe(tells ? 1 : 0)
      }
    })
  })

  describe('status updates', () => {
    type Listed = { statusupdates: (Update & { clientId?: string })[]; next?: string }
    const failing = async (): Promise<string> => {
      const { jobId } = await sent()
      const fail = { hasError: true, errorMessage: 'no' }
      expect(
        (await call(provider, 'PATCH', `/providers/${manual}/jobs/${jobId}`, fail)).status,
      ).toBe(200)
      return jobId
    }
    const openOf = async (who: string, jobId: string, query = '') => {
      const found: Listed['statusupdates'] = []
      let next = ''
      do {
        const { body } = await call<Listed>(
          who,
          'GET',
          `/statusupdates?pageSize=2${query}&navNext=${next}`,
        )
        found.push(...body.statusupdates)
        next = body.next ?? ''
      } while (next)
      return found.filter((update) => update.jobId === jobId)
    }

    it('of every client are read and acknowledged by an admin of the site, and by no other client', async () => {
      const jobId = await failing()
      const { secret } = await enrolClient(hub.inner, {
        siteId: 'demo',
        clientId: 'other',
        scopes: ['content'],
      })
      hub.secrets.set('other', secret)
      expect(await openOf('other', jobId)).toEqual([])
      expect((await call('other', 'GET', `/statusupdates?client=${as}`)).status).toBe(403)
      const [update] = await openOf('demo-admin', jobId)
      expect(update).toMatchObject({ jobId, clientId: as })
      expect(await openOf('demo-admin', jobId, `&client=${as}`)).toEqual([update])
      expect(await openOf('demo-admin', jobId, `&jobId=${jobId}`)).toEqual([update])
      expect(await openOf('demo-admin', jobId, '&client=demo-admin')).toEqual([])
      expect((await openOf(as, jobId))[0]).not.toHaveProperty('clientId')
      const path = `/statusupdates/${update?.updateId}/acknowledge`
      expect((await call('other', 'PUT', path)).status).toBe(404)
      expect((await call('demo-admin', 'PUT', path)).body).toEqual(update)
      expect(await openOf(as, jobId)).toEqual([])
    })

    it('of a deleted job hold no place of the quota, and stay in the ledger', async () => {
      const jobId = await failing()
      const used = async () =>
        (
          await call<{ quotas: { name: string; used?: number }[] }>(as, 'GET', '/quota')
        ).body.quotas.find(({ name }) => name === 'MaxStatusUpdatesPerSite')?.used ?? -1
      const before = await used()
      await call(as, 'PUT', `/jobs/${jobId}/complete`)
      expect((await call(as, 'DELETE', `/jobs/${jobId}`)).status).toBe(200)
      expect(await used()).toBe(before - 1)
      expect(await openOf(as, jobId)).toEqual([])
      expect(await openOf(as, jobId, '&since=0')).toHaveLength(1)
    })

    it('are numbered without a gap, listed until acknowledged, and unchanged by it', async () => {
      const { jobId, requests, tasks } = await sent()
      for (const one of requests) await deliver(tasks, one.requestId)
      const all = await ledger()
      expect(all.map((update) => update.sequence)).toEqual(all.map((_, at) => at + 1))
      const [first] = await ledger(jobId)
      const open = async () => {
        const found: string[] = []
        let next = ''
        do {
          const { body } = await call<{ statusupdates: Update[]; next?: string }>(
            as,
            'GET',
            `/statusupdates?pageSize=3&navNext=${next}`,
          )
          found.push(...body.statusupdates.map((update) => update.updateId))
          next = body.next ?? ''
        } while (next)
        return found
      }
      expect(await open()).toContain(first?.updateId)
      for (let twice = 0; twice < 2; twice += 1) {
        const acknowledged = await call(as, 'PUT', `/statusupdates/${first?.updateId}/acknowledge`)
        expect([acknowledged.status, acknowledged.body]).toEqual([200, first])
      }
      expect(await open()).not.toContain(first?.updateId)
      expect((await ledger(jobId))[0]).toEqual(first)
      const acknowledged = await call<{ statusupdates: Update[] }>(
        as,
        'GET',
        '/statusupdates?since=0&acknowledged=true',
      )
      expect(acknowledged.body.statusupdates.map((update) => update.updateId)).toContain(
        first?.updateId,
      )
      const old = await call<{ statusupdates: Update[] }>(as, 'GET', `/jobs/${jobId}/statusupdates`)
      expect(old.body.statusupdates).toHaveLength(1)
      expect(old.headers.get('deprecation')).toBeTruthy()
      expect(
        (await call('demo-settings', 'PUT', `/statusupdates/${first?.updateId}/acknowledge`))
          .status,
      ).toBe(403)
    })

    it('moves and updates carry their cause', async () => {
      const { jobId, requests, tasks } = await sent()
      const id = requests[0]?.requestId ?? ''
      await call(provider, 'PUT', `${tasks}/${id}/translatedContent`, {
        fields: [{ key: 'title', value: 'x' }],
      })
      await hub.call('PATCH', `/v2${tasks}/${id}`, {
        as: provider,
        body: { statusCode: 'TRANSLATION_SUBMITTED' },
        headers: { 'x-request-id': 'its-cause' },
      })
      const update = await hub.inner.db.read
        .selectFrom('status_updates')
        .selectAll()
        .where('job_id', '=', jobId)
        .executeTakeFirstOrThrow()
      expect(update.cause_id).toBe('its-cause')
      const moves = await hub.inner.db.read
        .selectFrom('moves')
        .selectAll()
        .where('job_id', '=', jobId)
        .where('cause_id', '=', 'its-cause')
        .execute()
      expect(moves.map((move) => move.move).sort()).toEqual(['deliver', 'start'])
    })
  })
})
