/**
 * The rows of the sandbox door behind the console's cockpit: what falls due, what an advance made
 * happen, seed, certify.
 */
import type { Job } from '@dragoman/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { databases, startHub, type TestHub } from './hub.ts'
import { until } from './hub-place.ts'

const as = 'demo-connector'
const day = 86_400_000
type Due = {
  time: string
  kind: string
  name?: string
  jobId?: string
  jobName?: string
  clientId?: string
  deliveryId?: string
  tries?: number
  ending?: string
}
type Advance = {
  now: string
  from: string
  to: string
  ran: number
  upkeep: number
  happened: Due[]
  more: number
}
type DueAnswer = { now: string; due: Due[]; hasMore: boolean; lastAdvance?: Advance }
type Verdict = {
  name: string
  result: string
  because: string
  evidence: { id: string; status: number }[]
}
type Report = {
  passed: boolean
  calls: number
  client: string
  obligations: Verdict[]
  scenarios: Verdict[]
}

describe.each(databases)('the cockpit of the sandbox on %s', (database) => {
  let hub: TestHub
  beforeAll(async () => {
    hub = await startHub({ database })
  })
  afterAll(() => hub.close())

  const due = async (query: Record<string, string | number> = {}) =>
    (await hub.call<DueAnswer>('GET', '/sandbox/due', { query })).body
  const advance = (body: object) => hub.call<Advance>('POST', '/sandbox/clock/advance', { body })
  // Each with a token of its own: those from before the clock was moved have expired.
  const call = async <T = Record<string, unknown>>(method: string, path: string, body?: unknown) =>
    hub.call<T>(method, path, {
      headers: { authorization: `Bearer ${await hub.token(as)}` },
      ...(body !== undefined && { body }),
    })
  const provider = async (name: string): Promise<string> => {
    const { body } = await call<{ providers: { id: string; name: string }[] }>(
      'GET',
      '/v2/providers',
    )
    return body.providers.find((one) => one.name === name)?.id ?? ''
  }
  const submit = async (more: object, name: string): Promise<string> => {
    const { jobId } = (await call<Job>('POST', '/v2/jobs', more)).body
    await call('POST', `/v2/jobs/${jobId}/requests/add`, {
      requestName: 'page',
      sourceNativeId: 's',
      sourceNativeLanguageCode: 'en-us',
      targetNativeLanguageCodes: ['de-de'],
      fields: [{ key: 'title', value: 'Good morning' }],
    })
    const sent = await call('PUT', `/v2/jobs/${jobId}/submit`, { providerId: await provider(name) })
    expect(sent.status).toBe(200)
    return jobId
  }

  it('lists what falls due in order: tokens, due dates, archivals, tasks, and a delivery that is tried again', async () => {
    await hub.call('POST', '/v2/statusupdates/listeners', {
      as,
      body: { uri: 'http://127.0.0.1:9/nothing-listens', type: 'JOB_STATUS_UPDATED' },
    })
    const dueDate = new Date(hub.inner.clock.now() + 3 * day).toISOString()
    const jobId = await submit({ jobName: 'Spring', dueDate }, 'Manual')
    const retry = await until('a delivery waits for its next try', async () =>
      (await due()).due.find(({ kind, tries = 0 }) => kind === 'delivery' && tries > 0),
    )
    expect(retry).toMatchObject({ jobId, deliveryId: expect.any(String) })
    const found = await due({ limit: 100 })
    const times = found.due.map(({ time }) => time)
    expect(times).toEqual(times.toSorted())
    expect(found.due).toContainEqual({ time: dueDate, kind: 'dueDate', jobId, jobName: 'Spring' })
    expect(found.due.find(({ kind }) => kind === 'archival')).toMatchObject({
      jobId,
      jobName: 'Spring',
    })
    expect(
      found.due.find(({ kind, clientId }) => kind === 'token' && clientId === as),
    ).toBeDefined()
    expect(found.due.map(({ name }) => name)).toContain('sweep')
    for (const { time } of found.due) expect(time > found.now).toBe(true)
    const first = await due({ limit: 1 })
    expect([first.due.length, first.hasMore]).toEqual([1, true])
    const soon = await due({ until: new Date(hub.inner.clock.now() + day).toISOString() })
    expect(soon.due.map(({ kind }) => kind)).not.toContain('dueDate')
  })

  it.each([{ until: 'soon' }, { limit: 0 }, { limit: 101 }, { limit: 'x' }])(
    'refuses %o',
    async (query) => {
      const answer = await hub.call('GET', '/sandbox/due', {
        query: query as Record<string, string>,
      })
      expect(answer).toMatchObject({ status: 400, body: { code: 'INVALID_PARAMETER' } })
    },
  )

  it('advances to a time, and tells what happened on the way, in order', async () => {
    const next = (await due()).due[0]
    const moved = await advance({ to: next?.time })
    expect(moved.status).toBe(200)
    expect(moved.body).toMatchObject({ to: next?.time })
    expect(Date.parse(moved.body.now)).toBeGreaterThanOrEqual(Date.parse(next?.time ?? ''))
    const far = (await advance({ by: '4d' })).body
    const kinds = far.happened.map(({ kind }) => kind)
    expect(kinds).toContain('dueDate')
    expect(kinds).toContain('token')
    expect(
      far.happened.find(({ kind, ending }) => kind === 'delivery' && ending === 'done'),
    ).toBeDefined()
    const times = far.happened.map(({ time }) => time)
    expect(times).toEqual(times.toSorted())
    expect(far.upkeep).toBeGreaterThan(2)
    expect(far.ran).toBeGreaterThanOrEqual(far.upkeep)
    expect((await due()).lastAdvance).toEqual(
      Object.fromEntries(
        Object.entries(far).filter(([name]) => name !== 'now' && name !== 'offsetMs'),
      ),
    )
  })

  it.each([
    [{ to: '2001-01-01T00:00:00Z' }, 'to'],
    [{ to: 'tomorrow' }, 'to'],
    [{ to: 7 }, 'to'],
    [{ by: '1d', to: '2999-01-01' }, 'by'],
    [{ by: '1d', quickly: true }, 'quickly'],
  ])('refuses to advance by %o and moves nothing', async (body, path) => {
    const before = hub.inner.clock.offset()
    expect(await hub.call('POST', '/sandbox/clock/advance', { body })).toMatchObject({
      status: 400,
      body: { code: 'INVALID_REQUEST', details: [{ path }] },
    })
    expect(hub.inner.clock.offset()).toBe(before)
  })

  it('fills the demo site with jobs that behave as those of a connector', async () => {
    const seeded = await hub.call('POST', '/sandbox/seed', { body: { jobs: 16 } })
    expect(seeded).toMatchObject({ status: 200, body: { jobs: 16, requests: expect.any(Number) } })
    const { body } = await call<{ jobs: Job[] }>('GET', '/v2/jobs')
    const named = body.jobs.filter(({ jobName }) => /^Help centre \d+$/.test(jobName))
    expect(named).toHaveLength(2)
    const job = named[0] as Job
    // Pseudo translates by itself.
    await until('it is translated', async () => {
      const { body } = await call<{ requests: { statusCode: string }[] }>(
        'GET',
        `/v2/jobs/${job.jobId}/requests`,
      )
      return body.requests.every(({ statusCode }) => statusCode === 'REVIEW_TRANSLATION')
    })
  })

  it.each([
    {},
    { jobs: 0 },
    { jobs: 1_001 },
    { jobs: '5' },
    { jobs: 1.5 },
    { jobs: 1, fast: true },
  ])('refuses to seed %o', async (body) => {
    const answer = await hub.call('POST', '/sandbox/seed', { body })
    expect(answer).toMatchObject({ status: 400, body: { code: 'INVALID_REQUEST' } })
  })
})

