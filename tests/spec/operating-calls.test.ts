/**
 * Contract, section 12: the call log as calls, for an admin of a site and for an operator; and the
 * log line of a call.
 */
import type { CallCounts } from '@dragoman/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { checkHub } from '../../packages/server/src/domain/operations/integrity/check.ts'
import { enrolClient } from '../../packages/server/src/domain/sites/enrol-client.ts'
import {
  type RecordedCall,
  recordCalls,
} from '../../packages/server/src/domain/views/history/record-calls.ts'
import { atConsole } from '../console/at-console.ts'
import { databases, startHub, type TestHub } from '../hub.ts'
import { until } from '../hub-place.ts'
import { run, type ScenarioCall } from '../scenario.ts'

type Shown = {
  traceId: string
  time: string
  siteId?: string
  jobId?: string
  callBody?: string
  answerBody?: string
}
type Listed = { calls: Shown[]; pagination: { navNext?: string } }
const as = 'demo-admin'

describe.each(databases)('the call log on %s', (database) => {
  let hub: TestHub
  /** Far in the past of the calls that the tests make, but within what is kept. */
  let first = 0
  const at = (minutes: number) => first + minutes * 60_000
  const time = (minutes: number) => new Date(at(minutes)).toISOString()
  const recorded = (
    traceId: string,
    minutes: number,
    more: Partial<RecordedCall> = {},
  ): RecordedCall => ({
    traceId,
    calledAt: at(minutes),
    method: 'GET',
    route: '/v2/jobs/:jobId',
    siteId: 'demo',
    clientId: 'demo-connector',
    address: '192.0.2.1',
    status: 200,
    durationUs: 1_500,
    bytesIn: 0,
    bytesOut: 10,
    ...more,
  })
  beforeAll(async () => {
    hub = await startHub({ database })
    const { secret } = await enrolClient(hub.inner, {
      siteId: 'elsewhere',
      clientId: 'far',
      scopes: ['admin'],
    })
    hub.secrets.set('far', secret)
    first = hub.inner.clock.now() - 86_400_000
    await recordCalls(hub.inner, [
      recorded('t1', 1, {
        jobId: 'AAAAAAAAAA',
        ids: { jobId: 'AAAAAAAAAA' },
        callBody: '{}',
        answerBody: '[1]',
      }),
      recorded('t2', 2, { status: 404, errorCode: 'JOB_NOT_FOUND', jobId: 'BBBBBBBBBB' }),
      recorded('t3', 3, { route: '/v2/quota', clientId: 'other-connector' }),
      recorded('t4', 4, {
        siteId: 'elsewhere',
        clientId: 'far',
        callBody: '{"far":1}',
        jobId: 'CCCCCCCCCC',
      }),
      recorded('t5', 5, { status: 201, method: 'POST', route: '/v2/jobs', jobId: 'AAAAAAAAAA' }),
      recorded('t6', 6, { status: 429, errorCode: 'RATE_LIMITED', count: 7 }),
      // Written late, as rows are that several calls share.
      recorded('t0', 0, { status: 503, errorCode: 'SERVICE_UNAVAILABLE' }),
    ])
  })
  afterAll(() => hub.close())

  /** The traces of what the fixture recorded, in the order of the answer. */
  const traces = async (query: Record<string, string>, who = as) => {
    const { status, body } = await hub.call<Listed>('GET', '/v2/calls', {
      as: who,
      query: { until: time(10), ...query },
    })
    expect(status, JSON.stringify(body)).toBe(200)
    return body.calls.map(({ traceId }) => traceId)
  }

  it('shows an admin the calls of the site, newest first, and an operator those of all sites', async () => {
    expect(await traces({})).toEqual(['t6', 't5', 't3', 't2', 't1', 't0'])
    expect(await traces({}, 'far')).toEqual(['t4'])
    expect(await traces({}, 'demo-operator')).toEqual(['t6', 't5', 't4', 't3', 't2', 't1', 't0'])
    expect(await traces({ siteId: 'elsewhere' }, 'demo-operator')).toEqual(['t4'])
    // An admin stays in the own site.
    expect(await traces({ siteId: 'elsewhere' })).toEqual(['t6', 't5', 't3', 't2', 't1', 't0'])
  })

  it.each<[Record<string, string>, string[]]>([
    [{ client: 'other-connector' }, ['t3']],
    [{ client: 'far' }, []],
    [{ statusCode: '404' }, ['t2']],
    [{ status: '404' }, ['t2']],
    [{ statusCode: '200' }, ['t3', 't1']],
    [{ statusClass: 'failed' }, ['t6', 't2', 't0']],
    [{ statusClass: '4xx' }, ['t6', 't2']],
    [{ statusClass: '5xx' }, ['t0']],
    [{ statusClass: 'failed', client: 'other-connector' }, []],
    [{ statusClass: '4xx', jobId: 'BBBBBBBBBB' }, ['t2']],
    [{ statusClass: '5xx', jobId: 'BBBBBBBBBB' }, []],
    [{ statusClass: '4xx', code: 'SERVICE_UNAVAILABLE' }, []],
    [{ statusClass: 'failed', statusCode: '429' }, ['t6']],
    [{ statusClass: '5xx', statusCode: '429' }, []],
    [{ code: 'RATE_LIMITED' }, ['t6']],
    [{ route: '/v2/quota' }, ['t3']],
    [{ route: '/v2/jobs/:jobId' }, ['t6', 't2', 't1', 't0']],
    [{ route: '/v2/jobs/{jobId}' }, ['t6', 't2', 't1', 't0']],
    [{ jobId: 'AAAAAAAAAA' }, ['t5', 't1']],
    [{ jobId: 'CCCCCCCCCC' }, []],
    [
      { jobId: 'AAAAAAAAAA', statusCode: '201', client: 'demo-connector', route: '/v2/jobs' },
      ['t5'],
    ],
    [{ statusCode: '200', route: '/v2/quota' }, ['t3']],
    [{ code: 'RATE_LIMITED', statusCode: '404' }, []],
  ])('is filtered by %o', async (query, expected) => {
    expect(await traces(query)).toEqual(expected)
    expect(await traces({ ...query, siteId: 'demo' }, 'demo-operator')).toEqual(expected)
  })

  it('leaves out the calls of the console on request', async () => {
    await recordCalls(hub.inner, [
      recorded('c1', 7, {
        route: '/console/api/jobs/:jobId/submit',
        method: 'PUT',
        clientId: 'console',
      }),
      recorded('c2', 8, {
        route: '/console/api/jobs/:jobId',
        status: 404,
        errorCode: 'JOB_NOT_FOUND',
      }),
    ])
    expect(await traces({ since: time(6) })).toEqual(['c2', 'c1', 't6'])
    expect(await traces({ since: time(6), without: 'console' })).toEqual(['t6'])
    expect(await traces({ without: 'console', statusClass: 'failed' })).toEqual(['t6', 't2', 't0'])
    const refused = await hub.call('GET', '/v2/calls', { as, query: { without: 'clients' } })
    expect([refused.status, refused.body.code]).toEqual([400, 'INVALID_PARAMETER'])
    await hub.inner.db.transact((tx) =>
      tx.deleteFrom('calls').where('trace_id', 'like', 'c%').execute(),
    )
  })

  it('is counted for the console by what matches, with the failed ones by code', async () => {
    const count = async (query: Record<string, string>) => {
      const asked = new URLSearchParams({ until: time(10), ...query })
      const { status, body } = await atConsole<CallCounts>(hub, 'GET', `/calls/counts?${asked}`)
      expect(status, JSON.stringify(body)).toBe(200)
      return body
    }
    const codes = [
      { code: 'RATE_LIMITED', calls: 7 },
      { code: 'JOB_NOT_FOUND', calls: 1 },
      { code: 'SERVICE_UNAVAILABLE', calls: 1 },
    ]
    const all = await count({})
    expect({ ...all, codes: new Set(all.codes) }).toEqual({
      ...{ calls: 12, failed: 9, codes: new Set(codes), atLeast: [] },
    })
    expect(all.codes[0]).toEqual(codes[0])
    expect(await count({ statusCode: '404' })).toEqual({
      calls: 1,
      failed: 1,
      codes: [codes[1]],
      atLeast: [],
    })
    expect(await count({ statusClass: '5xx' })).toEqual({
      calls: 1,
      failed: 1,
      codes: [codes[2]],
      atLeast: [],
    })
    expect(await count({ client: 'other-connector' })).toEqual({
      calls: 1,
      failed: 0,
      codes: [],
      atLeast: [],
    })
    expect(await count({ client: 'far' })).toEqual({ calls: 0, failed: 0, codes: [], atLeast: [] })
    // A status without a code is named by its number.
    await recordCalls(hub.inner, [recorded('c3', 7, { status: 405, count: 2 })])
    expect((await count({ since: time(7) })).codes).toEqual([{ statusCode: 405, calls: 2 }])
    await hub.inner.db.transact((tx) =>
      tx.deleteFrom('calls').where('trace_id', '=', 'c3').execute(),
    )
    // Clients with a token have no such call: it would be a trace.
    const other = await hub.call('GET', '/v2/calls/counts', { as })
    expect([other.status, other.body.code]).toEqual([404, 'CALL_NOT_FOUND'])
  })

  it('is filtered by time, both ends included', async () => {
    expect(await traces({ since: time(2), until: time(5) })).toEqual(['t5', 't3', 't2'])
    expect(await traces({ since: time(2), statusCode: '404' })).toEqual(['t2'])
    expect(await traces({ until: time(1) })).toEqual(['t1', 't0'])
  })

  it('is read in pages that lose and repeat nothing while calls come in', async () => {
    const seen: string[] = []
    let navNext: string | undefined
    const query = { until: time(10), pageSize: '2' }
    do {
      const { body } = await hub.call<Listed>('GET', '/v2/calls', {
        as,
        query: navNext === undefined ? query : { navNext, pageSize: '2' },
      })
      seen.push(...body.calls.map(({ traceId }) => traceId))
      navNext = body.pagination.navNext
      await recordCalls(hub.inner, [recorded(`late-${seen.length}`, 9)])
    } while (navNext !== undefined)
    expect(seen).toEqual(['t6', 't5', 't3', 't2', 't1', 't0'])
    await hub.inner.db.transact((tx) =>
      tx.deleteFrom('calls').where('trace_id', 'like', 'late-%').execute(),
    )
  })

  it('lists failed calls in pages that lose and repeat nothing, whatever their status', async () => {
    const seen: string[] = []
    let query: Record<string, string> = { until: time(10), statusClass: 'failed', pageSize: '1' }
    for (;;) {
      const { body } = await hub.call<Listed>('GET', '/v2/calls', { as, query })
      seen.push(...body.calls.map(({ traceId }) => traceId))
      const { navNext } = body.pagination
      if (navNext === undefined) break
      query = { navNext, pageSize: '1' }
    }
    expect(seen).toEqual(['t6', 't2', 't0'])
  })

  it('refuses a cursor with other filters, of another caller, or damaged', async () => {
    const { body } = await hub.call<Listed>('GET', '/v2/calls', {
      as,
      query: { client: 'demo-connector', pageSize: '1' },
    })
    const navNext = body.pagination.navNext ?? ''
    const refused = { status: 400, code: 'INVALID_CURSOR' }
    const rows: ScenarioCall[] = [
      {
        name: 'other filters',
        call: 'GET /v2/calls',
        as,
        query: { navNext, client: 'x' },
        ...refused,
      },
      {
        name: 'an operator',
        call: 'GET /v2/calls',
        as: 'demo-operator',
        query: { navNext },
        ...refused,
      },
      { name: 'another site', call: 'GET /v2/calls', as: 'far', query: { navNext }, ...refused },
      { name: 'another list', call: 'GET /v2/audit', as, query: { navNext }, ...refused },
      { name: 'damaged', call: 'GET /v2/calls', as, query: { navNext: `${navNext}x` }, ...refused },
    ]
    for (const row of rows) await run(hub, row)
    await run(hub, { name: 'none', call: 'GET /v2/calls', as, query: { navNext }, status: 200 })
  })

  it('shows one call with everything that was recorded', async () => {
    const { body } = await hub.call<Shown>('GET', '/v2/calls/t1', { as })
    expect(body).toEqual({
      traceId: 't1',
      time: time(1),
      method: 'GET',
      route: '/v2/jobs/:jobId',
      ids: { jobId: 'AAAAAAAAAA' },
      jobId: 'AAAAAAAAAA',
      siteId: 'demo',
      clientId: 'demo-connector',
      address: '192.0.2.1',
      statusCode: 200,
      durationMs: 1.5,
      bytesIn: 0,
      bytesOut: 10,
      count: 1,
      callBody: '{}',
      answerBody: '[1]',
    })
    expect((await hub.call('GET', '/v2/calls/t6', { as })).body).toMatchObject({
      code: 'RATE_LIMITED',
      count: 7,
    })
    // The newest of those that share a trace.
    await recordCalls(hub.inner, [recorded('again', 7, { status: 503 }), recorded('again', 8)])
    expect((await hub.call('GET', '/v2/calls/again', { as })).body).toMatchObject({
      statusCode: 200,
      time: time(8),
    })
    await hub.inner.db.transact((tx) =>
      tx.deleteFrom('calls').where('trace_id', '=', 'again').execute(),
    )
  })

  it('shows bodies to an admin of the site alone', async () => {
    expect((await hub.call<Shown>('GET', '/v2/calls/t4', { as: 'far' })).body.callBody).toBe(
      '{"far":1}',
    )
    const { body } = await hub.call<Shown>('GET', '/v2/calls/t4', { as: 'demo-operator' })
    expect([body.siteId, body.callBody]).toEqual(['elsewhere', undefined])
    const { body: list } = await hub.call<Listed>('GET', '/v2/calls', {
      as,
      query: { until: time(10) },
    })
    expect(JSON.stringify(list)).not.toContain('Body')
  })

  const refusals: ScenarioCall[] = [
    {
      name: 'a connector',
      call: 'GET /v2/calls',
      as: 'demo-connector',
      status: 403,
      code: 'FORBIDDEN',
    },
    {
      name: 'a provider',
      call: 'GET /v2/calls/t1',
      as: 'demo-provider',
      status: 403,
      code: 'FORBIDDEN',
    },
    {
      name: 'settings',
      call: 'GET /v2/calls',
      as: 'demo-settings',
      status: 403,
      code: 'FORBIDDEN',
    },
    { name: 'another site', call: 'GET /v2/calls/t4', as, status: 404, code: 'CALL_NOT_FOUND' },
    { name: 'unknown', call: 'GET /v2/calls/nothing', as, status: 404, code: 'CALL_NOT_FOUND' },
    {
      name: 'a bad trace',
      call: 'GET /v2/calls/a%20b',
      as,
      status: 400,
      code: 'INVALID_PARAMETER',
    },
    ...[
      { statusCode: 'many' },
      { statusCode: '600' },
      { statusClass: '3xx' },
      { client: 'a b' },
      { code: 'no code' },
      { jobId: 'a/b' },
      { since: 'yesterday' },
      { until: '2026-13-01' },
      { route: '' },
      { siteId: '../x' },
      { pageSize: '51' },
    ].map((query) => ({
      name: JSON.stringify(query),
      call: 'GET /v2/calls',
      as,
      query: query as unknown as Record<string, string>,
      status: 400,
      code: 'INVALID_PARAMETER',
    })),
  ]
  it.each(refusals)('refuses $name', async (row) => {
    await run(hub, row)
  })

  describe('of real calls', () => {
    const found = (traceId: string | null, who = as) =>
      until('the call is in the log', async () => {
        const { status, body } = await hub.call<Shown>('GET', `/v2/calls/${traceId}`, { as: who })
        return status === 200 ? body : undefined
      })
    const lineOf = (traceId: string | null) =>
      hub
        .logged()
        .split('\n')
        .filter((line) => line.includes(`"traceId":"${traceId}"`) && line.includes('"msg":"call"'))
        .map((line) => JSON.parse(line) as Record<string, unknown>)

    it('is found by the job that it created, named in its path or its answer, or sent bytes for', async () => {
      const post = (path: string, body: unknown, more = {}) =>
        hub.call<Record<string, string>>('POST', path, { as: 'demo-connector', body, ...more })
      const headers = { 'idempotency-key': 'calls-1' }
      const made = await post('/v2/jobs', { jobName: 'a' }, { headers })
      const again = await post('/v2/jobs', { jobName: 'a' }, { headers })
      const { jobId = '' } = made.body
      const transfer = await hub.call<Record<string, string>>(
        'POST',
        `/v2/jobs/${jobId}/sourcefiles?fileName=a.txt`,
        {
          as: 'demo-connector',
        },
      )
      const form = new FormData()
      form.append('file', new Blob(['text']), 'a.txt')
      const sent = await fetch(transfer.body.fmsPostMultipartUrl ?? '', {
        method: 'POST',
        body: form,
      })
      const link = await hub.call(
        'GET',
        `/v2/jobs/${jobId}/sourcefiles/${transfer.body.fmsFileId}`,
        {
          as: 'demo-connector',
        },
      )
      const got = await fetch(link.headers.get('location') ?? '')
      await got.arrayBuffer()
      const missing = await hub.call('GET', `/v2/jobs/${jobId}/requests/${'x'.repeat(22)}`, {
        as: 'demo-connector',
      })
      const all = [made, again, transfer, sent, link, got, missing].map(({ headers }) =>
        headers.get('x-request-id'),
      )
      for (const traceId of all)
        expect(await found(traceId)).toMatchObject({ jobId, siteId: 'demo' })
      const { body } = await hub.call<Listed>('GET', '/v2/calls', { as, query: { jobId } })
      expect(body.calls.map(({ traceId }) => traceId).sort()).toEqual(all.toSorted())
      for (const traceId of all) expect(lineOf(traceId)).toMatchObject([{ jobId }])
      expect(lineOf(missing.headers.get('x-request-id'))).toMatchObject([
        { requestId: 'x'.repeat(22), status: 404 },
      ])
      expect(lineOf(made.headers.get('x-request-id'))[0]).not.toHaveProperty('requestId')
    })

    it('keeps no body of the calls of a job once it is deleted', async () => {
      const name = 'Not yet announced'
      const connector = 'demo-connector'
      const made = await hub.call<{ jobId: string }>('POST', '/v2/jobs', {
        as: connector,
        body: { jobName: name },
      })
      const { jobId } = made.body
      const traceId = made.headers.get('x-request-id')
      expect((await found(traceId)).callBody).toContain(name)
      expect(
        (await hub.call('DELETE', `/v2/jobs/${jobId}`, { as: connector })).status,
      ).toBeLessThan(300)
      await until('the deletion is logged', async () => {
        const { body } = await hub.call<Listed>('GET', '/v2/calls', { as, query: { jobId } })
        return body.calls.length > 1
      })
      // Another test removes rows of the log.
      const { findings } = await checkHub(hub.inner)
      await hub.advance('2m')
      const { body } = await hub.call<Listed>('GET', '/v2/calls', { as, query: { jobId } })
      expect(body.calls.length).toBeGreaterThan(1)
      for (const call of body.calls)
        expect(JSON.stringify(await found(call.traceId))).not.toContain(name)
      expect((await checkHub(hub.inner)).findings).toEqual(findings)
    })

    it('has the id of a job only where it is one', async () => {
      const { headers } = await hub.call('GET', '/v2/jobs/not-a-job-id', { as: 'demo-connector' })
      const traceId = headers.get('x-request-id')
      expect(await found(traceId)).not.toHaveProperty('jobId')
      expect(lineOf(traceId)[0]).not.toHaveProperty('jobId')
    })
  })
})
