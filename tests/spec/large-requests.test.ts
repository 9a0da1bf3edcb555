/**
 * Calls with megabytes of requests: answered in full, and never alone on the event loop. Decision
 * 29; on both databases.
 */
import { languages, limits } from '@dragoman/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Call } from '../../packages/server/src/domain/access/caller.ts'
import { addRequests } from '../../packages/server/src/domain/jobs/requests/add-requests.ts'
import { type CallOptions, databases, startHub, type TestHub } from '../hub.ts'
import { everything } from '../scenario.ts'

type Metadata = { at: number; text: string }
type Shown = {
  requestId: string
  wordCount?: number
  statusCode: string
  extendedMetadata: Metadata
  ExtendedMetadata: Metadata
}
type Answered = { requests: Shown[]; _embedded: { requests: Shown[] } }

const request = {
  requestName: 'Home page',
  sourceNativeId: 'node/1',
  sourceNativeLanguageCode: 'en-us',
  targetNativeLanguageCodes: ['de-de'],
  fields: [{ key: 'title', value: 'Hello' }],
}
const text = 'x'.repeat(5_000)
const metadata = (at: number): Metadata => ({ at, text })
const own = (at: number) => ({ at, name: 'ü"€' })
const many = limits.requestsPerCall
const requests = (count: number, more: (at: number) => object = () => ({})) =>
  Array.from({ length: count }, (_, at) => ({ ...request, ...more(at) }))