describe('certification of the calls so far', () => {
  let hub: TestHub
  beforeAll(async () => {
    hub = await startHub()
  })
  afterAll(() => hub.close())
  const certify = (body: object = {}) => hub.call<Report>('POST', '/sandbox/certify', { body })
  const verdict = ({ obligations, scenarios }: Report, name: string) =>
    [...obligations, ...scenarios].find((one) => one.name === name)

  it('has seen nothing before the first call', async () => {
    const { status, body } = await certify()
    expect(status).toBe(200)
    expect(body).toMatchObject({ passed: true, calls: 0, client: as, scenarios: [] })
    expect(
      body.obligations.every(({ result }) => result === 'not seen' || result === 'asked'),
    ).toBe(true)
  })

  it('names a broken obligation with the calls that prove it, and one round for each fault', async () => {
    await hub.call('POST', '/v2/jobs', { as, body: { jobName: 'without a connector name' } })
    await hub.call('POST', '/sandbox/faults', {
      body: { scenario: 'rate-limit-storm', times: 2, client: as },
    })
    const refused = await hub.call('GET', '/v2/jobs', { as })
    expect(refused.status).toBe(429)
    const hasty = await hub.call('GET', '/v2/jobs', { as })
    await hub.call('GET', '/v2/jobs', { as: 'demo-admin' })
    const { body } = await certify()
    expect(body.passed).toBe(false)
    expect(body.calls).toBe(4)
    expect(verdict(body, 'metadata')).toMatchObject({
      result: 'broken',
      evidence: [{ status: 201 }],
    })
    const backoff = verdict(body, 'backoff')
    expect(backoff?.result).toBe('broken')
    expect(backoff?.evidence.map(({ id }) => id)).toEqual([hasty.headers.get('x-request-id')])
    // The round goes on: it is not judged before a job of it is completed or approved.
    expect(verdict(body, 'rate-limit-storm')).toMatchObject({
      result: 'not seen',
      because: expect.stringContaining('not over'),
    })
    await hub.call('DELETE', '/sandbox/faults')
    await hub.call('GET', '/v2/jobs', { as })
    const later = (await certify()).body
    expect(verdict(later, 'rate-limit-storm')).toMatchObject({ result: 'broken' })
    expect(later.scenarios.map(({ name }) => name)).toEqual(['rate-limit-storm', 'plain'])
    expect((await certify({ client: 'demo-admin' })).body).toMatchObject({
      calls: 2,
      client: 'demo-admin',
    })
  })

  it.each([
    ['html', 'text/html', '<!doctype html>'],
    ['junit', 'application/xml', '<testsuites'],
    ['text', 'text/plain', 'ertified: '],
  ])('writes the report as %s', async (format, type, begins) => {
    const { headers, body } = await hub.call<unknown>('POST', '/sandbox/certify', {
      body: { format },
    })
    expect(headers.get('content-type')).toContain(type)
    expect(String(body)).toContain(begins)
  })

  it.each([{ client: '' }, { client: 7 }, { after: -1 }, { format: 'pdf' }, { clinet: 'x' }])(
    'refuses %o',
    async (body) => {
      expect(await certify(body)).toMatchObject({ status: 400, body: { code: 'INVALID_REQUEST' } })
    },
  )

  it('shows the newest recorded calls', async () => {
    const { body } = await hub.call<{ calls: { number: number }[]; last: number }>(
      'GET',
      '/sandbox/calls',
      {
        query: { newest: 2 },
      },
    )
    expect(body.calls.map(({ number }) => number)).toEqual([body.last - 1, body.last])
    expect((await hub.call('GET', '/sandbox/calls', { query: { newest: 'all' } })).status).toBe(400)
  })

  it('lets a fault act on every nth call', async () => {
    await hub.call('DELETE', '/sandbox/faults')
    const every = { scenario: 'internal-error', times: 2, every: 3, client: as }
    await hub.call('POST', '/sandbox/faults', { body: every })
    const seen: number[] = []
    for (let made = 0; made < 8; made += 1)
      seen.push((await hub.call('GET', '/v2/quota', { as })).status)
    expect(seen).toEqual([200, 200, 500, 200, 200, 500, 200, 200])
    const { body } = await hub.call<{ spent: object[] }>('GET', '/sandbox/faults')
    expect(body.spent).toMatchObject([{ every: 3, times: 2, left: 0, acted: 2 }])
    expect(
      (await hub.call('POST', '/sandbox/faults', { body: { ...every, every: 0 } })).status,
    ).toBe(400)
  })
})

it('has no cockpit outside the sandbox profile', async () => {
  const hub = await startHub({ profile: 'staging' })
  try {
    expect((await hub.call('GET', '/sandbox/due')).status).toBe(404)
    for (const path of ['/sandbox/seed', '/sandbox/certify'])
      expect((await hub.call('POST', path, { body: { jobs: 1 } })).status).toBe(404)
  } finally {
    await hub.close()
  }
})
