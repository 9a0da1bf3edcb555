/** Calls with megabytes of requests: bounded in all, whole, and never alone on the event loop. Decision 29; on both engines. */
import { languages, limits } from '@dragoman/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Call } from '../../packages/server/src/domain/access/caller.ts'
import { addRequests } from '../../packages/server/src/domain/requests/add-requests.ts'
import { type CallOptions, engines, startHub, type TestHub } from '../hub.ts'
import { everything } from '../scenario.ts'

type Added = { requests: { requestId: string; extendedMetadata: object; ExtendedMetadata: object }[] }

const request = {
  requestName: 'Home page',
  sourceNativeId: 'node/1',
  sourceNativeLanguageCode: 'en-us',
  targetNativeLanguageCodes: ['de-de'],
  fields: [{ key: 'title', value: 'Hello' }],
}
/** So many of it are more bytes than a call may have, though not characters. */
const metadata = (at = 0) => ({ at, text: 'ü'.repeat(25_000) })
const own = (at: number) => ({ at, text: 'ü' })
const many = 170
const requests = (count: number, more: (at: number) => object = () => ({})) =>
  Array.from({ length: count }, (_, at) => ({ ...request, ...more(at) }))

describe.each(engines)('large calls on %s', (engine) => {
  let hub: TestHub
  const as = 'demo-connector'
  beforeAll(async () => {
    hub = await startHub({ engine })
  })
  afterAll(() => hub.close())

  const must = async <T>(status: number, method: string, path: string, options: CallOptions = {}): Promise<T> => {
    const got = await hub.call<T>(method, path, { as, ...options })
    expect({ status: got.status, body: JSON.stringify(got.body).slice(0, 300) }).toMatchObject({ status })
    return got.body
  }
  const newJob = async (): Promise<string> =>
    (await must<{ jobId: string }>(201, 'POST', '/v2/jobs', { body: { jobName: 'A job' } })).jobId
  const refusal = {
    code: 'CONTENT_TOO_LARGE',
    message: `extendedMetadata of all requests of this call is larger than ${limits.callMetadataBytes} bytes.`,
    details: [{ path: 'extendedMetadata', message: expect.stringContaining('fewer requests in one call') }],
  }

  it('metadata counts once for each target language, and is refused if it is too large in all', async () => {
    const path = `/v2/jobs/${await newJob()}/requests/add`
    const before = await everything(hub)
    const targetNativeLanguageCodes = languages.slice(0, 100)
    const body = { requests: requests(2, (at) => ({ targetNativeLanguageCodes, extendedMetadata: metadata(at) })) }
    expect(await must(413, 'POST', path, { body })).toMatchObject(refusal)
    expect(await everything(hub)).toBe(before)
  })

  it('a change is refused if the requests that it names have too much metadata', async () => {
    const jobId = await newJob()
    const path = `/v2/jobs/${jobId}/requests`
    const added = await must<Added>(201, 'POST', `${path}/add`, { body: { requests: requests(many) } })
    const ids = added.requests.map(({ requestId }) => requestId)
    const change = (requestIds: readonly string[], requestsUpdate: object) => ({ requestIds, requestsUpdate })
    const before = await everything(hub)
    const extendedMetadata = metadata()
    expect(await must(413, 'PATCH', path, { body: change(ids, { extendedMetadata }) })).toMatchObject(refusal)
    expect(await everything(hub)).toBe(before)
    const kept = JSON.stringify(extendedMetadata)
    await hub.inner.engine.transact((tx) =>
      tx.updateTable('requests').set({ extended_metadata: kept }).where('job_id', '=', jobId).execute(),
    )
    expect(await must(413, 'PATCH', path, { body: change(ids, { wordCount: 1 }) })).toMatchObject(refusal)
    await must(200, 'PATCH', path, { body: change(ids.slice(0, 3), { wordCount: 1 }) })
  })

  it('the answer has every request with its own metadata, also when the call is repeated under its key', async () => {
    const path = `/v2/jobs/${await newJob()}/requests/add`
    const headers = { 'idempotency-key': 'large' }
    const body = { requests: requests(120, (at) => ({ extendedMetadata: own(at) })) }
    const first = await must<Added>(201, 'POST', path, { headers, body })
    expect(first.requests.map(({ extendedMetadata }) => extendedMetadata)).toEqual(
      body.requests.map((_, at) => own(at)),
    )
    expect(first.requests[7]?.ExtendedMetadata).toEqual(own(7))
    expect(await must(201, 'POST', path, { headers, body })).toEqual(first)
    const list = await must<Added>(200, 'GET', path.replace('/add', ''))
    expect(list.requests).toEqual(first.requests.slice(0, limits.pageItems))
  })
})

// On PostgreSQL the event loop also goes round while the hub waits for the server.
it('on SQLite others get in between, again and again, while 12 MB of fields are added', async () => {
  const hub = await startHub({ engine: 'sqlite' })
  try {
    const as = 'demo-connector'
    const { body: job } = await hub.call<{ jobId: string }>('POST', '/v2/jobs', { as, body: { jobName: 'A job' } })
    const fields = Array.from({ length: 33 }, (_, at) => ({ key: `k${at}`, value: 'v'.repeat(180) }))
    const body = { requests: requests(limits.requestsPerCall, () => ({ fields: fields.map((one) => ({ ...one })) })) }
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