describe.each(databases)('large calls on %s', (database) => {
  let hub: TestHub
  beforeAll(async () => {
    hub = await startHub({ database })
  })
  afterAll(() => hub.close())

  const must = async <T>(
    status: number,
    method: string,
    path: string,
    options: CallOptions = {},
  ): Promise<T> => {
    const got = await hub.call<T>(method, path, { as: 'demo-connector', ...options })
    if (got.status !== status) expect(got).toMatchObject({ status })
    return got.body
  }
  const newJob = async (): Promise<string> =>
    (await must<{ jobId: string }>(201, 'POST', '/v2/jobs', { body: { jobName: 'A job' } })).jobId
  /** Every request with its metadata, in both lists and under both names. */
  const mustBeWhole = (answered: Answered, ids: readonly string[]): void => {
    for (const shown of [answered.requests, answered._embedded.requests]) {
      expect(shown.map(({ requestId }) => requestId)).toEqual(ids)
      const isRight = (given: Metadata, at: number): boolean =>
        given.at === at && given.text === text
      const wrong = shown.filter(
        (one, at) => !isRight(one.extendedMetadata, at) || !isRight(one.ExtendedMetadata, at),
      )
      expect(wrong.map(({ requestId }) => requestId)).toEqual([])
    }
  }

  it('2,000 requests with 5 KB of metadata each are added, changed and reviewed in one call each', async () => {
    const path = `/v2/jobs/${await newJob()}/requests`
    const body = { requests: requests(many, (at) => ({ extendedMetadata: metadata(at) })) }
    const added = await must<Answered>(201, 'POST', `${path}/add`, { body })
    const ids = added.requests.map(({ requestId }) => requestId)
    expect(ids).toHaveLength(many)
    mustBeWhole(added, ids)

    const counted = await must<Answered>(200, 'PATCH', path, {
      body: { requestIds: ids, requestsUpdate: { wordCount: 7 } },
    })
    mustBeWhole(counted, ids)
    expect(new Set(counted.requests.map(({ wordCount }) => wordCount))).toEqual(new Set([7]))
    await hub.inner.db.transact((tx) =>
      tx
        .updateTable('requests')
        .set({ status: 'REVIEW_TRANSLATION' })
        .where('request_id', 'in', ids)
        .execute(),
    )
    const approved = await must<Answered>(200, 'PUT', `${path}/approve`, {
      body: { requestIds: ids },
    })
    mustBeWhole(approved, ids)
    expect(new Set(approved.requests.map(({ statusCode }) => statusCode))).toEqual(
      new Set(['TRANSLATION_APPROVED']),
    )
  })

  it('a provider changes requests with megabytes of metadata in one call', async () => {
    const as = 'demo-provider'
    const count = 200
    const large = (at: number): Metadata => ({ at, text: text.repeat(9) })
    const { providers } = await must<{ providers: { providerId: string; name: string }[] }>(
      200,
      'GET',
      '/v2/providers',
    )
    const providerId = providers.find(({ name }) => name.includes('Manual'))?.providerId ?? ''
    const jobId = await newJob()
    const body = { requests: requests(count) }
    const added = await must<Answered>(201, 'POST', `/v2/jobs/${jobId}/requests/add`, { body })
    const ids = added.requests.map(({ requestId }) => requestId)
    const extended_metadata = JSON.stringify(large(1))
    await hub.inner.db.transact((tx) =>
      tx.updateTable('requests').set({ extended_metadata }).where('job_id', '=', jobId).execute(),
    )
    await must(200, 'PUT', `/v2/jobs/${jobId}/submit`, { body: { providerId } })
    await hub.advance('1m')
    type Tasks = {
      assetTasks: { assetTaskId: string; extendedMetadata: Metadata; providerReference?: string }[]
    }
    const path = `/v2/providers/${providerId}/jobs/${jobId}/assetTasks`
    const change = (assetTasksUpdate: object) => ({
      as,
      body: { assetTaskIds: ids, assetTasksUpdate },
    })
    const started = await must<Tasks>(200, 'PATCH', path, change({ statusCode: 'IN_TRANSLATION' }))
    expect(started.assetTasks.map(({ assetTaskId }) => assetTaskId)).toEqual(ids)
    const isAt = (at: number) => (one: { extendedMetadata: Metadata }) =>
      one.extendedMetadata.at === at && one.extendedMetadata.text.length === large(at).text.length
    expect(started.assetTasks.filter(isAt(1))).toHaveLength(count)
    const named = await must<Tasks>(
      200,
      'PATCH',
      path,
      change({ providerReference: 'R1', extendedMetadata: large(2) }),
    )
    expect(named.assetTasks.filter(isAt(2))).toHaveLength(count)
    expect(new Set(named.assetTasks.map((one) => one.providerReference))).toEqual(new Set(['R1']))
    const one = `${path}/${ids[9]}`
    expect(await must(200, 'GET', one, { as })).toMatchObject({
      extendedMetadata: large(2),
      providerReference: 'R1',
    })
    const last = { as, body: { providerReference: 'R2' } }
    expect(await must(200, 'PATCH', one, last)).toMatchObject({
      extendedMetadata: large(2),
      providerReference: 'R2',
    })
  })

  it('a small body cannot ask for gigabytes: metadata counts once for each target language', async () => {
    const path = `/v2/jobs/${await newJob()}/requests/add`
    const before = await everything(hub)
    const extendedMetadata = { text: 'x'.repeat(60_000) }
    const body = {
      requests: requests(12, () => ({
        targetNativeLanguageCodes: languages.slice(0, 100),
        extendedMetadata,
      })),
    }
    expect(await must(413, 'POST', path, { body })).toMatchObject({
      code: 'CONTENT_TOO_LARGE',
      message: `What this call stores as extendedMetadata is larger than ${limits.callMetadataBytes} bytes.`,
      details: [
        {
          path: 'extendedMetadata',
          message: expect.stringContaining('fewer requests in one call'),
        },
      ],
    })
    expect(await everything(hub)).toBe(before)
    const added = await must<Answered>(201, 'POST', path, { body: { requests: requests(many) } })
    const requestIds = added.requests.map(({ requestId }) => requestId)
    const change = { requestIds, requestsUpdate: { extendedMetadata } }
    const refused = await must(413, 'PATCH', path.replace('/add', ''), { body: change })
    expect(refused).toMatchObject({ code: 'CONTENT_TOO_LARGE' })
  })

  it('the answer has every request with its own metadata, also when the call is repeated under its key', async () => {
    const path = `/v2/jobs/${await newJob()}/requests/add`
    const headers = { 'idempotency-key': 'short' }
    const targetNativeLanguageCodes = ['de-de', 'fr-fr']
    const body = {
      requests: requests(60, (at) => ({
        targetNativeLanguageCodes,
        ...(at % 2 === 0 && { extendedMetadata: own(at) }),
      })),
    }
    const first = await must<Answered>(201, 'POST', path, { headers, body })
    expect(first.requests.map(({ extendedMetadata }) => extendedMetadata)).toEqual(
      Array.from({ length: 120 }, (_, at) => (at % 4 < 2 ? own(at >> 1) : undefined)),
    )
    expect(first.requests[8]?.ExtendedMetadata).toEqual(own(4))
    const list = await must<Answered>(200, 'GET', path.replace('/add', ''))
    expect(list.requests).toEqual(first.requests.slice(0, limits.pageItems))
    const changes = first.requests.map(({ requestId }, at) => ({
      requestId,
      ...(at % 3 === 0 ? { extendedMetadata: own(at + 500) } : { wordCount: at }),
    }))
    const changed = await must<Answered>(200, 'PATCH', path.replace('/add', ''), { body: changes })
    expect(changed.requests.map(({ extendedMetadata }) => extendedMetadata)).toEqual(
      first.requests.map(({ extendedMetadata }, at) =>
        at % 3 === 0 ? own(at + 500) : extendedMetadata,
      ),
    )
    // The first answer, not what has become of the requests.
    expect(await must(201, 'POST', path, { headers, body })).toEqual(first)
    const stored = await hub.inner.db.read.selectFrom('idempotency').select('answer').execute()
    expect(Math.max(...stored.map(({ answer }) => answer?.length ?? 0))).toBeLessThan(many * 1_000)
  })
})

// On PostgreSQL the event loop also goes round while the hub waits for the server.
it('on SQLite others get in between, again and again, while 12 MB of fields are added', async () => {
  const hub = await startHub({ database: 'sqlite' })
  try {
    const as = 'demo-connector'
    const { body: job } = await hub.call<{ jobId: string }>('POST', '/v2/jobs', {
      as,
      body: { jobName: 'A job' },
    })
    const fields = Array.from({ length: 33 }, (_, at) => ({
      key: `k${at}`,
      value: 'v'.repeat(180),
    }))
    const body = {
      requests: requests(limits.requestsPerCall, () => ({
        fields: fields.map((one) => ({ ...one })),
      })),
    }
    const caller = { siteId: 'demo', clientId: as, scopes: ['content'], quotas: {} }
    const call = { caller, traceId: 'large' } as unknown as Call
    let rounds = 0
    let over = false
    const adding = addRequests(hub.inner, call, job.jobId, body).finally(() => {
      over = true
    })
    while (!over) {
      await new Promise((resolve) => setImmediate(resolve))
      rounds += 1
    }
    expect((await adding).items).toHaveLength(limits.requestsPerCall)
    expect(rounds).toBeGreaterThan(3)
  } finally {
    await hub.close()
  }
})
